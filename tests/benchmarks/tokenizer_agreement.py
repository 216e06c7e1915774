"""Compare the tokenizer of the engine in the page with Python's: python -m tests.benchmarks.tokenizer_agreement DATA.

DATA is a folder with raw text in `SPLIT.raw.LANG.gz`, for example `train.raw.de.gz` of Multi30k. Each line is split,
numbered and detokenised with each different vocabulary of its language in `pretrained`, by Python and by
`attn_core/web/engine/tokenizer` in node. Prints the number of differing lines for each vocabulary and file, and each
difference. Fails if more than 1 line in 10,000 differs.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from attn_core.data.tokenizer import Tokenizer
from attn_core.models.folders import PRETRAINED
from tests.benchmarks.moses_agreement import lines
from tests.helpers.javascript import evaluator
from tests.helpers.tokenizers import MODULES, RunJs, page_results, python_results

MOST = 1 / 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_dir", type=Path)
    options = parser.parse_args()
    node = shutil.which("node")
    if not node:
        sys.exit("node not found: it runs the tokenizer of the page")
    files = sorted(options.data_dir.glob("*.raw.*.gz"))
    with tempfile.TemporaryDirectory() as folder:
        run_js = evaluator(node, Path(folder), MODULES)
        counts = [
            compared(run_js, path, file)
            for path in vocabularies()
            for file in files
            if file.name.endswith(f".raw.{Tokenizer.load(path).lang}.gz")
        ]
    if not counts:
        sys.exit(
            f"{options.data_dir}: expected files named SPLIT.raw.LANG.gz in the language of a vocabulary, found none"
        )
    total, differing = (sum(column) for column in zip(*counts, strict=True))
    print(f"{differing} of {total} lines differ")
    if differing > MOST * total:
        sys.exit(f"more than {MOST:.2%} of the lines differ")


def vocabularies() -> list[Path]:
    """One file for each different vocabulary of the shipped translators."""
    found: dict[tuple[str, str], Path] = {}
    for path in sorted([*PRETRAINED.glob("*/source.json"), *PRETRAINED.glob("*/target.json")]):
        tokenizer = Tokenizer.load(path)
        tokens = "\n".join(tokenizer.token(id) for id in range(len(tokenizer)))
        found.setdefault((tokenizer.lang, tokens), path)
    return list(found.values())


def compared(run_js: RunJs, path: Path, file: Path) -> tuple[int, int]:
    """Print and return how many lines a file has, and how many of them differ."""
    texts = lines(file)
    pairs = zip(python_results(Tokenizer.load(path), texts), page_results(run_js, path, texts), strict=True)
    missed = [(text, *pair) for text, pair in zip(texts, pairs, strict=True) if pair[0] != pair[1]]
    name = path.relative_to(PRETRAINED).as_posix()
    print(f"{file.name:28} {name:34} {len(texts):6} lines, {len(missed)} differ", flush=True)
    for text, want, got in missed:
        print(f"    {text!r}")
        for key in want:
            if want[key] != got[key]:
                print(f"        {key} in Python: {want[key]!r}\n        {key} in the page: {got[key]!r}")
    return len(texts), len(missed)


if __name__ == "__main__":
    main()
