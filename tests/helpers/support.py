"""Helpers of several tests: small vocabularies, small models, and reference numbers from other implementations.

Sizes differ where they can, and most are prime, so that a swapped axis fails.
"""

import json
import math
from functools import cache
from pathlib import Path

import torch

from attn_core.attention.scores import SCORES
from attn_core.attention.windows import WINDOWS
from attn_core.data.tokenizer import Tokenizer
from attn_core.models.cells import GRUCell
from attn_core.models.config import ModelConfig
from attn_core.models.settings import ORDERS
from attn_core.models.translator import Translator

GOLDENS = Path(__file__).parents[1] / "goldens"


def both_sides(**settings) -> dict:
    """Settings of the encoder and the decoder, by path."""
    return {f"{side}.{name}": value for name, value in settings.items() for side in ("encoder", "decoder")}


LUONG = {"order": "update-then-attend", "bidirectional": False, "encoder.hidden": 7, "decoder.hidden": 7}
BAHDANAU = {
    "order": "attend-then-update",
    "score": "additive",
    "update": "groundhog",
    "encoder.cell": "gru",
    "encoder.hidden": 3,
    "decoder.hidden": 7,
}

D_MODEL = {"embedding": 6}
TRANSFORMER = D_MODEL | {
    "order": "transformer",
    "encoder": "transformer",
    "score": "scaled_dot",
    "attention.heads": 3,
    "encoder.heads": 3,
    **both_sides(layers=2, feedforward=11),
}

# Points of the product space that together reach every branch of the core; D = 1 so that windows matter.
VARIANTS = {
    "fixed-vector": BAHDANAU | {"score": None, "bidirectional": False},
    "bahdanau": BAHDANAU,
    "bahdanau-printed": BAHDANAU | {"update": "printed"},
    "bahdanau-s_cur": BAHDANAU | {"update": "printed", "readout": "s_cur"},
    "bahdanau-zero-eos": BAHDANAU | {"first_word": "zero", "source_eos": True},
    "bahdanau-torch-gru-local-p": BAHDANAU | {**both_sides(reset="after"), "window": "local-p"},
    **{f"luong-{s}-{w}": LUONG | {"score": s, "window": w} for s in SCORES for w in WINDOWS},
    "luong-bidirectional-tied": LUONG | {"encoder.hidden": 3, "decoder.hidden": 6, "bidirectional": True, "tied": True},
    "luong-paper": LUONG | {"window": "local-p", **both_sides(layers=2), "feeding": True, "reverse": True},
    "luong-code": LUONG | {"score": "concat", "window": "local-p", "feeding": True, "identity_source": True},
    "luong-on_scores": LUONG | {"window": "local-p", "gaussian": "on_scores"},
    "luong-renorm-real": LUONG | {"window": "local-p", "gaussian": "renorm", "center_rule": "real"},
    "luong-one_based": LUONG | {"window": "local-p", "one_based": True, "half_width": 0},
    "luong-unmasked_fixed": LUONG | {"score": "location", "unmasked_fixed": True, "width": 16},
    "luong-rank": LUONG | {"rank": 3, "scale": True},
    "luong-values": LUONG | {"values": 3, "feeding": True},
    "luong-heads": LUONG | {"heads": 3, "head_size": 2, "window": "local-p", "score": "additive"},
    "bahdanau-heads": BAHDANAU | {"heads": 2, "head_size": 5, "score": "dot"},
    "bahdanau-values": BAHDANAU | {"values": 13},
    "luong-hard-argmax": LUONG | {"type": "hard-argmax", "window": "local-p"},
    "luong-no-biases": LUONG | {**both_sides(biases=False, layers=2), "feeding": True},
    "gru-relu": LUONG
    | {**both_sides(cell="torch-gru", layers=2), "combine": "relu", "combine_bias": True, "feeding": True},
    "gru-summed": LUONG
    | {**both_sides(cell="torch-gru"), "directions": "sum", "bidirectional": True, "bias": True, "combine": "linear"},
    "luong-bridge": LUONG | {"bidirectional": True, "encoder.hidden": 3, "start": "both-ends", **both_sides(layers=2)},
    "luong-scaled-sparsemax": LUONG | {"scale": True, "normalizer": "sparsemax"},
    "luong-normed": LUONG | {"score": "additive", "normed": True, "bias": True},
    "luong-concat-bias": LUONG | {"score": "concat", "bias": True},
    "gnmt": LUONG | {"order": "gnmt", **both_sides(layers=3), "query": "previous"},
    "gnmt-v2": LUONG | {"order": "gnmt", **both_sides(layers=2), "score": "additive", "window": "local-p"},
    "bahdanau-concat": BAHDANAU
    | {"update": "printed", "readout": "s_cur", "combine": "concat", "start": "both-ends", "score": "concat"},
    "bahdanau-linear": BAHDANAU | {"combine": "linear", "start": "both-ends", **both_sides(reset="after")},
    "bahdanau-stateless": BAHDANAU
    | {"update": "printed", "readout": "s_cur", "recurrent": False, "combine": "state", "start": "copy"}
    | {"bidirectional": False, "encoder.hidden": 7, "bias": True},
    "word-and-state": BAHDANAU
    | {"update": "printed", "readout": "s_cur", "query": "word-and-state", "input_layer": True, "combine": "state"}
    | {"score": "location", "width": 16, "unmasked_fixed": True, "bias": True, **both_sides(reset="after")},
    "luong-local-m-text": LUONG | {"window": "local-m", "rule": "text", "sigma": 0.7},
    "transformer": TRANSFORMER,
    "transformer-pre": TRANSFORMER
    | {**both_sides(norm="pre"), "score": "dot", **both_sides(positions="learned"), "source_eos": True},
}
RECURRENT = {name: settings for name, settings in VARIANTS.items() if settings["order"] != "transformer"}

# For tests to which the combination of score and window does not matter: one of each.
SPREAD = {
    name: settings
    for name, settings in VARIANTS.items()
    if name not in {f"luong-{s}-{w}" for s in SCORES for w in WINDOWS}
    or name in ("luong-dot-global", "luong-additive-local-m", "luong-concat-local-p")
}


def vocabulary(words: str, lang: str = "de") -> Tokenizer:
    """A vocabulary of the special tokens and every letter of `words`."""
    return Tokenizer.train([" ".join(words)], lang, min_frequency=1)


@cache
def _vocabularies(targets: str) -> tuple[Tokenizer, Tokenizer]:
    return vocabulary("abcdefg", "de"), vocabulary(targets, "en")


def fitting(settings: dict) -> dict:
    """`settings` without the sizes (of `tiny`) that the chosen parts do not have."""
    order, score, window = (settings.get(name) for name in ("order", "score", "window"))
    there = {
        "half_width": "half_width" in WINDOWS.settings_class(window or "global").about(),
        "attention.score.hidden": "hidden" in SCORES.settings_class(score or "general").about(),
        "attentional": "attentional" in ORDERS.settings_class(order or "update-then-attend").about(),
    }
    return {name: value for name, value in settings.items() if there.get(name, True)}


def tiny(
    seed: int = 0,
    std: float = 0.7,
    targets: str = "nopqrstuv",
    name: str = "tiny",
    dtype: torch.dtype = torch.float64,
    **settings,
) -> Translator:
    """An untrained model with every parameter drawn from N(0, std), so that nothing is zero or uniform by accident.

    In float64, so that mathematically equal values agree to ten digits on every processor. float32 is for tests of
    training, files and the JSON of a record.
    """
    sizes = {
        "embedding": 5,
        "attention.score.hidden": 11,
        "attentional": 5 if settings.get("tied") else 2,
        "half_width": 1,
    }
    config = ModelConfig.of({"dropout": 0.0, "output_dropout": 0.0, "tied": False} | fitting(sizes | settings))
    return drawn(config, seed, std, targets, name, dtype)


def drawn(
    config: ModelConfig,
    seed: int = 0,
    std: float = 0.7,
    targets: str = "nopqrstuv",
    name: str = "tiny",
    dtype: torch.dtype = torch.float64,
) -> Translator:
    """As `tiny`, for a given config."""
    source, target = _vocabularies(targets)
    model = Translator(config, source, target, name).eval()
    dice = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=std, generator=dice)
    return model.to(dtype)


def sentences(*lengths: int, low: int = 4, high: int = 11, seed: int = 0) -> list[list[int]]:
    """Random sentences of ids, without special tokens."""
    dice = torch.Generator().manual_seed(seed)
    return [torch.randint(low, high, (n,), generator=dice).tolist() for n in lengths]


@cache
def golden(name: str) -> dict:
    """Reference numbers computed by other implementations."""
    return json.loads((GOLDENS / name).read_text("utf-8"))


def numbers(values: list, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    """Nested lists as a tensor; null (JSON has no NaN) becomes NaN."""

    def filled(x):
        return [filled(y) for y in x] if isinstance(x, list) else float("nan") if x is None else x

    return torch.tensor(filled(values), dtype=dtype)


# Tolerances for sums of a few dozen products of numbers of about 1, whose order depends on processor and library:
# about 80 roundings of float32 (eps 1.2e-7); for float64 (eps 2.2e-16) far more than occur.
ROUNDING = {torch.float32: 1e-5, torch.float64: 1e-10}


def close(
    found: torch.Tensor, wanted: torch.Tensor | list, atol: float | None = None, rtol: float | None = None
) -> None:
    """Assert equal shapes, values within `atol` + `rtol` * |wanted|, and no NaN.

    Without either, the tolerance is ROUNDING of found's dtype; with `atol` alone, `rtol` is 0.
    """
    if atol is None:
        atol = ROUNDING[found.dtype]
        rtol = atol if rtol is None else rtol
    torch.testing.assert_close(found, torch.as_tensor(wanted, dtype=found.dtype), atol=atol, rtol=rtol or 0.0)


def paper_gru(cell: GRUCell, shares: list[float], s: list[float]) -> list[float]:
    """Bahdanau 2015, A.1.1, in plain Python: z, r = sigmoid(W x + U s); s~ = tanh(W x + U [r * s]);
    (1 - z) s + z s~. `shares` are W_z x, W_r x and W x; with reset "after" s~ is tanh(W x + r * (U s + b)).
    """
    n = len(s)
    U_z, U_r = (part.tolist() for part in cell.U_gates.weight.detach().chunk(2))
    U, b = cell.U.weight.tolist(), ([0.0] * n if cell.U.bias is None else cell.U.bias.tolist())
    W_z, W_r, W = shares[:n], shares[n : 2 * n], shares[2 * n :]
    z = [_sigmoid(x + y) for x, y in zip(W_z, _product(U_z, s), strict=True)]
    r = [_sigmoid(x + y) for x, y in zip(W_r, _product(U_r, s), strict=True)]
    if cell.reset == "before":
        recurrent = _product(U, [x * y for x, y in zip(r, s, strict=True)])
    else:
        recurrent = [x * (y + c) for x, y, c in zip(r, _product(U, s), b, strict=True)]
    candidate = [math.tanh(x + y) for x, y in zip(W, recurrent, strict=True)]
    return [(1 - g) * old + g * new for g, old, new in zip(z, s, candidate, strict=True)]


def stack_cells(rnn: torch.nn.LSTM | torch.nn.GRU) -> list[torch.nn.LSTMCell | torch.nn.GRUCell]:
    """The layers of a stack of one direction as torch's cells, with its weights."""
    kind = torch.nn.LSTMCell if isinstance(rnn, torch.nn.LSTM) else torch.nn.GRUCell
    cells = []
    for layer in range(rnn.num_layers):
        end = f"_l{layer}"
        weights = {name.removesuffix(end): value for name, value in rnn.state_dict().items() if name.endswith(end)}
        cells.append(kind(weights["weight_ih"].size(1), rnn.hidden_size, bias=rnn.bias).double())
        cells[-1].load_state_dict(weights)
    return cells


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def _product(W: list[list[float]], x: list[float]) -> list[float]:
    return [sum(w * v for w, v in zip(row, x, strict=True)) for row in W]
