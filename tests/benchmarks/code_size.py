"""Count the code of a checkout: syntax nodes, test lines, long JavaScript functions, and targets of make.

python -m tests.benchmarks code_size                  this checkout
python -m tests.benchmarks code_size BEFORE AFTER     other checkouts, a column each

Prints a table in Markdown. Syntax nodes are those of Python and JavaScript without tests, notebooks and vendored
libraries; comments and docstrings do not count. A long function has more than LONGEST lines.
"""

import argparse
import ast
import re
import subprocess
from pathlib import Path

from tests.helpers.page_rules import LONGEST, VENDOR
from tests.helpers.syntax import parsed

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def python_nodes(path: Path) -> int:
    """The nodes of a Python file without docstrings, of two nodes each."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    return len(nodes) - 2 * sum(isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None for node in nodes)


def column(checkout: Path) -> dict[str, int]:
    """The rows of the table for a checkout."""
    command = ("git", "-C", str(checkout), "ls-files", "*.py", "*.js")
    tracked = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    names = [name for name in tracked if (checkout / name).exists()]
    tests = [checkout / name for name in names if name.startswith("tests/")]
    code = [checkout / name for name in names if not name.startswith(("tests/", VENDOR))]
    scripts = parsed(path for path in code if path.suffix == ".js").values()
    lengths = [function.lines for script in scripts for function in script.functions]
    targets = re.findall(r"^[a-z-]+:.*## ", (checkout / "Makefile").read_text("utf-8"), re.MULTILINE)
    return {
        "syntax nodes of Python": sum(python_nodes(path) for path in code if path.suffix == ".py"),
        "syntax nodes of JavaScript": sum(script.nodes for script in scripts),
        "test lines": sum(len(path.read_text("utf-8").splitlines()) for path in tests),
        f"JavaScript functions over {LONGEST} lines": sum(lines > LONGEST for lines in lengths),
        "targets that `make help` shows": len(targets),
    }


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("checkouts", nargs="*", type=Path, metavar="CHECKOUT", help="default: .")
    columns = {str(checkout): column(checkout) for checkout in reader.parse_args().checkouts or [Path()]}
    rows = next(iter(columns.values()))
    lines = [["", *columns], ["---"] * (len(columns) + 1)]
    lines += [[row, *(f"{found[row]:,}" for found in columns.values())] for row in rows]
    print("\n".join(f"| {' | '.join(line)} |" for line in lines))
