"""Measure how the cost of a step grows: attention with the source; training with batch, length and vocabulary.

python tests/benchmarks/costs.py            (make bench-costs; also a part of make bench)
python tests/benchmarks/costs.py --quick    few repetitions, as a check that everything runs

Prints tables, and writes the numbers with figures to tests/benchmarks/results/. Repetitions of all sizes alternate; the
tables have medians. The cost of a step is the time of many steps divided by their number. It excludes work done once
per sentence: the projection of the keys and, in the backward pass, the zero tensors in which the gradients of states
and keys accumulate.

From step to step p_t advances by one word, as in a translation, so consecutive windows share all but one word. "jumps"
is the other extreme, p_t anywhere in the middle half: windows share few words, so in a long sentence they are rarely in
the processor's cache.
"""

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from attn_core.attention.attention import Attention  # noqa: E402
from attn_core.attention.settings import SCORES, WINDOWS  # noqa: E402
from attn_core.attention.windows import LocalP  # noqa: E402
from attn_core.data.corpus import make_batch  # noqa: E402
from attn_core.files import replacing  # noqa: E402
from attn_core.models.config import ModelConfig  # noqa: E402
from attn_core.models.encoders.encoder import Encoded  # noqa: E402
from attn_core.models.gathered_gradients import gathered_gradients  # noqa: E402
from attn_core.models.settings import ORDERS  # noqa: E402
from attn_core.trace import Memory  # noqa: E402
from attn_core.training.cpu_tuning import tune_cpu  # noqa: E402
from tests.benchmarks.circumstances import circumstances  # noqa: E402

RESULTS = Path(__file__).with_name("results")
SOURCES = (64, 128, 256, 512, 1024, 2048, 4096)
BATCH, STATE, HALF_WIDTH = 32, 512, 10
STEPS = {"local-p": 32, "local-p, jumps": 32, "global": 2}  # global attention is slow for long sentences
TARGET = 1.25


def attention(window: str) -> Attention:
    torch.manual_seed(0)
    width = {} if window == "global" else {"half_width": HALF_WIDTH}
    return Attention(SCORES.build("general", STATE, STATE), WINDOWS.build(window, STATE, **width)).train()


@contextmanager
def once(size: int) -> Iterator[list[float]]:
    """Record the seconds of each `torch.zeros_like` of `size` elements; see models/gathered_gradients.py."""
    times: list[float] = []
    plain = torch.zeros_like

    def timed(like: torch.Tensor, **options: Any) -> torch.Tensor:
        began = time.perf_counter()
        made = plain(like, **options)
        if made.numel() == size:
            times.append(time.perf_counter() - began)
        return made

    torch.zeros_like = timed
    try:
        yield times
    finally:
        torch.zeros_like = plain


@torch.no_grad()
def memories(sources: Iterable[int]) -> dict[int, Memory]:
    """A memory for each source length."""
    states = {n: torch.randn(BATCH, n, STATE) for n in sources}
    return {n: attention("global").memory(one, torch.ones(BATCH, n, dtype=torch.bool)) for n, one in states.items()}


def looks(kind: str, memory: Memory, learn: bool) -> Callable[[], float]:
    """A function that runs some steps of attention and returns the seconds per step."""
    attend = attention(kind.split(",")[0])
    states, keys = memory.states.requires_grad_(learn), memory.keys.requires_grad_(learn)
    n, source = STEPS[kind], states.size(1)
    queries = torch.randn(n, BATCH, 1, STATE)
    if isinstance(attend.window, LocalP):
        queries[..., 0] = steered(attend.window, centers(kind, n, source) / source).unsqueeze(-1)
    queries = [query.requires_grad_(learn) for query in queries]

    def look(query: torch.Tensor) -> torch.Tensor:
        near = attend.window.slots() < source
        return (attend.near if near else attend)(query, memory, 0).context

    def run() -> float:
        began = time.perf_counter()
        with torch.set_grad_enabled(learn), gathered_gradients():
            contexts = [look(query) for query in queries]
        with once(states.numel()) as zeros:
            if learn:
                gradients = torch.autograd.grad(torch.stack(contexts).sum(), [states, keys, *queries])
        seconds = time.perf_counter() - began - sum(zeros)
        if learn:
            del gradients  # not timed: freeing blocks of the memory's size also happens once per sentence
        return seconds / n

    return run


def centers(kind: str, steps: int, source: int) -> torch.Tensor:
    """p_t of each step and sentence: one word further at each step, or anywhere in the middle half."""
    if kind.endswith("jumps"):
        return source / 4 + source / 2 * torch.rand(steps, BATCH)
    return (source / 2 - steps / 2 + torch.arange(steps)).unsqueeze(1).expand(-1, BATCH)


@torch.no_grad()
def steered(window: LocalP, share: torch.Tensor) -> torch.Tensor:
    """The first element of a query for which p_t / S = `share`; sets the window's weights to depend on it alone."""
    window.W_p.weight.copy_(torch.eye(STATE))
    window.v_p.weight.zero_()[0, 0] = 8.0
    return torch.atanh(torch.logit(share) / 8)


def training(batch: int = 64, length: int = 16, vocabulary: int = 8000) -> Callable[[], float]:
    """A function that times the decoder forward and backward; sizes as in bench.py, but h~ has half the size."""
    sizes = {"embedding": 256, "encoder.hidden": 256, "decoder.hidden": 512, "attentional": 256}
    config = ModelConfig.of(score="general", dropout=0.0, output_dropout=0.0, **sizes)
    torch.manual_seed(0)
    decoder = ORDERS["update-then-attend"](config, vocabulary, attention("global"))
    states = torch.randn(batch, 16, STATE)
    mask = torch.ones(batch, 16, dtype=torch.bool)
    memory = decoder.attention.memory(states, mask)
    memory = memory.map(torch.Tensor.detach)
    start = decoder.start(Encoded(states, (torch.zeros(batch, 1, 1, STATE),) * 2), mask)
    words = make_batch([[4]] * batch, torch.randint(4, vocabulary, (batch, length - 1)).tolist())

    def run() -> float:
        began = time.perf_counter()
        step, _ = decoder(words.inputs, start, memory)
        decoder.log_probs(step.attentional).gather(-1, words.outputs.unsqueeze(-1)).sum().backward()
        return time.perf_counter() - began

    return run


def measured(runs: dict[str, Callable[[], float]], repeats: int) -> dict[str, float]:
    """The median milliseconds of each run, after one warm-up each."""
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


def growth(found: dict[str, float]) -> float:
    """The slope of log cost against log size by least squares: 1 is linear growth, 0 none."""
    sizes, costs = ([math.log(float(one)) for one in side] for side in (found, found.values()))
    return statistics.linear_regression(sizes, costs).slope


def of_source(rows: list[dict[str, Any]]) -> Any:
    """A chart of cost against S; notebooks use it too."""
    import altair as alt

    return (
        alt.Chart(alt.Data(values=rows), width=420, height=300)
        .mark_line(point=True)
        .encode(
            alt.X("source:Q", title="source words S").scale(type="log", base=2),
            alt.Y("ms:Q", title="milliseconds per step").scale(type="log"),
            alt.Color("window:N", title=None),
            alt.StrokeDash("pass:N", title=None),
        )
    )


def of_size(name: str, found: dict[str, float]) -> Any:
    """A chart of cost against a size, both axes from zero: linear growth is a straight line."""
    import altair as alt

    rows = [{"size": int(size), "ms": ms} for size, ms in found.items()]
    return (
        alt.Chart(alt.Data(values=rows), width=260, height=220)
        .mark_line(point=True)
        .encode(alt.X("size:Q", title=name), alt.Y("ms:Q", title="milliseconds"))
    )


def draw(chart: Any, path: Path) -> None:
    from attn_core.figures import svg

    with replacing(path) as part:
        part.write_text(svg(chart), "utf-8")


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--quick", action="store_true", help="few repetitions: a check that everything runs")
    few = reader.parse_args().quick
    about, repeats = circumstances(("torch",)), 2 if few else 15
    tune_cpu()
    remembered = memories(SOURCES[:3] if few else SOURCES)
    rows: list[dict[str, Any]] = []
    for learn in (False, True):
        kind = "forward and backward" if learn else "forward"
        runs = {f"{name}|{n}": looks(name, memory, learn) for name in STEPS for n, memory in remembered.items()}
        found: dict[str, dict[str, float]] = {name: {} for name in STEPS}
        for both, ms in measured(runs, repeats).items():
            name, source = both.split("|")
            found[name][source] = ms
            rows.append({"window": name, "source": int(source), "pass": kind, "ms": ms})
        title = f"one step of attention, {kind} (batch {BATCH}, state {STATE}, D = {HALF_WIDTH}), by S"
        for name, by_source in found.items():
            show(f"{title}: {name}", by_source)
        if not few:
            ratio = found["local-p"]["4096"] / found["local-p"]["64"]
            verdict = "" if ratio <= TARGET else ", MISSED"
            print(f"  local-p, S=4096 to S=64: {ratio:.2f} (target: at most {TARGET}{verdict})")
            print(f"  global grows as S to the power of {growth(found['global']):.2f}")
    grown = {
        "batch": {str(n): training(batch=n) for n in (16, 32, 64, 128)},
        "target length": {str(n): training(length=n) for n in (8, 16, 32, 64)},
        "vocabulary": {str(n): training(vocabulary=n) for n in (4000, 8000, 16000, 32000)},
    }
    decoder = {name: measured(runs, repeats) for name, runs in grown.items()}
    for name, found in decoder.items():
        show(f"the decoder, forward and backward, by {name}", found)
        print(f"  grows as {name} to the power of {growth(found):.2f}")
    path = RESULTS / f"costs-{about['date'][:10]}{'-quick' if few else ''}.json"
    with replacing(path) as part:
        part.write_text(json.dumps(about | {"attention": rows, "decoder": decoder}, indent=1) + "\n", "utf-8")
    draw(of_source(rows), path.with_suffix(".svg"))
    for name, found in decoder.items():
        draw(of_size(name, found), path.with_name(f"{path.stem}-{name.replace(' ', '-')}.svg"))
    print(f"\nwritten to {path.relative_to(ROOT)}, with figures beside it")


if __name__ == "__main__":
    main()
