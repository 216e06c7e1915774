"""Remove outputs, execution counts and editor settings from the notebooks."""

from pathlib import Path

import nbformat
from nbconvert.preprocessors import ClearMetadataPreprocessor, ClearOutputPreprocessor

from attn_core.files import replacing
from attn_core.program import run_program

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def clean(text: str) -> str:
    """The text of a notebook file without outputs; a clean notebook stays the same, byte for byte."""
    notebook = nbformat.reads(text, as_version=4)
    for step in (ClearOutputPreprocessor(enabled=True), ClearMetadataPreprocessor(enabled=True)):
        notebook, _ = step(notebook, {})
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    return nbformat.writes(notebook) + "\n"


def main() -> None:
    """Clean all notebooks in this folder."""
    for path in sorted(Path(__file__).parent.glob("*.ipynb")):
        with replacing(path) as part:
            part.write_text(clean(path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    run_program(main)
