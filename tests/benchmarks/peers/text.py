"""The text of a run, equal for all toolkits: plain files with one space between words, and one vocabulary."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from attn_core.data.corpus import read_parallel, side
from attn_core.data.tokenizer import Tokenizer
from attn_core.files import replacing
from tests.benchmarks.peers.cases import MIN_FREQUENCY, SOURCE, SPECIALS, TARGET
from tests.benchmarks.peers.install import cache

FILES = {"train": "train.lc.norm.tok", "valid": "val.lc.norm.tok", "test": "test_2016_flickr.lc.norm.tok"}


@dataclass(frozen=True)
class Text:
    folder: Path
    key: str  # hash of the text
    pairs: int  # training pairs
    words: int  # target words of one epoch, </s> included
    references: list[str]


def spaced(line: str) -> str:
    """The words of the line joined by single spaces, so that every way of splitting at spaces gives the same words."""
    return " ".join(line.split())


def count_words(lines: list[str], ends: bool = False) -> int:
    """The number of words in tokenised lines; with `ends`, each line counts one more for </s>."""
    return sum(len(line.split()) for line in lines) + len(lines) * ends


def prepare(source: Path, quick: bool, test: str = FILES["test"]) -> Text:
    """Write the text of all toolkits into the cache folder. Raises CorpusError for text that cannot be used.

    `quick` takes the first 640 pairs and the first 64 sentences of `test`, the file to translate.
    """
    corpora: dict[str, tuple[list[str], list[str]]] = {}
    for name, prefix in (FILES | {"test": test}).items():
        both = read_parallel(*(side(str(source / prefix), lang) for lang in (SOURCE, TARGET)))
        pairs = [(spaced(x), spaced(y)) for x, y in zip(*both, strict=True)]
        pairs = [pair for pair in pairs if all(pair)][: {"train": 640}.get(name, 64) if quick else None]
        corpora[name] = tuple(map(list, zip(*pairs, strict=True)))
    files = {
        f"{name}.{lang}": lines
        for name, both in corpora.items()
        for lang, lines in zip((SOURCE, TARGET), both, strict=True)
    }
    for lang in (SOURCE, TARGET):
        words = Tokenizer.train(files[f"train.{lang}"], lang, min_frequency=MIN_FREQUENCY)
        files[f"vocab.{lang}"] = [words.token(i) for i in range(len(SPECIALS), len(words))]
    written = {name: "".join(f"{line}\n" for line in lines) for name, lines in files.items()}
    key = hashlib.sha256("\0".join(written.values()).encode()).hexdigest()[:12]
    folder = cache() / f"text-{key}"
    for name, content in written.items():
        if not (folder / name).exists():
            with replacing(folder / name) as part:
                part.write_text(content, "utf-8")
    target = corpora["train"][1]
    return Text(folder, key, len(target), count_words(target, ends=True), corpora["test"][1])
