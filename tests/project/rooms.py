"""The rooms of the project and the imports between them; `python -m tests.project.rooms` prints them.

A room is a folder or file with Python code directly inside `attn_core` or `app`. A room has an edge to each room that
it imports from: at the top of a file, inside a function, by `registry.load("module:name")`, or for the type checker
only. The layer of a room is the length of the longest chain of edges that starts there; a room without imports from
others is in layer 1. `from attn_core import load` counts as an import from the module that defines `load`. Members of
a registry do not count as edges, since they are loaded on first use. Between modules, imports for the type checker do
not count, because types may refer to each other in cycles.
"""

import ast
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("attn_core", "app")

Graph = Mapping[str, set[str]]


@dataclass(frozen=True)
class ImportGraph:
    """The imports between modules and between rooms. Every name is a key, and no name imports from itself."""

    modules: Graph  # without imports for the type checker and by `registry.load`
    every: Graph  # between modules, with those imports
    rooms: Graph
    room_by_module: Mapping[str, str]

    def why(self, room: str, other: str) -> list[str]:
        """The imports behind an edge between rooms, as `module -> module`."""
        return [
            f"{here} -> {there}"
            for here in sorted(self.every)
            for there in sorted(self.every[here])
            if (self.room_by_module[here], self.room_by_module[there]) == (room, other)
        ]


def module_name(path: Path, root: Path = ROOT) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    """The room of a module: attn_core.models for attn_core.models.config; attn_core and app are rooms themselves."""
    return ".".join(module.split(".")[:2])


def type_checking(tree: ast.Module) -> set[ast.AST]:
    """The syntax nodes inside `if TYPE_CHECKING`."""
    checks = [node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)]
    return {node for check in checks for statement in check.body for node in ast.walk(statement)}


def loads(tree: ast.Module) -> set[str]:
    """The modules that `registry.load` loads by a literal name."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    names = [node.args[0] for node in calls if ast.unparse(node.func) in ("load", "registry.load")]
    return {str(name.value).split(":")[0] for name in names if isinstance(name, ast.Constant)}


def imports(path: Path, known: Mapping[str, Path], root: Path = ROOT, every: bool = True) -> set[str]:
    """The `known` modules that a file imports anywhere. `from a import b` counts as a.b if that is a module.

    Without `every`, imports for the type checker and by `registry.load` are ignored.
    """
    tree = ast.parse(path.read_text("utf-8"))
    left_out = set() if every else type_checking(tree)
    here = module_name(path, root).split(".")
    folder = here if path.name == "__init__.py" else here[:-1]
    found = set(lazy_names(path, known, root).values())
    found |= loads(tree) if every else set()
    for node in ast.walk(tree):
        if node in left_out:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = folder[: len(folder) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            homes = lazy_names(known[base], known, root) if base in known else {}
            names = {alias.name for alias in node.names}
            found |= {name if (name := f"{base}.{one}") in known else homes.get(one, base) for one in names}
    return (found & known.keys()) - {".".join(here)}


@cache
def _strings(path: Path) -> dict[str, str]:
    """The string-to-string dictionaries of a file that defines `__getattr__`."""
    tree = ast.parse(path.read_text("utf-8"))
    if not any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body):
        return {}
    tables = [node.value for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    pairs = [
        pair for table in tables if isinstance(table, ast.Dict) for pair in zip(table.keys, table.values, strict=True)
    ]
    constants = [(k.value, v.value) for k, v in pairs if isinstance(k, ast.Constant) and isinstance(v, ast.Constant)]
    return {k: v for k, v in constants if isinstance(k, str) and isinstance(v, str)}


def lazy_names(path: Path, known: Iterable[str], root: Path = ROOT) -> dict[str, str]:
    """Name -> defining module, for the names that a file's `__getattr__` imports on first use."""
    here = module_name(path, root)
    found = {}
    for name, home in _strings(path).items():
        for module in (home, f"{here}.{home}"):
            if module in known:
                found[name] = module
    return found


def has_code(path: Path) -> bool:
    return any(not isinstance(node, ast.Expr) for node in ast.parse(path.read_text("utf-8")).body)


@cache
def import_graph(root: Path = ROOT) -> ImportGraph:
    """The imports of the files under `root`. An `__init__.py` with only a docstring is ignored."""
    paths = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
    files = {module_name(path, root): path for path in paths if path.name != "__init__.py" or has_code(path)}
    modules = {name: imports(path, files, root, every=False) for name, path in files.items()}
    every = {name: imports(path, files, root) for name, path in files.items()}
    room_by_module = {name: room_of(name) for name in files}
    rooms: dict[str, set[str]] = {room: set() for room in room_by_module.values()}
    for name, targets in every.items():
        rooms[room_by_module[name]] |= {room_by_module[target] for target in targets} - {room_by_module[name]}
    return ImportGraph(modules, every, rooms, room_by_module)


def strongly_connected(graph: Graph) -> list[list[str]]:
    """Groups of two or more names that import each other in cycles (Tarjan's algorithm)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in order:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            start = stack.index(name)
            found.append(sorted(stack[start:]))
            del stack[start:]

    for name in sorted(graph):
        if name not in order:
            visit(name)
    return [group for group in found if len(group) > 1]


def shortest_cycle(graph: Graph, group: list[str]) -> list[str]:
    """A shortest cycle through the first name of a strongly connected group; that name is at both ends."""
    paths = [[group[0]]]
    seen = set()
    while paths:
        path = paths.pop(0)
        for other in sorted(graph[path[-1]] & set(group)):
            if other == group[0]:
                return [*path, other]
            if other not in seen:
                seen.add(other)
                paths.append([*path, other])
    raise ValueError(f"{group} is not strongly connected")


def longest(graph: Graph) -> dict[str, list[str]]:
    """Name -> the longest chain of imports that starts there. A strongly connected group counts as its first name."""
    head = {name: name for name in graph} | {name: group[0] for group in strongly_connected(graph) for name in group}
    down: dict[str, set[str]] = {}
    for name, targets in graph.items():
        down.setdefault(head[name], set()).update(head[target] for target in targets)
    chains: dict[str, list[str]] = {}

    def chain(name: str) -> list[str]:
        if name not in chains:
            below = [chain(other) for other in sorted(down[name] - {name})]
            chains[name] = [name, *max(below, key=len, default=[])]
        return chains[name]

    return {name: chain(head[name]) for name in graph}


def cycles(graph: Graph) -> list[str]:
    return [" -> ".join(shortest_cycle(graph, group)) for group in strongly_connected(graph)]


def main() -> int:
    built = import_graph()
    chains = longest(built.rooms)
    layers: dict[int, list[str]] = {}
    for room, chain in chains.items():
        layers.setdefault(len(chain), []).append(room)
    print(f"{len(built.rooms)} rooms in {max(layers)} layers")
    for layer in sorted(layers, reverse=True):
        print(f"\n{layer:>2}")
        for room in sorted(layers[layer]):
            size = sum(home == room for home in built.room_by_module.values())
            targets = ", ".join(sorted(built.rooms[room])) or "none"
            print(f"    {room} ({size} {'file' if size == 1 else 'files'}) -> {targets}")
    print("\nThe longest chain:", " -> ".join(max(chains.values(), key=len)))
    for title, graph in (("rooms", built.rooms), ("modules", built.modules)):
        for group in strongly_connected(graph):
            print(f"\nCircular imports between {title} {', '.join(group)}:")
            for one in group:
                for other in sorted(graph[one] & set(group)):
                    print(f"    {one} -> {other}")
                    if title == "rooms":
                        print(*(f"        {line}" for line in built.why(one, other)), sep="\n")
    return int(bool(strongly_connected(built.rooms) or strongly_connected(built.modules)))


if __name__ == "__main__":
    sys.exit(main())
