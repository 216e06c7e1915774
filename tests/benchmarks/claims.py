"""Do the papers' claims hold on captions? One change at a time to one model, the same data, sizes and budget for all.

python tests/benchmarks/claims.py DATA         (make bench-claims DATA=multi30k-folder)

Options, data and intervals are those of variants.py. What is asked (Bahdanau 2015, section 5; Luong 2015, sections 4
and 5): does attention help, and most on long sentences? Which score is best, globally and in a window? Is local-p
better than local-m? Do reversing the source, dropout and input feeding help? The results go to
attn_core/variants/claims.json, with BLEU by source length beside the differences.
"""

from collections.abc import Sequence
from pathlib import Path

if __package__ in (None, ""):
    import sys

    sys.path[:0] = [str(Path(__file__).resolve().parents[2])]

from tests.benchmarks import variants
from tests.benchmarks.variants import Contender

BASE = "general-global"
CONTENDERS = {
    BASE: Contender("luong-general-global", {}, None),
    "no attention": Contender("fixed-vector", {"encoder_hidden": 128}, BASE),
    "dot-global": Contender("luong-dot-global", {}, BASE),
    "concat-global": Contender("luong-concat-global", {}, BASE),
    "location-global": Contender("luong-general-global", {"score": "location"}, BASE),
    "general-local-m": Contender("luong-general-local-m", {}, BASE),
    "general-local-p": Contender("luong-general-local-p", {}, "general-local-m"),
    "dot-local-m": Contender("luong-dot-local-m", {}, "general-local-m"),
    "reversed": Contender("luong-general-global", {"reverse": True}, BASE),
    "no dropout": Contender("luong-general-global", {"dropout": 0.0, "output_dropout": 0.0}, BASE),
    "input feeding": Contender("luong-general-global", {"feeding": True}, BASE),
}
HALF = {"encoder_hidden": 64}  # of each direction, for a decoder of 128 units
RESULTS = Path(__file__).with_name("results") / "claims"
OUT = variants.ROOT / "attn_core" / "variants" / "claims.json"


def main(arguments: Sequence[str] | None = None) -> None:
    options = variants.options_of(__doc__, list(CONTENDERS), RESULTS, arguments)
    names = [name for name in options.only.split(",") if name]
    if unknown := set(names) - CONTENDERS.keys():
        raise SystemExit(f"unknown model {', '.join(sorted(unknown))}; there are: {', '.join(CONTENDERS)}")
    wanted = set(names)
    for name in reversed(CONTENDERS):  # what one is compared with stands before it
        wanted |= {CONTENDERS[name].against} if name in wanted else set()
    entries = {name: one for name, one in CONTENDERS.items() if name in wanted}
    settings = variants.SETTINGS | HALF | {"epochs": options.epochs}
    settings |= dict(pair.split("=", 1) for pair in options.set)
    seeds = [int(seed) for seed in options.seeds.split(",")]
    variants.compare(entries, seeds, settings, options, shipped=OUT)


if __name__ == "__main__":
    main()
