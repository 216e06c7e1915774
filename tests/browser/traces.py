"""Traces for tests of the player, computed from random scores by the real equations, without a model."""

from dataclasses import replace

import torch

from attn_core.attention.normalizers import masked_softmax
from attn_core.attention.windows import WINDOWS, Local
from attn_core.trace import Focus, Look, Memory, Step, Trace, Word


def _pair(source: str, target: str) -> tuple[list[str], list[str]]:
    return source.split(), target.split()


SHORT = _pair("ein hund läuft durch den schnee", "a dog runs through the snow </s>")
LONG = _pair(
    "drei junge männer in orangefarbenen warnwesten unterhalten sich an einer straßenbahnhaltestelle , während hinter "
    "ihnen eine alte frau mit regenschirm über die nasse kopfsteinpflasterstraße geht .",
    "three young men in orange safety vests are talking at a tram stop while an old woman with an umbrella walks "
    "across the wet cobblestones behind them . </s>",
)

OTHER_WORDS = ("a", "the", "in", "is", "of", "on", "with", "<unk>", "man")  # that come next with some probability


def make(
    window: str | None = "local-p",
    words: tuple[list[str], list[str]] = SHORT,
    half_width: int | None = 2,
    sigma: float | None = None,
    gaussian: str = "after_softmax",
    center: str = "floor",
    local_m: str = "clamp",
    unknown: tuple[int, ...] = (),
    looks: int = 1,
    seed: int = 7,
    trained: dict | None = None,
    order: str = "update-then-attend",
) -> Trace:
    """A trace with `window` (None: the fixed-vector model) for the given source and target words."""
    source, target = words
    n, m = len(source), len(target)
    g = torch.Generator().manual_seed(seed)
    # A plausible alignment: the diagonal with a few swaps.
    ideal = torch.arange(m) * (n - 1) / max(m - 1, 1) + torch.randn(m, generator=g) * 0.8
    distance = torch.arange(n) - ideal.unsqueeze(-1)
    scores = [4.5 * torch.exp(-(distance**2) / 2) - 1 + 0.6 * torch.randn(m, n, generator=g) for _ in range(looks)]
    predicted = (ideal + 0.35 * torch.randn(m, generator=g)).clamp(0, n)
    steps = []
    for t in range(m):
        focus = _focus(window, t, predicted[t], n, half_width, sigma, center, local_m)
        parts = tuple(_look(score[t], focus, gaussian, head) for head, score in enumerate(scores)) if focus else ()
        top = _top(target, t, g)
        steps.append(Word(t, target[t], dict(top)[target[t]], top, Step(parts, torch.zeros(3), torch.zeros(5))))
    in_force = sigma if sigma is not None or window != "local-p" else half_width / 2
    local = window in ("local-m", "local-p")
    settings = {
        "score": "general" if window else None,
        "window": window,
        "half_width": half_width if local else None,
        "sigma": in_force if local else None,
        "center": center,
        "gaussian": gaussian,
        "local_m": local_m,
        "order": order,
        "feeding": True,
        "search": "greedy",
        "beam": 1,
    }
    settings["trained_window"] = trained or {name: settings[name] for name in ("window", "half_width", "sigma")}
    settings["intervention"] = settings["trained_window"] != {
        name: settings[name] for name in ("window", "half_width", "sigma")
    }
    memory = Memory(torch.zeros(n, 2), torch.zeros(n, 2), torch.ones(n, dtype=torch.bool))
    return Trace(f"luong-general-{window or 'fixed'}", settings, tuple(source), unknown, memory, tuple(steps))


def hard(trace: Trace) -> Trace:
    """The trace of a model with hard (argmax) attention that was trained with soft attention."""

    def read(look: Look) -> Look:
        best = torch.zeros_like(look.weights)
        best[look.weights.argmax()] = 1
        return replace(look, weights=best)

    words = [replace(word, step=replace(word.step, looks=tuple(map(read, word.step.looks)))) for word in trace.words]
    settings = trace.settings | {"attention_type": "hard-argmax", "trained_attention_type": "soft"}
    return replace(trace, words=tuple(words), settings=settings)


def _focus(
    window: str | None,
    t: int,
    p: torch.Tensor,
    n: int,
    half_width: int | None,
    sigma: float | None,
    rule: str,
    local_m: str,
) -> Focus | None:
    mask = torch.ones(n, dtype=torch.bool)
    if window is None:
        return None
    if window == "global":
        return Focus(mask, torch.ones(n), None)
    if window == "local-p":
        shape = WINDOWS.build("local-p", 3, half_width=half_width, sigma=sigma, center_rule=rule)
        assert isinstance(shape, Local)
        focus = shape.around(p.reshape(1), torch.arange(n), mask[None], torch.tensor(n))
    else:
        shape = WINDOWS.build("local-m", 3, half_width=half_width, sigma=sigma, center_rule=rule, rule=local_m)
        focus = shape(torch.zeros(1, 3), mask, t)
    return focus.map(lambda value: value[0])


def _look(scores: torch.Tensor, focus: Focus, mode: str, head: int) -> Look:
    if mode == "on_scores":
        align = weights = masked_softmax(scores * focus.gaussian, focus.inside)
    else:
        align = masked_softmax(scores, focus.inside)
        weights = align * focus.gaussian
    if mode == "renorm":
        weights = weights / weights.sum().clamp_min(torch.finfo(torch.float32).tiny)
    return Look(torch.zeros(3), scores, focus, align, weights, torch.zeros(2), head=head)


def _top(target: list[str], t: int, g: torch.Generator) -> tuple[tuple[str, float], ...]:
    others = [word for word in OTHER_WORDS if word != target[t]][:7]
    logits = torch.randn(9, generator=g)
    logits[0] += 2.5
    log_probs = logits.log_softmax(-1)
    best = log_probs[0].item(), *sorted(log_probs[1:8].tolist(), reverse=True)
    pairs = zip([target[t], *others], best, strict=True)
    return tuple(sorted(pairs, key=lambda pair: -pair[1]))
