"""Compare the tokenizer of the engine in the page with Python's.

python -m tests.benchmarks tokenizer_agreement DATA

DATA is the folder that holds the corpora of pretrained/models.toml. Each line of raw text is tokenised, mapped to ids
and detokenised with each different vocabulary of its language in `pretrained`, by Python and by
`attn_core/browser/engine/tokenizer` in node. Prints the number of differing lines for each vocabulary and text, and
each difference. Fails if more than 1 line in 10,000 differs.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from attn_core.cli.plan import Corpus, read_plan
from attn_core.data.text_files import Text, short, text_of
from attn_core.data.tokenizer import Tokenizer
from attn_core.models.folders import PRETRAINED
from tests.helpers.javascript import Script, standalone
from tests.helpers.tokenizers import PROBE, page_results, python_results

PLAN = PRETRAINED / "models.toml"
MOST = 1 / 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_dir", type=Path)
    options = parser.parse_args()
    texts = raw_texts(options.data_dir)
    with standalone(PROBE) as in_page:
        counts = [
            compared(
                in_page, path, name, in_threes(text.lines(side)) if tokenizer.sentences else list(text.lines(side))
            )
            for path, tokenizer in vocabularies()
            for name, (text, side) in texts[tokenizer.lang].items()
        ]
    total, differing = (sum(column) for column in zip(*counts, strict=True))
    print(f"{differing} of {total} lines differ")
    if differing > MOST * total:
        sys.exit(f"more than {MOST:.2%} of the lines differ")


def raw_name(corpus: Corpus, part: str, folder: Path) -> str:
    """`Corpus.text_name` of the raw text: where the plan names a tokenised file, that of the raw one beside it."""
    return corpus.text_name(part, folder).replace(".lc.norm.tok", ".raw")


def raw_texts(folder: Path) -> dict[str, dict[str, tuple[Text, int]]]:
    """For each language its raw texts by name, each with the index of its side (0: source, 1: target)."""
    found: dict[str, dict[str, tuple[Text, int]]] = defaultdict(dict)
    corpora = dict.fromkeys(model.corpus for model in read_plan(PLAN).values() if model.corpus)
    for corpus in corpora:
        for part in ("train", "valid", "test"):
            raw = raw_name(corpus, part, folder)
            text = text_of(raw, corpus.languages)
            for side, lang in enumerate(corpus.languages):
                found[lang][short(raw, corpus.languages)] = text, side
    return dict(found)  # a vocabulary of another language is an error


def in_threes(lines: Iterable[str]) -> list[str]:
    """Texts of three successive lines."""
    return [" ".join(three) for three in zip(*[iter(lines)] * 3, strict=False)]


def vocabularies() -> list[tuple[Path, Tokenizer]]:
    """A file for each different vocabulary of the shipped translators, and its tokenizer."""
    found: dict[tuple[str, bool, str], tuple[Path, Tokenizer]] = {}
    for path in sorted([*PRETRAINED.glob("*/source.json"), *PRETRAINED.glob("*/target.json")]):
        tokenizer = Tokenizer.load(path)
        tokens = "\n".join(tokenizer.token(id) for id in range(len(tokenizer)))
        found.setdefault((tokenizer.lang, tokenizer.sentences, tokens), (path, tokenizer))
    return list(found.values())


def compared(in_page: Script, path: Path, text: str, lines: list[str]) -> tuple[int, int]:
    """Print and return how many lines a text has, and how many of them differ."""
    pairs = zip(python_results(Tokenizer.load(path), lines), page_results(in_page, path, lines), strict=True)
    missed = [(line, *pair) for line, pair in zip(lines, pairs, strict=True) if pair[0] != pair[1]]
    name = path.relative_to(PRETRAINED).as_posix()
    print(f"{text:45} {name:34} {len(lines):6} lines, {len(missed)} differ", flush=True)
    for line, want, got in missed:
        print(f"    {line!r}")
        for key in want:
            if want[key] != got[key]:
                print(f"        {key} in Python: {want[key]!r}\n        {key} in the page: {got[key]!r}")
    return len(lines), len(missed)
