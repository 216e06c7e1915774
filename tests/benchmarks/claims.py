"""Test the papers' claims on captions: one setting of a model changes at a time, with equal data, sizes and budget.

python -m tests.benchmarks claims DATA

Options, data and intervals are those of variants.py. The claims are listed in attn_core/evaluation/variants/claims.py:
does attention help, and most on long sentences? Which score is best, globally and in a window? Is local-p better than
local-m? Do reversing the source, dropout and input feeding help? The results are written to claims.json beside that
file, with BLEU by source length.

Reversal is tested with one-directional encoders in both models: in a bidirectional encoder it only swaps the two halves
of each state, so that the two models could not differ.
"""

from collections.abc import Sequence

from attn_core.evaluation.variants.claims import TESTED
from attn_core.models.config import ModelConfig
from tests.benchmarks import variants
from tests.benchmarks.records import RESULTS
from tests.benchmarks.variants import Contender

BASE = "general-global"
# The step of their program, with a start symbol; one start for both models.
AUTHORS = {"update": "groundhog", "init": "large-embeddings"}
ONE_WAY = {"bidirectional": False, "encoder.hidden": ModelConfig().hidden}  # as wide as both directions together
CONTENDERS = {
    "RNNsearch": Contender("bahdanau", AUTHORS, None),
    "RNNencdec": Contender("fixed-vector", AUTHORS, "RNNsearch"),
    BASE: Contender("luong-general-global", {}, None),
    "one-way": Contender("luong-general-global", ONE_WAY, None),
    "reversed": Contender("luong-general-global", ONE_WAY | {"reverse": True}, "one-way"),
    "no-dropout": Contender("luong-general-global", {"dropout": 0.0, "output_dropout": 0.0}, BASE),
    "input-feeding": Contender("luong-general-global", {"feeding": True}, BASE),
    "dot-global": Contender("luong-dot-global", {}, BASE),
    "location-global": Contender("luong-general-global", {"score": "location"}, "dot-global"),
    "concat-global": Contender("luong-concat-global", {}, BASE),
    "general-local-m": Contender("luong-general-local-m", {}, BASE),
    "dot-local-m": Contender("luong-dot-local-m", {}, "general-local-m"),
    "general-local-p": Contender("luong-general-local-p", {}, "general-local-m"),
}


def main(arguments: Sequence[str] | None = None) -> None:
    options = variants.options_of(__doc__, list(CONTENDERS), RESULTS / "claims", arguments)
    names = [name for name in options.only.split(",") if name]
    if unknown := set(names) - CONTENDERS.keys():
        raise SystemExit(f"unknown model {', '.join(sorted(unknown))}; choose from: {', '.join(CONTENDERS)}")
    wanted = set(names)
    for name in reversed(CONTENDERS):  # a model is listed after the one that it is compared with
        wanted |= {CONTENDERS[name].against} if name in wanted else set()
    entries = {name: one for name, one in CONTENDERS.items() if name in wanted}
    settings = variants.SETTINGS | {"epochs": options.epochs}
    settings |= dict(pair.split("=", 1) for pair in options.set)
    seeds = [int(seed) for seed in options.seeds.split(",")]
    variants.compare(entries, seeds, settings, options, shipped=TESTED)
