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

import networkx as nx

from attn_core.browser.bundle import imported, vendored

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


def script_graph(root: Path = ROOT) -> tuple[Graph, Graph]:
    """The imports between modules of JavaScript, and between their rooms: the folders of `app` and `browser`."""
    paths = [path for package in PACKAGES for path in sorted((root / package).rglob("*.js")) if not vendored(path)]
    modules = {path: {other for other in imported(path) if not vendored(other)} for path in paths}
    rooms: dict[str, set[str]] = {_script_room(path, root): set() for path in paths}
    for path, others in modules.items():
        here = _script_room(path, root)
        rooms[here] |= {_script_room(other, root) for other in others} - {here}
    return {str(path): {str(other) for other in others} for path, others in modules.items()}, rooms


def _script_room(path: Path, root: Path) -> str:
    parts = path.relative_to(root).parts
    return "/".join(parts[: 3 if parts[0] == "attn_core" else 2])


def cycles(graph: Graph) -> list[str]:
    """A shortest cycle through the first name of each group of names that import each other in cycles."""
    drawn = nx.from_dict_of_lists(graph, create_using=nx.DiGraph)
    found = []
    for group in nx.strongly_connected_components(drawn):
        first, inside = min(group), drawn.subgraph(group)
        ways = [[first, *nx.shortest_path(inside, other, first)] for other in sorted(inside[first])]
        found += [" -> ".join(min(ways, key=len))] if len(group) > 1 else []
    return sorted(found)


def longest(graph: Graph) -> dict[str, list[str]]:
    """Name -> the longest chain of imports that starts there. Names that import each other in cycles count as one."""
    groups = nx.condensation(nx.from_dict_of_lists(graph, create_using=nx.DiGraph))
    chains: dict[int, list[str]] = {}
    for group in reversed(list(nx.topological_sort(groups))):
        below = [chains[other] for other in sorted(groups[group])]
        chains[group] = [min(groups.nodes[group]["members"]), *max(below, key=len, default=[])]
    return {name: chains[group] for name, group in groups.graph["mapping"].items()}


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
    scripts, script_rooms = script_graph()
    print("\nJavaScript")
    for room, targets in sorted(script_rooms.items()):
        print(f"    {room} -> {', '.join(sorted(targets)) or 'none'}")
    circles = [circle for graph in (built.rooms, built.modules, script_rooms, scripts) for circle in cycles(graph)]
    for circle in circles:
        print("\nCircular imports:", circle)
    return int(bool(circles))


if __name__ == "__main__":
    sys.exit(main())
