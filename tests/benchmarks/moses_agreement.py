"""Count the lines of Multi30k that our Moses preprocessing reproduces: python -m tests.benchmarks.moses_agreement DATA.

DATA is a folder with `SPLIT.raw.LANG.gz` and `SPLIT.lc.norm.tok.LANG.gz`, for example `train.raw.de.gz`. Prints one
line per pair of files, and with `--show N` the first N differing lines. Fails if less than 99% of a file agree.
"""

import argparse
import gzip
import sys
from pathlib import Path

from attn_core.data.moses import Moses

FLOOR = 0.99


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N differing lines")
    options = parser.parse_args()
    pairs = sorted(options.data_dir.glob("*.raw.*.gz"))
    if not pairs:
        sys.exit(f"{options.data_dir}: expected files named SPLIT.raw.LANG.gz, found none")
    low = [path.name for path in pairs if agreement(path, options.show) < FLOOR]
    if low:
        sys.exit(f"below {FLOOR:.0%}: {', '.join(low)}")


def agreement(path: Path, show: int) -> float:
    """The share of lines that are reproduced exactly, including spaces."""
    split, lang = path.name.removesuffix(".gz").split(".raw.")
    raw, expected = lines(path), lines(path.with_name(f"{split}.lc.norm.tok.{lang}.gz"))
    if len(raw) != len(expected):
        sys.exit(f"{path} has {len(raw)} lines, and its tokenised file {len(expected)}; expected equal numbers")
    ours = list(map(Moses(lang), raw))
    missed = [(want, got) for want, got in zip(expected, ours, strict=True) if want != got]
    share = 1 - len(missed) / len(raw)
    print(f"{split:18} {lang}  {len(raw) - len(missed):6} of {len(raw):6} lines identical  {share:.3%}")
    for want, got in missed[:show]:
        print(f"    file: {want!r}\n    ours: {got!r}")
    return share


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode("utf-8").removesuffix("\n").split("\n")


if __name__ == "__main__":
    main()
