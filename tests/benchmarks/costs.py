"""How the cost of a step grows: local and global attention with the source, training with batch, length and vocabulary.

python tests/benchmarks/costs.py            (also a part of make bench)
python tests/benchmarks/costs.py --quick    few repetitions, to see that it works

Prints a table for each, and writes the numbers and a figure of the first to tests/benchmarks/results/. Repetitions of
all sizes take turns, and medians are given. A step's cost is what more steps cost more: what is done once for a
sentence, whatever the number of its steps (the projection of its keys, one gradient of their size), is no part of it.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from attn_core.attention import Attention  # noqa: E402
from attn_core.config import ModelConfig  # noqa: E402
from attn_core.corpora import make_batch  # noqa: E402
from attn_core.decoders import ORDERS  # noqa: E402
from attn_core.encoders import Encoded  # noqa: E402
from attn_core.files import replacing  # noqa: E402
from attn_core.gathered import gathered_gradients  # noqa: E402
from attn_core.scores import SCORES  # noqa: E402
from attn_core.trace import Memory  # noqa: E402
from attn_core.windows import WINDOWS  # noqa: E402
from tests.benchmarks.circumstances import circumstances  # noqa: E402

RESULTS = Path(__file__).with_name("results")
SOURCES = (64, 128, 256, 512, 1024, 2048, 4096)
BATCH, STATE, HALF_WIDTH = 32, 512, 10
FEW, MANY = 2, 8  # steps


def attention(window: str) -> Attention:
    torch.manual_seed(0)
    return Attention(SCORES["general"](STATE, STATE, STATE), WINDOWS[window](STATE, HALF_WIDTH, None)).train()


def looks(window: str, source: int, learn: bool, steps: int) -> Callable[[], float]:
    """A run of some steps; it gives its seconds."""
    looking = attention(window)
    states = torch.randn(BATCH, source, STATE, requires_grad=learn)
    keys = looking.score.keys(states).detach().requires_grad_(learn)
    memory = Memory(states, keys, torch.ones(BATCH, source, dtype=torch.bool))
    queries = [torch.randn(BATCH, 1, STATE, requires_grad=learn) for _ in range(steps)]

    def run() -> float:
        began = time.perf_counter()
        with torch.set_grad_enabled(learn), gathered_gradients():
            contexts = [look(query, memory) for query in queries]
        if learn:
            torch.autograd.grad(torch.stack(contexts).sum(), [states, keys, *queries])
        return time.perf_counter() - began

    def look(query: torch.Tensor, memory: Memory) -> torch.Tensor:
        near = looking.window.reach * 2 + 1 < source
        return (looking.near if near else looking)(query, memory, 0).context

    return run


def training(batch: int = 64, length: int = 16, vocabulary: int = 8000) -> Callable[[], float]:
    """A run of the decoder, forward and back, of the size that the toolkits are compared at."""
    sizes = {"embedding": 256, "encoder_hidden": 256, "hidden": 512, "attentional": 256}
    config = ModelConfig(score="general", dropout=0.0, output_dropout=0.0, **sizes)
    torch.manual_seed(0)
    decoder = ORDERS["step-then-look"](config, vocabulary, attention("global"))
    states = torch.randn(batch, 16, STATE)
    memory = decoder.attention.memory(states, torch.ones(batch, 16, dtype=torch.bool))
    memory = memory.map(torch.Tensor.detach)
    start = decoder.start(Encoded(states, (torch.zeros(batch, 1, STATE), torch.zeros(batch, 1, STATE))))
    words = make_batch([[4]] * batch, torch.randint(4, vocabulary, (batch, length - 1)).tolist())

    def run() -> float:
        began = time.perf_counter()
        step, _ = decoder(words.inputs, start, memory)
        decoder.log_probs(step.attentional).gather(-1, words.outputs.unsqueeze(-1)).sum().backward()
        return time.perf_counter() - began

    return run


def measured(runs: dict[str, Callable[[], float]], repeats: int) -> dict[str, float]:
    """The median milliseconds of each, after one run of each that does not count."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(repeats + 1):
        for name, run in runs.items():
            seconds = run()
            if turn:
                times[name].append(1000 * seconds)
    return {name: statistics.median(one) for name, one in times.items()}


def show(title: str, rows: dict[str, float]) -> None:
    print(f"\n{title}")
    for name, value in rows.items():
        print(f"  {name:<36}{value:10.3f} ms")


def figure(rows: list[dict[str, object]], path: Path) -> None:
    import altair as alt

    from attn_core.figures import svg

    chart = (
        alt.Chart(alt.Data(values=rows), width=420, height=300)
        .mark_line(point=True)
        .encode(
            alt.X("source:Q", title="source words S").scale(type="log", base=2),
            alt.Y("ms:Q", title="milliseconds a step").scale(type="log"),
            alt.Color("window:N", title=None),
            alt.StrokeDash("pass:N", title=None),
        )
    )
    with replacing(path) as part:
        part.write_text(svg(chart), "utf-8")


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--quick", action="store_true", help="few repetitions: to see that it works")
    few = reader.parse_args().quick
    about, repeats = circumstances(("torch",)), 2 if few else 15
    rows: list[dict[str, object]] = []
    for learn in (False, True):
        kind = "forward and back" if learn else "forward"
        names = [(w, s) for s in (SOURCES[:3] if few else SOURCES) for w in ("local-p", "global")]
        runs = {f"{w} S={s}, {n}": looks(w, s, learn, n) for w, s in names for n in (FEW, MANY)}
        times = measured(runs, repeats)
        found = {
            f"{w} S={s}": (times[f"{w} S={s}, {MANY}"] - times[f"{w} S={s}, {FEW}"]) / (MANY - FEW) for w, s in names
        }
        show(f"one step of attention, {kind} (batch {BATCH}, state {STATE}, D = {HALF_WIDTH})", found)
        for name, value in found.items():
            window, source = name.split(" S=")
            rows.append({"window": window, "source": int(source), "pass": kind, "ms": value})
        if not few:
            ratio = found["local-p S=4096"] / found["local-p S=64"]
            print(f"  local-p, S=4096 to S=64: {ratio:.2f} (target: at most 1.25)")
    grown = {
        "batch": {str(n): training(batch=n) for n in (16, 32, 64, 128)},
        "target length": {str(n): training(length=n) for n in (8, 16, 32, 64)},
        "vocabulary": {str(n): training(vocabulary=n) for n in (4000, 8000, 16000, 32000)},
    }
    growth = {name: measured(runs, repeats) for name, runs in grown.items()}
    for name, found in growth.items():
        show(f"the decoder, forward and back, by {name}", found)
    path = RESULTS / f"costs-{about['date'][:10]}{'-quick' if few else ''}.json"
    with replacing(path) as part:
        part.write_text(json.dumps(about | {"attention": rows, "decoder": growth}, indent=1) + "\n", "utf-8")
    figure(rows, path.with_suffix(".svg"))
    print(f"\nwritten to {path.relative_to(ROOT)} and .svg")


if __name__ == "__main__":
    main()
