"""A process that trains a small preset with a speed measure or without it, in turns with the other one.

python -m tests.benchmarks.gains.worker MEASURE WORK with|without whole|quick

It writes lines of JSON: when it is ready, how often the measure's witness has run until the first update's end (or the
precision), and for each line "THREADS UPDATES" on its standard input the seconds and the peak memory in MB.
"""

import json
import resource
import sys
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from time import perf_counter
from types import FrameType
from typing import Any

from attn_core.training.speed import cpu_tuning
from tests.benchmarks.gains.measures import MEASURES, Measure, Work

BATCHES = 240  # of random text, so that shapes rarely repeat, as in a corpus


class Training:
    """Updates of a preset's small model, as the training loop takes them."""

    def __init__(self, work: Work, settings: dict[str, Any], quick: bool):
        import torch

        from attn_core.data.corpus import Pairs
        from attn_core.data.tokenizer import Tokenizer
        from attn_core.devices import usable_precision
        from attn_core.models.presets import configure
        from attn_core.models.translator import Translator
        from attn_core.training.corpus_task import Loss
        from attn_core.training.distributed import World
        from attn_core.training.loop import make_optimizer
        from tests.benchmarks.random_text import FEW_WORDS, VOCABULARIES, text, vocabulary

        config, self.recipe = configure(work.preset, work.settings | settings | ({"batch": 4} if quick else {}))
        self.world = World(torch.device("cpu"))
        self.precision = usable_precision(self.world.device, self.recipe.precision)
        sizes = FEW_WORDS if quick else VOCABULARIES
        source, target = (
            Tokenizer.train([vocabulary(size)], lang, min_frequency=1)
            for size, lang in zip(sizes, ("de", "en"), strict=True)
        )
        torch.manual_seed(0)
        model = Translator(config, source, target).train()
        self.loss, self.optimizer = Loss(model, self.recipe), make_optimizer(model, self.recipe)
        self.pairs = Pairs(*text((2 if quick else BATCHES) * self.recipe.batch, sizes, words=work.words))
        self.batches = self._batches()

    def _batches(self) -> Iterator[Any]:
        from attn_core.data.corpus import batches

        epoch = 0
        while True:
            yield from batches(self.pairs, self.recipe.batch, 0, epoch)
            epoch += 1

    def train(self, updates: int) -> float:
        """The seconds of this number of updates."""
        from attn_core.attention.mode import AS_BUILT
        from attn_core.training.loop import take_update
        from attn_core.training.task import Part, Update

        began = perf_counter()
        for _ in range(updates):
            batch = next(self.batches)
            part, words = Part(lambda batch=batch: (batch, AS_BUILT, True)), len(batch.real)
            take_update(self.loss, self.optimizer, Update([part], words, words), self.recipe, self.world)
        return perf_counter() - began


def attribute(name: str) -> tuple[Any, str]:
    """The object of module:name that has its last attribute, and that attribute's name."""
    module, _, path = name.partition(":")
    *owners, last = path.split(".")
    return reduce(getattr, owners, import_module(module)), last


def prepared(measure: Measure, work: Work, switched_on: bool, quick: bool) -> Training:
    """A training with the measure or without it, in a process tuned as the command line tunes its own."""
    patches = {} if switched_on else dict(measure.patches)
    of_tuning = [name for name in patches if name.startswith(f"{cpu_tuning.__name__}:")]
    for name in of_tuning:  # which runs before torch is imported
        setattr(*attribute(name), patches.pop(name))
    cpu_tuning.tune_before_torch()
    for name, value in patches.items():
        setattr(*attribute(name), getattr(*attribute(value)) if isinstance(value, str) else value)
    cpu_tuning.tune_cpu()
    return Training(work, {} if switched_on else dict(measure.instead), quick)


def main() -> None:
    name, number, switch, extent = sys.argv[1:]
    measure, calls = MEASURES[name], Counter[str]()

    def count(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            calls[f"{frame.f_globals.get('__name__')}:{frame.f_code.co_qualname}"] += 1

    sys.setprofile(count)
    training = prepared(measure, measure.works[int(number)], switch == "with", extent == "quick")
    training.train(1)
    sys.setprofile(None)
    answer({"ran": calls[measure.witness] if measure.witness else training.precision})

    import torch

    for line in sys.stdin:
        threads, updates = map(int, line.split())
        torch.set_num_threads(threads)
        seconds = training.train(updates)
        answer({"seconds": seconds, "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024})


def answer(values: dict[str, Any]) -> None:
    print(json.dumps(values), flush=True)


if __name__ == "__main__":
    main()
