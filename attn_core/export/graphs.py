"""A torch module as a graph in JSON, through torch.export.

    inputs   names of the inputs; they are the values 0 to n - 1
    nodes    [operation, argument, ...]; node i is the value n + i
    outputs  name -> value
    limits   the largest size of an input's axis ("memory.keys/1"), or value of a number, that the graph allows
    when     inputs with a fixed value, if the graph is for this value only

An argument is a number, true, false, null, a list, "%7" (value 7), "$decoder.W_c.weight" (a weight of the model), or
"inf" and "-inf". Operations are those of ATen by name, without their variants: an argument may be a number or a tensor.
"""

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.export import Dim, ExportedProgram, export
from torch.export.graph_signature import InputKind

Inputs = dict[str, Any]  # Tensors, and ints
Encoded = Any  # what JSON can hold

_ATEN = torch.ops.aten
# Decomposed further, these would become several times as many operations.
_WHOLE = (_ATEN.linear.default, _ATEN.matmul.default, _ATEN.layer_norm.default)
_NOTHING = {"aten::clone", "aten::alias", "aten::detach", "aten::contiguous", "aten::lift_fresh_copy"}
_NUMBERS = {"sym_float": "sym.float", "add": "sym.add", "mul": "sym.mul", "sub": "sym.sub", "floordiv": "sym.floordiv"}
_KINDS = {torch.float32: "float", torch.int64: "int", torch.bool: "bool"}


@contextmanager
def quietly() -> Iterator[None]:
    """Without torch's warnings about its own use of what it deprecates."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"`isinstance\(treespec, LeafSpec\)` is deprecated", FutureWarning)
        yield


class Piece(nn.Module):
    """A function of named tensors and ints as a module, so that torch.export can trace it."""

    def __init__(self, model: nn.Module, names: Sequence[str], compute: Callable[[Inputs], dict[str, Tensor]]):
        super().__init__()
        self.model, self.names, self.compute = model, tuple(names), compute

    def forward(self, *values: Any) -> list[Tensor]:
        return list(self.compute(dict(zip(self.names, values, strict=True))).values())


@dataclass(frozen=True)
class Traced:
    """A piece as an exported program, with the names of its inputs and outputs."""

    program: ExportedProgram
    sample: Inputs
    axes: tuple[Any, ...]  # for each input its dynamic axes, as torch.export takes them
    outputs: tuple[str, ...]
    case: dict[str, int]  # the sizes of a special case


def traced(
    model: nn.Module,
    compute: Callable[[Inputs], dict[str, Tensor]],
    sample: Callable[..., Inputs],
    special: Sequence[Mapping[str, int]] = (),
) -> list[Traced]:
    """The programs of `compute`: one for all sizes, and one for each special case that it does not cover.

    `sample(**sizes)` makes inputs of some size. An axis whose length differs between its defaults and `sample(more=1)`
    is dynamic, and so is every int. `special` are sizes at which the code may branch, such as the first step, t = 0.
    """
    found: list[Traced] = []
    usual, larger = sample(), sample(more=1)
    for case in ({}, *special):
        inputs = sample(**case) if case else usual
        if not any(_covers(one, inputs) for one in found):
            fixed = {name: value for name, value in case.items() if name in inputs}
            found.append(_traced(model, compute, inputs, larger, fixed, case))
    return found


def _traced(
    model: nn.Module,
    compute: Callable[[Inputs], dict[str, Tensor]],
    inputs: Inputs,
    larger: Inputs,
    fixed: Mapping,
    case: Mapping[str, int],
) -> Traced:
    outputs: list[str] = []

    def noted(values: Inputs) -> dict[str, Tensor]:
        found = compute(values)
        outputs[:] = found
        return found

    axes = tuple(None if name in fixed else _dynamic(value, larger[name]) for name, value in inputs.items())
    piece = Piece(model, tuple(inputs), noted).eval()
    with torch.no_grad(), quietly():
        program = export(piece, tuple(inputs.values()), dynamic_shapes={"values": axes}, strict=False)
    return Traced(program, inputs, axes, tuple(outputs), dict(case))


def _dynamic(value: Any, larger: Any) -> Any:
    """The dynamic axes of an input; an axis of length 0 stays as it is, for a graph of the empty case."""
    if isinstance(value, int):
        return Dim.DYNAMIC
    if not isinstance(value, Tensor):
        return None
    sizes = enumerate(zip(value.shape, larger.shape, strict=True))
    return {axis: Dim.DYNAMIC for axis, (n, other) in sizes if n != other and n > 1} or None


def _symbols(traced: Traced) -> dict[Any, tuple[str, int | None]]:
    """The symbol of each dynamic axis and int, with the input's name and the axis (None for an int)."""
    found: dict[Any, tuple[str, int | None]] = {}
    for name, node in zip(traced.sample, user_inputs(traced.program), strict=True):
        value = node.meta.get("val")
        if isinstance(value, torch.SymInt):
            found.setdefault(value.node.expr, (name, None))
        elif isinstance(value, Tensor):
            for axis, size in enumerate(value.shape):
                if isinstance(size, torch.SymInt):
                    found.setdefault(size.node.expr, (name, axis))
    return found


def user_inputs(program: ExportedProgram) -> list[torch.fx.Node]:
    specs = program.graph_signature.input_specs
    placeholders = [node for node in program.graph.nodes if node.op == "placeholder"]
    return [node for node, spec in zip(placeholders, specs, strict=True) if spec.kind is InputKind.USER_INPUT]


def _covers(traced: Traced, inputs: Inputs) -> bool:
    """Whether the code takes the same branches for `inputs` as when it was traced."""
    for own, axes, value in zip(traced.sample.values(), traced.axes, inputs.values(), strict=True):
        if isinstance(own, Tensor):
            sizes = enumerate(zip(own.shape, value.shape, strict=True))
            if any(n != other for axis, (n, other) in sizes if axis not in (axes or ())):
                return False
        elif axes is None and own != value:
            return False
    symbols = _symbols(traced)
    values = {one: _size(inputs[name], axis) for one, (name, axis) in symbols.items()}
    example = next(node.meta["val"] for node in traced.program.graph.nodes if isinstance(node.meta.get("val"), Tensor))
    guards = [guard.expr for guard in example.fake_mode.shape_env.guards]
    return all(bool(guard.subs(values)) for guard in guards if guard.free_symbols <= values.keys())


def _size(value: Any, axis: int | None) -> int:
    return int(value if axis is None else value.shape[axis])


def as_json(traced: Traced) -> dict[str, Encoded]:
    """The graph of a program."""
    limits = {}
    for symbol, (name, axis) in _symbols(traced).items():
        bounds = traced.program.range_constraints.get(symbol)
        if bounds is not None and bounds.upper.is_Integer:
            limits[name if axis is None else f"{name}/{axis}"] = int(bounds.upper)
    table = torch.export.default_decompositions()
    for one in _WHOLE:
        table.pop(one, None)
    with quietly():
        program = traced.program.run_decompositions(table)
    writer = _Writer(program, traced.outputs)
    graph: dict[str, Encoded] = {"inputs": list(traced.sample), "nodes": writer.nodes, "outputs": writer.outputs}
    return graph | ({"limits": limits} if limits else {}) | ({"when": traced.case} if traced.case else {})


class _Writer:
    """The nodes of an exported program that its outputs depend on, numbered in their order."""

    def __init__(self, program: ExportedProgram, outputs: Sequence[str]):
        self.value: dict[torch.fx.Node, str] = {}
        self.nodes: list[Encoded] = []
        specs = program.graph_signature.input_specs
        placeholders = [node for node in program.graph.nodes if node.op == "placeholder"]
        for node, spec in zip(placeholders, specs, strict=True):
            if spec.kind is InputKind.PARAMETER:
                self.value[node] = "$" + str(spec.target).removeprefix("model.")
        self.count = len(user_inputs(program))
        for place, node in enumerate(user_inputs(program)):
            self.value[node] = f"%{place}"
        for node, spec in zip(placeholders, specs, strict=True):
            if spec.kind in (InputKind.CONSTANT_TENSOR, InputKind.BUFFER):
                held = program.constants if spec.kind is InputKind.CONSTANT_TENSOR else program.state_dict
                self._add(node, ["constant", held[str(spec.target)].tolist()])
        last = next(node for node in program.graph.nodes if node.op == "output")
        needed = _needed(last)
        for node in program.graph.nodes:
            if node in needed and node.op == "call_function":
                self._call(node)
        self.outputs = {name: self.encode(node) for name, node in zip(outputs, last.args[0], strict=True)}

    def _add(self, node: torch.fx.Node, encoded: list[Encoded]) -> None:
        self.value[node] = f"%{self.count + len(self.nodes)}"
        self.nodes.append(encoded)

    def _call(self, node: torch.fx.Node) -> None:
        target: Any = node.target
        name = target.__name__
        if not isinstance(target, torch._ops.OpOverload):
            operation = "item" if name == "getitem" else _NUMBERS.get(name)
            if operation is None:
                raise ValueError(f"the export of a model cannot represent {name} of sizes")
            self._add(node, [operation, *map(self.encode, node.args)])
            return
        schema = target._schema
        if schema.name == "aten::_to_copy":
            self._convert(node)
        elif schema.name in _NOTHING:
            self.value[node] = self.encode(node.args[0])
        else:
            short = schema.name.removeprefix("aten::").removeprefix("sym_size")
            _check_bools(node, schema.name)
            self._add(node, [short or "sym.size", *self._arguments(node, schema.arguments)])

    def _convert(self, node: torch.fx.Node) -> None:
        """The engine has numbers only: true and false are 1 and 0, so a conversion to float changes nothing."""
        before, after = (_KINDS[one.meta["val"].dtype] for one in (node.all_input_nodes[0], node))
        if after == "float" or before in (after, "bool"):
            self.value[node] = self.encode(node.args[0])
        else:
            self._add(node, ["trunc" if after == "int" else "bool", self.encode(node.args[0])])

    def _arguments(self, node: torch.fx.Node, schema: Sequence[Any]) -> list[Encoded]:
        """All arguments in the order of the schema, without defaults at the end and without dtypes and the like."""
        found = []
        for place, one in enumerate(schema):
            given = place < len(node.args) or one.name in node.kwargs
            value = node.args[place] if place < len(node.args) else node.kwargs.get(one.name, one.default_value)
            if one.name not in ("dtype", "layout", "device", "pin_memory", "memory_format", "generator"):
                found.append((self.encode(value), given))
        while found and not found[-1][1]:
            found.pop()
        return [value for value, _ in found]

    def encode(self, value: Any) -> Encoded:
        if isinstance(value, torch.fx.Node):
            return self.value[value]
        if isinstance(value, list | tuple):
            return [self.encode(one) for one in value]
        if isinstance(value, float) and math.isinf(value):
            return "inf" if value > 0 else "-inf"
        return value if value is None or isinstance(value, bool | int | float) else str(value)


def _needed(last: torch.fx.Node) -> set[torch.fx.Node]:
    """The nodes that `last` depends on."""
    found: set[torch.fx.Node] = set()
    todo = [last]
    while todo:
        node = todo.pop()
        if node not in found:
            found.add(node)
            todo += node.all_input_nodes
    return found


def _check_bools(node: torch.fx.Node, name: str) -> None:
    """Raise ValueError for an operation on the bits of integers, which the engine does not have."""
    if name.startswith("aten::bitwise"):
        for one in node.all_input_nodes:
            value = one.meta.get("val")
            if isinstance(value, Tensor) and value.dtype is not torch.bool:
                raise ValueError(f"the export of a model cannot represent {name.removeprefix('aten::')} of integers")
