"""The rooms of the project and the imports between them; `make rooms` prints them.

A room is a folder or a file directly inside `attn_core` or `app` that holds Python. An arrow leads from a room to
another one that it imports from: at the top of a file, inside a function, by `registry.load("module:name")`, or for the
type checker alone. The longest chain of arrows decides the floor of a room, and a room that imports from no other is on
the ground, floor 1. `from attn_core import load` is an import from where `load` really lives. Where the members of a
registry live is no arrow: they are loaded when somebody asks for them. Between modules only that counts which happens
while they are imported or called: types are named in circles even by those who do not need each other.
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
class House:
    """Modules and rooms, and what each imports from. Every name is a key, and no name imports from itself."""

    modules: Graph  # without the imports for the type checker and those by `registry.load`
    every: Graph  # of the modules, with them
    rooms: Graph
    made_of: Mapping[str, str]  # module -> its room

    def why(self, room: str, other: str) -> list[str]:
        """The imports that an arrow between rooms is made of, as `module -> module`."""
        return [
            f"{here} -> {there}"
            for here in sorted(self.every)
            for there in sorted(self.every[here])
            if (self.made_of[here], self.made_of[there]) == (room, other)
        ]


def module_name(path: Path, root: Path = ROOT) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    """attn_core.models.config lies in attn_core.models; attn_core and app themselves are a room each."""
    return ".".join(module.split(".")[:2])


def for_types(tree: ast.Module) -> set[ast.AST]:
    """What stands below `if TYPE_CHECKING`."""
    checks = [node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)]
    return {node for check in checks for statement in check.body for node in ast.walk(statement)}


def loads(tree: ast.Module) -> set[str]:
    """The modules that are loaded by their written-out name."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    names = [node.args[0] for node in calls if ast.unparse(node.func) in ("load", "registry.load")]
    return {str(name.value).split(":")[0] for name in names if isinstance(name, ast.Constant)}


def imports(path: Path, known: Mapping[str, Path], root: Path = ROOT, every: bool = True) -> set[str]:
    """Those of the `known` modules that a file imports anywhere in it. `from a import b` is a.b where that is one.

    Without `every`, not those for the type checker and by `registry.load`.
    """
    tree = ast.parse(path.read_text("utf-8"))
    left_out = set() if every else for_types(tree)
    here = module_name(path, root).split(".")
    folder = here if path.name == "__init__.py" else here[:-1]
    found = set(passed_on(path, known, root).values())
    found |= loads(tree) if every else set()
    for node in ast.walk(tree):
        if node in left_out:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = folder[: len(folder) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            homes = passed_on(known[base], known, root) if base in known else {}
            names = {alias.name for alias in node.names}
            found |= {name if (name := f"{base}.{one}") in known else homes.get(one, base) for one in names}
    return (found & known.keys()) - {".".join(here)}


@cache
def _strings(path: Path) -> dict[str, str]:
    """The tables of strings in a file that has a `__getattr__`."""
    tree = ast.parse(path.read_text("utf-8"))
    if not any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body):
        return {}
    tables = [node.value for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    pairs = [
        pair for table in tables if isinstance(table, ast.Dict) for pair in zip(table.keys, table.values, strict=True)
    ]
    constants = [(k.value, v.value) for k, v in pairs if isinstance(k, ast.Constant) and isinstance(v, ast.Constant)]
    return {k: v for k, v in constants if isinstance(k, str) and isinstance(v, str)}


def passed_on(path: Path, known: Iterable[str], root: Path = ROOT) -> dict[str, str]:
    """Name -> the module where it lives, of the names that a file's `__getattr__` fetches when they are first used."""
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
def house(root: Path = ROOT) -> House:
    """What is built of the files under `root`. An `__init__.py` that holds nothing but its docstring is left out."""
    paths = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
    files = {module_name(path, root): path for path in paths if path.name != "__init__.py" or has_code(path)}
    modules = {name: imports(path, files, root, every=False) for name, path in files.items()}
    every = {name: imports(path, files, root) for name, path in files.items()}
    made_of = {name: room_of(name) for name in files}
    rooms: dict[str, set[str]] = {room: set() for room in made_of.values()}
    for name, targets in every.items():
        rooms[made_of[name]] |= {made_of[target] for target in targets} - {made_of[name]}
    return House(modules, every, rooms, made_of)


def knots(graph: Graph) -> list[list[str]]:
    """Groups of names that import each other in a circle (strongly connected ones, by Tarjan's algorithm)."""
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


def a_circle(graph: Graph, knot: list[str]) -> list[str]:
    """A shortest circle through the first name of a knot, which stands at both ends."""
    paths = [[knot[0]]]
    seen = set()
    while paths:
        path = paths.pop(0)
        for other in sorted(graph[path[-1]] & set(knot)):
            if other == knot[0]:
                return [*path, other]
            if other not in seen:
                seen.add(other)
                paths.append([*path, other])
    raise ValueError(f"{knot} is not a knot")


def longest(graph: Graph) -> dict[str, list[str]]:
    """Name -> the longest chain that begins there and leads down. A knot counts as one name, its first."""
    head = {name: name for name in graph} | {name: group[0] for group in knots(graph) for name in group}
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


def circles(graph: Graph) -> list[str]:
    return [" -> ".join(a_circle(graph, knot)) for knot in knots(graph)]


def main() -> int:
    built = house()
    chains = longest(built.rooms)
    floors: dict[int, list[str]] = {}
    for room, chain in chains.items():
        floors.setdefault(len(chain), []).append(room)
    print(f"{len(built.rooms)} rooms on {max(floors)} floors")
    for floor in sorted(floors, reverse=True):
        print(f"\n{floor:>2}")
        for room in sorted(floors[floor]):
            size = sum(home == room for home in built.made_of.values())
            targets = ", ".join(sorted(built.rooms[room])) or "none"
            print(f"    {room} ({size} {'file' if size == 1 else 'files'}) -> {targets}")
    print("\nThe longest chain:", " -> ".join(max(chains.values(), key=len)))
    for title, graph in (("rooms", built.rooms), ("modules", built.modules)):
        for knot in knots(graph):
            print(f"\nA circle of {title} in {', '.join(knot)}:")
            for one in knot:
                for other in sorted(graph[one] & set(knot)):
                    print(f"    {one} -> {other}")
                    if title == "rooms":
                        print(*(f"        {line}" for line in built.why(one, other)), sep="\n")
    return int(bool(knots(built.rooms) or knots(built.modules)))


if __name__ == "__main__":
    sys.exit(main())
