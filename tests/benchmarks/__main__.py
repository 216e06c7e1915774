"""Run a benchmark: `python -m tests.benchmarks NAME [arguments]`. Without a name, list them.

A benchmark is a module of this folder, or a package with `__main__.py`, that defines `main`; its docstring says what it
measures. README.md has the questions that earlier benchmarks answered.
"""

import ast
import sys
from importlib import import_module
from pathlib import Path

from attn_core.messages import offered

FOLDER = Path(__file__).parent
COMMAND = "python -m tests.benchmarks"


def benchmarks() -> dict[str, str]:
    """The first line of each benchmark's docstring, by name. No benchmark is imported."""
    files = {path.stem: path for path in FOLDER.glob("*.py") if path != Path(__file__)}
    files |= {path.parent.name: path for path in FOLDER.glob("*/__main__.py")}
    modules = {name: ast.parse(files[name].read_text("utf-8")) for name in sorted(files)}
    return {
        name: (ast.get_docstring(module) or "").partition("\n")[0]
        for name, module in modules.items()
        if any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in module.body)
    }


def main() -> int | None:
    """Run the benchmark that the command line names, with the rest of the command line as its arguments."""
    name, *arguments = sys.argv[1:] or ["--help"]
    known = benchmarks()
    if name in ("-h", "--help"):
        print(f"{COMMAND} NAME [arguments]   ({COMMAND} NAME --help: its arguments)\n")
        width = max(map(len, known))
        print("\n".join(f"  {one:{width}}  {line}" for one, line in known.items()))
        return 0
    if name not in known:
        print(f"unknown benchmark {name!r}{offered(name, known)}", file=sys.stderr)
        return 2
    sys.argv = [f"{COMMAND} {name}", *arguments]  # argparse prints the first one in its messages
    package = (FOLDER / name).is_dir()
    try:
        return import_module(f"tests.benchmarks.{name}{'.__main__' * package}").main()
    except ValueError as error:
        from attn_core.data.corpus import CorpusError  # imports torch: not before the benchmark has tuned its process

        if not isinstance(error, CorpusError):
            raise
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
