"""Compile the engine's kernel.c to WebAssembly with ziglang (`pip install ziglang`).

`python -m tests.helpers.kernel` writes the bytes into kernel.js.
"""

import base64
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from attn_core.browser import bundle

SOURCE = Path(bundle.__file__).parent / "engine" / "kernel.c"
TARGET = SOURCE.with_name("kernel.js")
_FLAGS = (
    *("--target=wasm32-freestanding", "-msimd128", "-O3", "-nostdlib", "-Wl,--no-entry", "-Wl,--import-memory"),
    *("-Wl,--strip-all", "-Wl,-z,stack-size=4096"),
)
_BYTES = re.compile(r"(export const BYTES =\n).*?;\n", re.DOTALL)


def compiled() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "kernel.wasm"
        subprocess.run([sys.executable, "-m", "ziglang", "cc", *_FLAGS, "-o", out, SOURCE], check=True)
        return out.read_bytes()


def embedded() -> bytes:
    """The bytes in kernel.js."""
    found = _BYTES.search(TARGET.read_text("utf-8"))
    assert found
    return base64.b64decode("".join(re.findall(r'"([^"]*)"', found[0])))


def write() -> None:
    text = base64.b64encode(compiled()).decode()
    lines = " +\n".join(f'  "{text[i : i + 112]}"' for i in range(0, len(text), 112))
    TARGET.write_text(_BYTES.sub(rf"\g<1>{lines};\n", TARGET.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    write()
