"""Scripts that register a window or a score of a reader's own, and the state in which a test finds the registries."""

import inspect
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attn_core import attention
from attn_core.models import folders, scripts
from attn_core.models.by_name import AXES
from tests.helpers.windows import Backwards

BACKWARDS = f"""
from attn_core import WINDOWS
from attn_core.attention.settings import LocalMSettings
from attn_core.attention.windows import LocalM


@WINDOWS.add("backwards", LocalMSettings)
{inspect.getsource(Backwards)}"""

OWN_PARTS = Path(attention.__file__).with_name("README.md").read_text("utf-8")  # on scores and windows of one's own
COSINE = re.findall(r"```python\n((?:(?!```).)*?@SCORES\.add.*?)\n\n\ndef report", OWN_PARTS, re.DOTALL)[0] + "\n"


def script(folder: Path, code: str = BACKWARDS, name: str = "backwards.py") -> Path:
    """A script in `folder`; by default one that registers the window `backwards`."""
    path = folder / name
    path.write_text(code, "utf-8")
    return path


@contextmanager
def forgotten() -> Iterator[None]:
    """At the end, what scripts have registered is removed, they count as not imported, and no model is the reader's."""
    before = {axis: set(registry) for axis, registry in AXES.items()}
    try:
        yield
    finally:
        scripts._loaded.clear()
        folders._own.clear()
        for axis, registry in AXES.items():
            for name in set(registry) - before[axis]:
                del registry[name]
