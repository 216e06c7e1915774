"""Take out of the notebooks what belongs to one run on one machine: outputs, counts, an editor's settings."""

from pathlib import Path

import nbformat
from nbconvert.preprocessors import ClearMetadataPreprocessor, ClearOutputPreprocessor

from attn_core.files import replacing

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def clean(text: str) -> str:
    """A notebook's file as it is committed; what was clean stays as it is, byte for byte."""
    notebook = nbformat.reads(text, as_version=4)
    for step in (ClearOutputPreprocessor(enabled=True), ClearMetadataPreprocessor(enabled=True)):
        notebook, _ = step(notebook, {})
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    return nbformat.writes(notebook) + "\n"


if __name__ == "__main__":
    for path in sorted(Path(__file__).parent.glob("*.ipynb")):
        with replacing(path) as part:
            part.write_text(clean(path.read_text("utf-8")), "utf-8")
