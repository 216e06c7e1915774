"""Compare our alignment error rate with a public scorer: `python -m tests.benchmarks.aer_reference DATA_DIR`.

DATA_DIR holds `enfr.gold.gz` (447 hand-aligned Hansards pairs, positions from 1) and `enfr.awesome-align.out.gz` (an
aligner's links, positions from 0). The scorer's counts are in tests/goldens/aer.json. Fails when a number differs.
"""

import argparse
import gzip
import json
import math
import sys
from pathlib import Path

from attn_core.data.alignments import alignment_error_rate, parse_alignment

GOLDENS = Path(__file__).parents[1] / "goldens" / "aer.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_dir", type=Path)
    folder = parser.parse_args().data_dir
    golds = [parse_alignment(line, base=1) for line in lines(folder / "enfr.gold.gz")]
    hypotheses = [parse_alignment(line).sure for line in lines(folder / "enfr.awesome-align.out.gz")]
    scores = alignment_error_rate(golds, hypotheses)
    different = []
    for name, expected in json.loads(GOLDENS.read_text(encoding="utf-8"))["enfr"].items():
        ours = len(golds) if name == "sentences" else getattr(scores, name)
        agrees = math.isclose(ours, expected, rel_tol=1e-12)
        different += [] if agrees else [name]
        print(f"{name:14} {ours:<20} {expected:<20} {'' if agrees else 'DIFFERS'}")
    if different:
        sys.exit(f"differs from the reference: {', '.join(different)}")


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()


if __name__ == "__main__":
    main()
