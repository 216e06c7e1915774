"""Every operation of the browser's engine against torch, on random shapes and on awkward ones."""

import math

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from tests.helpers.engine import UNIFORM
from tests.helpers.support import close

aten = torch.ops.aten


def drawn(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape) + 7 * len(shape)))


def shapes():
    """Tensors of several shapes: ordinary, of one element, without axes, empty, transposed, sliced, repeated, flat."""
    return {
        "ordinary": drawn(2, 3, 5),
        "one": drawn(1, 1),
        "scalar": drawn(),
        "empty": drawn(2, 0, 3),
        "transposed": drawn(3, 7).T,
        "sliced": drawn(5, 9)[1:4, 2:9:3],
        "repeated": drawn(3, 1).expand(3, 4),
        "permuted": drawn(2, 3, 5).permute(2, 0, 1),
    }


def pairs():
    """Two tensors that broadcast to one shape."""
    return {
        "same": (drawn(3, 5), drawn(3, 5) + 1),
        "row": (drawn(2, 3, 5), drawn(5)),
        "column": (drawn(3, 1), drawn(2, 3, 5)),
        "scalar": (drawn(3, 5), drawn()),
        "outer": (drawn(7, 1), drawn(1, 3)),
        "transposed": (drawn(5, 3).T, drawn(3, 5)),
        "one": (drawn(1), drawn(1)),
        "empty": (drawn(0, 5), drawn(5)),
        "number": (drawn(3, 5), 0.7),
    }


UNARY = {
    **{name: getattr(torch, name) for name in ("abs", "ceil", "cos", "erf", "exp", "expm1", "floor", "isinf", "isnan")},
    **{name: getattr(torch, name) for name in ("neg", "reciprocal", "relu", "round", "sigmoid", "sign", "sin", "tanh")},
    "trunc": torch.trunc,
    "copy": torch.clone,
    "logical_not": torch.logical_not,
    "bool": lambda x: x.bool(),
    "gelu": F.gelu,
    "zeros_like": torch.zeros_like,
    "ones_like": torch.ones_like,
    "empty_like": torch.zeros_like,  # whose numbers are not set; here they are 0
}
POSITIVE = {name: getattr(torch, name) for name in ("log", "log1p", "log2", "rsqrt", "sqrt")}
BINARY = {
    **{name: getattr(torch, name) for name in ("add", "sub", "mul", "div", "eq", "ne", "lt", "le", "gt", "ge")},
    "remainder": torch.remainder,
    "fmod": torch.fmod,
}
OF_TENSORS = {name: getattr(torch, name) for name in ("atan2", "maximum", "minimum")}
LOGICAL = {name: getattr(torch, name) for name in ("logical_and", "logical_or", "logical_xor")}
BITS = {name: getattr(torch, name) for name in ("bitwise_and", "bitwise_or", "bitwise_xor")}
REDUCED = {
    **{name: getattr(torch, name) for name in ("amax", "amin", "logsumexp", "mean", "sum")},
    "all": torch.all,
    "any": torch.any,
}


def cases():
    """(operation, where, arguments, torch's result)."""
    for where, x in shapes().items():
        for name, f in UNARY.items():
            yield name, where, [x], f(x)
        for name, f in POSITIVE.items():
            yield name, where, [x.abs()], f(x.abs())
        yield "bitwise_not", where, [(x > 0).float()], ~(x > 0)
        yield "clamp", where, [x, -0.5, 0.8], x.clamp(-0.5, 0.8)
        yield "clamp", f"{where} from below", [x, -0.5], x.clamp(min=-0.5)
        yield "clamp_min", where, [x, 0.1], x.clamp_min(0.1)
        yield "clamp_max", where, [x, 0.1], x.clamp_max(0.1)
        yield "pow", where, [x, 2], x**2
        yield "pow", f"{where} to 0.5", [x.abs(), 0.5], x.abs() ** 0.5
        yield "full_like", where, [x, 3], torch.full_like(x, 3)
        yield "view", where, [x, [-1] if x.numel() else [0]], x.reshape(-1)
        yield (
            "repeat",
            where,
            [x, [2, *[1] * (x.dim() - 1), 3][-max(x.dim(), 1) :]],
            x.repeat([2, *[1] * (x.dim() - 1), 3][-max(x.dim(), 1) :]),
        )
    yield "gelu", "tanh", [drawn(7), "tanh"], F.gelu(drawn(7), approximate="tanh")
    yield "round", "halves", [torch.tensor([0.5, 1.5, 2.5, -0.5, -1.5])], torch.tensor([0.0, 2.0, 2.0, 0.0, -2.0])
    for where, (x, y) in pairs().items():
        for name, f in BINARY.items():
            yield name, where, [x, y], f(x, y)
        if isinstance(y, Tensor):
            for name, f in OF_TENSORS.items():
                yield name, where, [x, y], f(x, y)
            yield "pow", where, [x.abs(), y], x.abs() ** y
            yield "clamp", f"{where}, tensors", [x, y - 1, y], x.clamp(y - 1, y)
        y = y if isinstance(y, Tensor) else torch.tensor(y)
        for name, f in (LOGICAL | BITS).items():
            yield name, where, [(x > 0).float(), (y > 0).float()], f(x > 0, y > 0)
        yield "where", where, [(x > 0).float(), x, y], torch.where(x > 0, x, y)
    yield "where", "number", [(drawn(3) > 0).float(), 1.5, drawn(3)], torch.where(drawn(3) > 0, 1.5, drawn(3))
    yield "add", "alpha", [drawn(3), drawn(3), 2.5], torch.add(drawn(3), drawn(3), alpha=2.5)
    yield "sub", "number first", [2.0, drawn(3)], 2.0 - drawn(3)
    for mode in ("floor", "trunc"):
        yield "div", mode, [drawn(5) * 4, 1.5, mode], torch.div(drawn(5) * 4, 1.5, rounding_mode=mode)
    rate = [-math.log(u) / 2 for u in UNIFORM[:6]]
    yield "exponential", "rate 2", [drawn(2, 3), 2.0], torch.tensor(rate).reshape(2, 3)
    yield from reductions()
    yield from rows()
    yield from products()
    yield from views()
    yield from indexed()


def reductions():
    for where, x in {"ordinary": drawn(2, 3, 5), "sliced": drawn(5, 9)[1:4, 2:9:3], "one": drawn(1, 1)}.items():
        for dim in (0, -1):
            for keep in (False, True):
                for name, f in REDUCED.items():
                    yield name, f"{where} {dim} {keep}", [x, [dim], keep], f(x, dim=dim, keepdim=keep)
                for name in ("argmax", "argmin"):
                    yield name, f"{where} {dim} {keep}", [x, dim, keep], getattr(torch, name)(x, dim, keep)
                yield "max", f"{where} {dim} {keep}", [x, dim, keep], x.max(dim, keep)
                yield "min", f"{where} {dim} {keep}", [x, dim, keep], x.min(dim, keep)
        yield "sum", f"{where}, all", [x], x.sum()
        yield "max", f"{where}, all", [x], x.max()
        yield "prod", f"{where}, all", [x], x.prod()
        yield "mean", f"{where}, all", [x], x.mean()
        yield "argmax", f"{where}, all", [x], x.argmax()
        yield "linalg_vector_norm", where, [x, 2, [-1], True], torch.linalg.vector_norm(x, 2, -1, True)
        yield "linalg_vector_norm", f"{where} 3", [x, 3], torch.linalg.vector_norm(x, 3)
    x = drawn(2, 3, 5)
    yield "sum", "two axes", [x, [0, 2]], x.sum((0, 2))
    yield "sum", "empty", [drawn(3, 0), [1]], drawn(3, 0).sum(1)
    yield "var", "unbiased", [x, [1], 1, True], x.var(1, keepdim=True)
    yield "var", "biased", [x, [0, 2], 0], x.var((0, 2), correction=0)
    yield "argmax", "ties", [torch.tensor([1.0, 3.0, 3.0, 2.0])], torch.tensor(1)


def rows():
    lowest = torch.finfo(torch.float32).min
    for where, x in {
        "ordinary": drawn(2, 3, 5),
        "one": drawn(1, 1),
        "scalar": drawn(),
        "masked": torch.tensor([[lowest, 1.0, 2.0], [lowest, lowest, lowest]]),
        "large": drawn(3, 7) * 200,
        "transposed": drawn(3, 7).T,
    }.items():
        for dim in (0, -1):
            yield "_softmax", f"{where} {dim}", [x, dim, False], x.softmax(dim)
            yield "_log_softmax", f"{where} {dim}", [x, dim, False], x.log_softmax(dim)
            if where != "masked":
                yield "cumsum", f"{where} {dim}", [x, dim], x.cumsum(dim)
            for down in (False, True):
                yield (
                    "sort",
                    f"{where} {dim} {down}",
                    [x, dim, down],
                    tuple(x.sort(dim=dim, descending=down, stable=True)),
                )
                yield (
                    "sort",
                    f"stable {where} {dim} {down}",
                    [x, True, dim, down],
                    tuple(x.sort(dim=dim, descending=down, stable=True)),
                )
    yield "topk", "3 of 7", [drawn(2, 7), 3], drawn(2, 7).topk(3)
    x, weight, bias = drawn(2, 3, 5), drawn(5), drawn(1, 5)[0]
    yield "layer_norm", "ordinary", [x, [5], weight, bias, 1e-5], F.layer_norm(x, [5], weight, bias)
    yield "layer_norm", "without weights", [x, [5]], F.layer_norm(x, [5])
    yield "native_layer_norm", "ordinary", [x, [5], weight, bias, 1e-3], [F.layer_norm(x, [5], weight, bias, 1e-3)]


def products():
    for where, n, size, out in (("ordinary", 3, 37, 5), ("one", 1, 1, 1), ("wide", 1, 64, 3), ("empty", 0, 7, 2)):
        x, w, b = drawn(n, size), drawn(out, size), drawn(out)
        yield "linear", where, [x, w, b], F.linear(x, w, b)
        yield "linear", f"{where}, no bias", [x, w], F.linear(x, w)
        yield "linear", f"{where}, transposed", [x, drawn(size, out).T], F.linear(x, drawn(size, out).T)
        yield (
            "linear",
            f"{where}, part of a matrix",
            [x, drawn(out, size + 4)[:, 3:-1]],
            F.linear(x, drawn(out, size + 4)[:, 3:-1]),
        )
        yield "mm", where, [x, w.T], x @ w.T
        yield "mm", f"{where}, packed", [x, w.T.contiguous()], x @ w.T
        yield (
            "mm",
            f"{where}, both transposed",
            [drawn(size, n).T, drawn(size, out)],
            drawn(size, n).T @ drawn(size, out),
        )
        yield "addmm", where, [b, x, w.T, 0.5, 2], torch.addmm(b, x, w.T, beta=0.5, alpha=2)
        yield "mv", where, [x, drawn(size)], x @ drawn(size)
    for where, a, b in (
        ("batches", drawn(2, 3, 5), drawn(2, 5, 7)),
        ("keys", drawn(2, 1, 5), drawn(2, 7, 5).mT),
        ("one matrix for all", drawn(2, 3, 5), drawn(5, 7)),
        ("broadcast batches", drawn(2, 1, 3, 5), drawn(4, 5, 7)),
        ("vector last", drawn(2, 3, 5), drawn(5)),
        ("vector first", drawn(5), drawn(5, 3)),
        ("vectors", drawn(5), drawn(5)),
        ("heads", drawn(1, 4, 3, 5).transpose(1, 2), drawn(1, 3, 5, 7)),
        ("heads as they were split", drawn(1, 3, 4, 5).transpose(1, 2), drawn(1, 3, 4, 5).transpose(1, 2).mT),
        ("size 1", drawn(2, 3, 1), drawn(2, 1, 4)),
        ("one column", drawn(3, 5), drawn(5, 1)),
        ("every second column", drawn(3, 5), drawn(5, 8)[:, ::2]),
    ):
        yield "matmul", where, [a, b], a @ b
    yield "bmm", "batches", [drawn(2, 3, 5), drawn(2, 5, 7)], drawn(2, 3, 5) @ drawn(2, 5, 7)
    yield "dot", "vectors", [drawn(5), drawn(5)], drawn(5) @ drawn(5)
    for length, width, padding, step, apart in ((6, 3, 1, 1, 1), (1, 3, 1, 1, 1), (9, 5, 0, 2, 1), (9, 3, 2, 1, 2)):
        x, w, b = drawn(1, 4, length), drawn(5, 4, width), drawn(5)
        wanted = F.conv1d(x, w, b, step, padding, apart)
        rest = [[step], [padding], [apart], False, [0], 1]
        yield "convolution", f"{length} {width}", [x, w, b, *rest], wanted
        yield (
            "convolution",
            f"{length} {width}, transposed",
            [drawn(1, length, 4).mT, w, None, *rest],
            F.conv1d(drawn(1, length, 4).mT, w, None, step, padding, apart),
        )


def views():
    x = drawn(2, 3, 4)
    yield "permute", "", [x, [2, 0, 1]], x.permute(2, 0, 1)
    yield "t", "", [drawn(3, 4)], drawn(3, 4).t()
    yield "transpose", "", [x, 0, -1], x.transpose(0, -1)
    for name in ("view", "_unsafe_view", "reshape"):
        yield name, "", [x, [6, 4]], x.view(6, 4)
        yield name, "-1", [x.permute(2, 0, 1), [4, -1]], x.permute(2, 0, 1).reshape(4, -1)
    for where, args in {"": [1, 0, 2], "negative": [-1, -3, -1], "step": [2, 0, 9223372036854775807, 2]}.items():
        yield "slice", where, [x, *args], aten.slice(x, *args)
    yield "slice", "empty", [x, 1, 2, 1], x[:, 2:1]
    yield "select", "", [x, 1, -1], x.select(1, -1)
    yield "squeeze", "one axis", [drawn(1, 3, 1), [0]], drawn(1, 3, 1).squeeze(0)
    yield "squeeze", "not of length 1", [drawn(1, 3, 1), [1]], drawn(1, 3, 1)
    yield "squeeze", "all", [drawn(1, 3, 1)], drawn(3).new_tensor(drawn(1, 3, 1).flatten().tolist())
    yield "unsqueeze", "", [x, -1], x.unsqueeze(-1)
    yield "expand", "", [drawn(3, 1), [2, -1, 4]], drawn(3, 1).expand(2, 3, 4)
    yield "split_with_sizes", "", [x, [1, 3], -1], x.split([1, 3], -1)
    yield "split", "", [drawn(7), 3], drawn(7).split(3)
    yield "unbind", "", [x, 1], x.unbind(1)
    yield "item", "", [[drawn(2), drawn(3)], 1], drawn(3)
    yield "cat", "last axis", [[x, drawn(2, 3, 5)], -1], torch.cat([x, drawn(2, 3, 5)], -1)
    yield "cat", "strided", [[x.mT, x.mT], 1], torch.cat([x.mT, x.mT], 1)
    yield "cat", "one is empty", [[drawn(1, 0, 3), drawn(1, 2, 3)], 1], drawn(1, 2, 3)
    yield "cat", "one", [[x], 0], x
    yield "stack", "", [[x, x + 1], -1], torch.stack([x, x + 1], -1)
    yield "flip", "", [x, [0, 2]], x.flip(0, 2)
    yield "constant_pad_nd", "", [x, [1, 2, 0, 1], 0.5], F.pad(x, [1, 2, 0, 1], value=0.5)
    yield "constant_pad_nd", "cut", [x, [-1, 2]], F.pad(x, [-1, 2])
    yield "arange", "", [2, 7, 2], torch.arange(2, 7, 2)
    yield "arange", "end only", [5], torch.arange(5)
    yield "full", "", [[2, 3], 0.5], torch.full((2, 3), 0.5)
    yield "full", "infinite", [[2], "-inf"], torch.full((2,), -math.inf)
    yield "empty", "", [[2, 3]], torch.zeros(2, 3)
    yield "empty_permuted", "", [[2, 3], [1, 0]], torch.zeros(2, 3)
    yield "scalar_tensor", "", [2.5], torch.tensor(2.5)
    yield "constant", "", [[[1, 2], [3, 4]]], torch.tensor([[1, 2], [3, 4]])
    yield "broadcast_tensors", "", [[drawn(3, 1), drawn(4)]], torch.broadcast_tensors(drawn(3, 1), drawn(4))
    yield "sym.size", "", [x, -1], 4
    for name, wanted in {"sym.add": 9, "sym.mul": 14, "sym.sub": 5, "sym.floordiv": 3}.items():
        yield name, "", [7, 2], wanted
    yield "sym.float", "", [3], 3


def indexed():
    table, ids = drawn(7, 3), torch.tensor([[6, 0], [2, 2]])
    yield "embedding", "", [table, ids.float()], F.embedding(ids, table)
    yield "embedding", "no words", [table, torch.zeros(1, 0)], torch.zeros(1, 0, 3)
    x, chosen = drawn(2, 3, 5), torch.tensor([2, 0, 2])
    yield "index_select", "", [x, 1, chosen.float()], x.index_select(1, chosen)
    yield "index", "", [x, [None, chosen.float()]], x[:, chosen]
    places = torch.tensor([[[1, 0, 2, 2]], [[0, 1, 1, 0]]])
    yield "gather", "", [x, 1, places.float()], x.gather(1, places)
    turned = drawn(2, 5, 3).mT
    yield "gather", "strided", [turned, 1, places.float()], turned.gather(1, places)
    yield (
        "scatter",
        "a number",
        [torch.zeros(2, 3, 5), 1, places.float(), 1.0],
        torch.zeros(2, 3, 5).scatter(1, places, 1.0),
    )
    source = drawn(2, 1, 4)
    one = torch.tensor([[[4, 0, 2, 1]], [[0, 3, 1, 2]]])
    yield "scatter", "a tensor", [x, 2, one.float(), source], x.scatter(2, one, source)


CASES = list(cases())


def written(arg):
    """An argument for engine_probe.js: a tensor's whole storage, and how the tensor lies in it."""
    if isinstance(arg, list):
        return [written(one) for one in arg]
    if not isinstance(arg, Tensor):
        return arg
    whole = torch.empty(0).set_(arg.untyped_storage())
    data = [x if math.isfinite(x) else str(x) for x in whole.tolist()]
    return {"data": data, "shape": list(arg.shape), "strides": list(arg.stride()), "offset": arg.storage_offset()}


@pytest.fixture(scope="module", params=[True, False], ids=["wasm", "javascript"])
def results(request, probe):
    """The engine's results of all cases, with and without WebAssembly."""
    given = [{"name": name, "args": written(args)} for name, _, args, _ in CASES]
    return probe("operations", {"cases": given, "simd": request.param, "uniform": UNIFORM})


def compare(found, wanted, label):
    if isinstance(wanted, Tensor):
        assert found["shape"] == list(wanted.shape), label
        numbers = torch.tensor([float(str(x).replace("Infinity", "inf")) for x in found["data"]]).reshape(wanted.shape)
        same = (numbers == wanted.float()) | (numbers - wanted.float()).isnan()  # infinities
        try:
            close(numbers.masked_fill(same, 0.0), wanted.float().masked_fill(same, 0.0))
        except AssertionError as error:
            raise AssertionError(f"{label}: {error}") from None
    elif isinstance(wanted, int | float):
        assert found == wanted, label
    else:
        for one, other in zip(found, wanted, strict=True):
            compare(one, other, label)


@pytest.mark.parametrize("name", sorted({name for name, *_ in CASES}))
def test_an_operation_equals_torch(results, name):
    for found, (operation, where, _, wanted) in zip(results, CASES, strict=True):
        if operation == name:
            compare(found, wanted, f"{name} {where}")


def test_every_operation_has_a_case(probe):
    assert {name for name, *_ in CASES} == {*probe("available")}


def test_an_unknown_operation_is_named_with_the_model(probe):
    unknown = {"cases": [{"name": "toString", "args": []}]}
    assert probe.failure("operations", unknown) == "test uses the operation toString, which is not available here"
