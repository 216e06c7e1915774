"""Profile a training step and a beam step, and compare both with the time of their matrix products alone.

python -m tests.benchmarks shares           (also a part of make bench)
    --cases ab          some of (a) additive attention, GRU; (b) general, LSTM, input feeding; (c) b without feeding
    --precisions fp32   one or both of fp32 and bf16 (default: those that the processor has)
    --repeats N         of every measurement; the table has their medians
    --quick             small models and little text, as a check that everything runs

The models are those of make bench, the text is random: lengths and vocabularies as in Multi30k, words by Zipf's law.
A training step is a whole update, from word ids to new weights; a beam step is one step of a beam search of width 5 for
a batch of sentences. Three runs alternate: the plain step, for its time; the step with every kernel timed (watch.py),
for its parts; and its matrix products alone, back to back with the same operands and kernels, for the bound. Time
outside of kernels is Python, the dispatcher and autograd, so the shares of a row sum to 100%. The numbers are written
with date, hardware and versions to tests/benchmarks/results/. What a single measure gains is measured by `gains`.
"""

import argparse
import json
import statistics
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

from attn_core.files import replacing
from tests.benchmarks.circumstances import circumstances
from tests.benchmarks.peers import cases
from tests.benchmarks.random_text import FEW_WORDS, VOCABULARIES, text, vocabulary
from tests.benchmarks.records import RESULTS, ROOT, commit

WARM_UP = 8  # runs before the first measurement; enough for the process's memory to stop growing
BEAM, WORDS = 5, 16  # beam width, and the length at which translations are cut
TARGET = 0.8  # share of the bound to reach, in training in fp32
SMALL = {"embedding": 8, "encoder.hidden": 4, "decoder.hidden": 8, "attention.score.hidden": 8, "attentional": 8}


@dataclass(frozen=True)
class Row:
    """A measured kind of work, in seconds per step."""

    work: str
    case: str
    precision: str
    measured: float
    parts: dict[str, float]  # time in the kernels of each part
    bound: float  # time of its matrix products alone
    operations: int  # additions and multiplications of these products
    words: float  # target words per training step
    unknown: dict[str, int]  # operations that belong to no part, with their counts

    @property
    def shares(self) -> dict[str, float]:
        """Shares of the measured time; with Python's share they sum to 1."""
        shares = {part: seconds / self.measured for part, seconds in self.parts.items()}
        return shares | {"Python": 1 - sum(shares.values())}

    @property
    def reached(self) -> float:
        """The bound divided by the measured time: 1 would mean matrix products only."""
        return self.bound / self.measured

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"shares": self.shares, "reached": self.reached}


def small(config: Any) -> Any:
    """The config with small sizes, as far as it has them."""
    return config.set({name: size for name, size in SMALL.items() if config[name] is not None})


class Work:
    """A case in one precision: its model, with the sizes of make bench, and its work."""

    def __init__(self, case: str, precision: str, quick: bool):
        import torch

        from attn_core.data.tokenizer import Tokenizer
        from attn_core.devices import autocast
        from attn_core.models.translator import Translator
        from attn_core.training.loop import make_optimizer
        from tests.benchmarks.peers.settings import settings

        config, self.recipe = settings(cases.CASES[case], precision)
        vocabularies = FEW_WORDS if quick else VOCABULARIES
        self.batch = 4 if quick else cases.BATCH
        self.words = 4 if quick else WORDS
        source, target = (
            Tokenizer.train([vocabulary(size)], lang, min_frequency=1)
            for size, lang in zip(vocabularies, (cases.SOURCE, cases.TARGET), strict=True)
        )
        torch.manual_seed(cases.SEED)
        self.model = Translator(small(config) if quick else config, source, target)
        self.optimizer = make_optimizer(self.model, self.recipe)
        self.autocast = lambda: autocast(torch.device("cpu"), self.recipe.precision)
        pairs = text(60 * self.batch, vocabularies)
        # A batch of short, one of medium and one of long sentences, as training sorts them.
        starts = [share * self.batch for share in (10, 30, 50)]
        self.batches = [[side[i : i + self.batch] for side in pairs] for i in starts]

    def train(self, within: Callable[[str], None] = lambda part: None) -> None:
        """One update per batch. `within` is called with the name of the part that follows."""
        import torch

        from attn_core.data.corpus import make_batch

        self.model.train()
        for source, target in self.batches:
            within("optimiser")
            self.optimizer.zero_grad()
            within("rest")
            with self.autocast():
                loss = self.model.loss(make_batch(source, target))
            (loss / (sum(map(len, target)) + len(target))).backward()
            within("optimiser")
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.clip)
            self.optimizer.step()
            within("rest")

    def search(self, within: Callable[[str], None] = lambda part: None) -> None:
        from attn_core.decoding.beam import best_outputs

        self.model.eval()
        sentences = self.batches[1][0]
        with self.autocast():
            best_outputs(self.model, sentences, BEAM * len(sentences), BEAM, limit=self.words)

    def measured(self, work: str, repeats: int, case: str) -> Row:
        """The medians of `repeats` turns, after WARM_UP runs."""
        from tests.benchmarks.watch import Watch, operations, replay, seconds

        run = {"training": self.train, "beam step": self.search}[work]
        steps = {"training": len(self.batches), "beam step": self.words}[work]
        for _ in range(WARM_UP):
            run()
        with Watch(searching=work == "beam step") as first:
            run(first.within)
        whole, bound, turns = [], [], []
        for _ in range(repeats):
            began = perf_counter()
            run()
            whole.append(perf_counter() - began)
            with Watch(searching=work == "beam step", keep=False) as watch:
                run(watch.within)
            turns.append(watch.times)
            bound.append(replay(first.products))
        return Row(
            work,
            case,
            self.recipe.precision,
            statistics.median(whole) / steps,
            {part: one / steps for part, one in seconds(turns).items()},
            statistics.median(bound) / steps,
            operations(first.products) // steps,
            sum(len(y) + 1 for _, target in self.batches for y in target) / len(self.batches),
            dict(first.unknown),
        )


def table(rows: list[Row]) -> str:
    from tests.benchmarks.watch import PARTS

    parts = [part for part in (*PARTS, "Python") if any(part in row.shares for row in rows)]
    head = f"{'':24}{'ms a step':>10}" + "".join(f"{part.split()[0]:>11}" for part in parts)
    lines = [f"{head}{'products':>10}{'GFLOP/s':>9}{'reached':>9}"]
    for row in rows:
        line = f"{row.work + ' (' + row.case + ') ' + row.precision:24}{1000 * row.measured:10.1f}"
        line += "".join(f"{row.shares.get(part, 0):>11.1%}" for part in parts)
        line += f"{1000 * row.bound:10.1f}{row.operations / row.bound / 1e9:9.0f}{row.reached:9.0%}"
        if row.work == "training" and row.precision == "fp32" and row.reached < TARGET:
            line += f" MISSED (target: {TARGET:.0%})"
        lines.append(line)
    return "\n".join(lines)


def arguments() -> argparse.Namespace:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--cases", default="".join(cases.CASES), help="some of abc")
    reader.add_argument("--precisions", nargs="+", default=[], choices=("fp32", "bf16"))
    reader.add_argument("--repeats", type=int, default=0, help="of every measurement (7)")
    reader.add_argument("--threads", type=int, default=cases.THREADS, help="threads of torch (2)")
    reader.add_argument("--quick", action="store_true", help="small models: a check that everything runs")
    options = reader.parse_args()
    if not options.cases or set(options.cases) - set(cases.CASES):
        reader.error(f"--cases takes letters of {''.join(cases.CASES)}, not {options.cases!r}")
    if options.repeats < 0 or options.threads < 1:
        reader.error("--repeats and --threads take at least 1")
    return options


def as_the_command_line(threads: int) -> None:
    """Set this process up as `attn_core train` does."""
    from attn_core.training.speed.cpu_tuning import tune_cpu

    tune_cpu()  # imports torch
    import torch

    torch.set_num_threads(threads)


def precisions(wanted: Iterable[str]) -> list[str]:
    """The wanted precisions, or all that this processor has. Exits if it lacks a wanted one."""
    from attn_core.processor import computes_bf16  # imports torch

    here = ["fp32", "bf16"] if computes_bf16() else ["fp32"]
    if missing := set(wanted) - set(here):
        raise SystemExit(f"--precisions {' '.join(missing)}: this processor has only {' '.join(here)}")
    return list(dict.fromkeys(wanted)) or here


def measured(options: argparse.Namespace) -> list[Row]:
    """Measure all selected cases in this process."""
    as_the_command_line(options.threads)
    repeats = options.repeats or (1 if options.quick else 7)
    rows = []
    for case in sorted(set(options.cases)):
        for precision in precisions(options.precisions):
            work = Work(case, precision, options.quick)
            rows += [work.measured(kind, repeats, case) for kind in ("beam step", "training")]  # training changes it
    return sorted(rows, key=lambda row: (row.work != "training", row.precision == "bf16", row.case))


def main() -> None:
    options = arguments()
    about = circumstances(("torch",)) | {"commit": commit()}
    rows = measured(options)
    print(table(rows))
    name = f"shares-{about['date'][:19].replace(':', '-')}-{about['commit']}{'-quick' * options.quick}.json"
    path = RESULTS / name
    with replacing(path) as part:
        part.write_text(json.dumps(about | {"rows": [row.to_json() for row in rows]}, indent=1) + "\n", "utf-8")
    print(f"\ncommit {about['commit']}; load before: {about['load_before'][0]} on {about['cores']} cores")
    print(f"written to {path.relative_to(ROOT)}")
