"""The test sentences of the papers' tables, and our own gold alignments, joined as the training sentences are."""

from dataclasses import dataclass
from pathlib import Path

from attn_core.data.alignments import Alignment
from attn_core.data.captions import captions, gold
from attn_core.data.corpus import read_lines, side
from attn_core.data.joined import join_lines, join_pairs
from tests.benchmarks.joined_captions import as_one
from tests.benchmarks.tables.models import JOIN, LANGUAGES, PARTS


@dataclass(frozen=True)
class Gold:
    """Sentence pairs, English to German, with their links (English position, German position)."""

    sources: list[str]
    targets: list[str]
    links: list[Alignment]


def joined(data: Path, part: str) -> tuple[list[str], list[str]]:
    """Sources and references of a part of Multi30k, 2 to 4 captions joined."""
    sources, references = (read_lines(side(str(data / PARTS[part]), language)) for language in LANGUAGES)
    return join_lines(sources, references, JOIN)


def gold_pairs() -> Gold:
    """Our own aligned captions, 2 to 4 joined: models that were trained on joined captions expect no single ones."""
    pairs, numbers = captions(), [str(number) for number in range(len(captions()))]
    found = Gold([], [], [])
    for group, _ in join_pairs(zip(numbers, numbers, strict=True), JOIN):
        one = as_one([pairs[int(number)] for number in group.split()])
        found.sources.append(" ".join(one.en_tokens))
        found.targets.append(" ".join(one.de_tokens))
        links = (frozenset((j, i) for i, j in some) for some in gold(one))
        found.links.append(Alignment(*links))
    return found


def sentences(data: Path) -> dict[str, list[int]]:
    """What is the same for all models: words of the test sentences, and sure links of the gold pairs."""
    sources, references = joined(data, "test")
    return {
        "source": [len(line.split()) for line in sources],
        "reference": [len(line.split()) for line in references],
        "sure": [len(one.sure) for one in gold_pairs().links],
    }
