"""A statistical aligner beside attention, and the dictionary for unknown words: eflomal (Östling and Tiedemann 2016).

It is of GIZA's family: IBM model 1, an HMM and fertilities, here estimated by Gibbs sampling. It is installed from PyPI
into its own environment (tests/benchmarks/peers/install.py) and compiled there, which takes a C compiler. It gets the
same joined training sentences as the models, and the gold pairs without their links.
"""

import json
import subprocess
from collections import Counter, defaultdict
from pathlib import Path

from attn_core.data.alignments import Link, parse_alignment
from attn_core.files import replacing
from tests.benchmarks.peers.install import python_of
from tests.benchmarks.tables.text import gold_pairs, joined

Links = list[set[Link]]


def run(sources: list[str], targets: list[str], work: Path, seed: int) -> Links:
    """Links of each pair: every target word has at most one source word, as with attention."""
    text, out = work / f"eflomal-{seed}.txt", work / f"eflomal-{seed}.links"
    with replacing(text) as part:
        lines = (f"{source} ||| {target}\n" for source, target in zip(sources, targets, strict=True))
        part.write_text("".join(lines), "utf-8")
    program = python_of("eflomal").with_name("eflomal-align")
    subprocess.run([program, "--overwrite", "-i", text, "-f", out], check=True, capture_output=True)
    found = [set(parse_alignment(line).sure) for line in out.read_text("utf-8").splitlines()]
    text.unlink()
    out.unlink()
    return found


def aligned(data: Path, work: Path, seed: int) -> Links:
    """The links of the gold pairs. The aligner draws its random numbers anew: `seed` only counts its runs."""
    sources, targets = joined(data, "train")
    gold = gold_pairs()
    return run([*sources, *gold.sources], [*targets, *gold.targets], work, seed)[len(sources) :]


def write_dictionary(data: Path, work: Path) -> None:
    """Write the most frequent link of each source word in the training text, for `dictionary`."""
    sources, targets = joined(data, "train")
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for source, target, links in zip(sources, targets, run(sources, targets, work, 0), strict=True):
        words, others = source.split(), target.split()
        for i, j in links:
            counts[words[i]][others[j]] += 1
    with replacing(work / "dictionary.json") as part:
        part.write_text(json.dumps({word: found.most_common(1)[0][0] for word, found in counts.items()}), "utf-8")


def dictionary(work: Path) -> dict[str, str]:
    """Source word to target word, from all training pairs."""
    return json.loads((work / "dictionary.json").read_text("utf-8"))
