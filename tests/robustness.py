"""Run the tests under conditions that differ between machines: CPU load, rounding, fonts, test order.

python -m tests.robustness                    all four, one after another; takes hours
python -m tests.robustness load               three times, beside eight busy processes (--times, --busy)
python -m tests.robustness rounding           with the instructions of a CPU without AVX-512 and AMX
python -m tests.robustness fonts              with another default font (--font 'Noto Sans')
python -m tests.robustness order              files, and the tests within each, shuffled (--seed)

Arguments after `--` go to pytest: `python -m tests.robustness load --times 1 -- tests/browser -k finger`. The exit
status is 0 if all runs passed.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROUNDING = {"ATEN_CPU_CAPABILITY": "avx2", "MKL_ENABLE_INSTRUCTIONS": "AVX2", "ONEDNN_MAX_CPU_ISA": "AVX2"}
GENERIC = ("sans-serif", "sans", "serif", "monospace", "system-ui", "ui-sans-serif")
PREFER = """<match target="pattern"><test name="family"><string>{name}</string></test>
<edit name="family" mode="prepend" binding="strong"><string>{font}</string></edit></match>"""
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include>{rules}</fontconfig>"""


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Run `count` processes with busy loops."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def fonts(font: str, folder: Path) -> dict[str, str]:
    """Environment variables that make `font` the default font; exits if it is not installed."""
    listed = subprocess.run(["fc-list", "--format", "%{family}\n", font], capture_output=True, text=True, check=False)
    if not listed.stdout.strip():
        sys.exit(f"Font {font!r} is not installed (on Debian: apt-get install fonts-noto-core fonts-liberation)")
    rules = "\n".join(PREFER.format(name=name, font=font) for name in GENERIC)
    path = folder / "fonts.conf"
    path.write_text(FONTS.format(rules=rules), "utf-8")
    return {"FONTCONFIG_FILE": str(path)}


def passed(title: str, arguments: list[str], environment: dict[str, str] | None = None) -> bool:
    """Run the tests once, print the result, and return whether all passed."""
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal", *arguments]
    began = time.monotonic()
    status = subprocess.run(command, cwd=ROOT, env=os.environ | (environment or {}), check=False).returncode
    print(f"\n{title}: {'passed' if status == 0 else 'FAILED'} after {time.monotonic() - began:.0f} s\n", flush=True)
    return status == 0


def arguments() -> argparse.Namespace:
    reader = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    ways = ("load", "rounding", "fonts", "order")
    reader.add_argument("ways", nargs="*", choices=[*ways, []], metavar="way", help=f"some of {', '.join(ways)}")
    reader.add_argument("--times", type=int, default=3, help="runs beside busy processes (3)")
    reader.add_argument("--busy", type=int, default=8, help="busy processes (8)")
    reader.add_argument("--font", default="Liberation Sans", help="the default font (Liberation Sans)")
    reader.add_argument("--seed", type=int, default=1, help="seed of the order (1)")
    own, more = sys.argv[1:], []
    if "--" in own:
        own, more = own[: own.index("--")], own[own.index("--") + 1 :]
    options = reader.parse_args(own)
    options.pytest = more
    options.ways = options.ways or list(ways)
    return options


def main() -> int:
    options = arguments()
    found = []
    for way in options.ways:
        if way == "load":
            with busy(options.busy):
                for i in range(options.times):
                    title = f"beside {options.busy} busy processes, {i + 1} of {options.times}"
                    found.append((title, passed(title, options.pytest)))
        elif way == "rounding":
            found.append(("AVX2's rounding", passed("AVX2's rounding", options.pytest, ROUNDING)))
        elif way == "fonts":
            with tempfile.TemporaryDirectory() as folder:
                title = f"in {options.font}"
                found.append((title, passed(title, options.pytest, fonts(options.font, Path(folder)))))
        else:
            title = f"in the order of seed {options.seed}"
            shuffled = ["-p", "tests.helpers.shuffled", "--shuffle", str(options.seed)]
            found.append((title, passed(title, [*shuffled, *options.pytest])))
    for title, good in found:
        print(f"{'passed' if good else 'FAILED'}  {title}")
    return int(not all(good for _, good in found))


if __name__ == "__main__":
    sys.exit(main())
