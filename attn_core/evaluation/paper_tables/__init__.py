"""Tables and figures of the papers, repeated on captions: their rows, their claims, and what was measured.

The numbers measured here are written by `python -m tests.benchmarks tables NAME` to NAME.json in this folder; see
`measured`.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attn_core.evaluation.multiple_tests import holm
from attn_core.evaluation.paper_tables.aer import AER
from attn_core.evaluation.paper_tables.grid import GRID
from attn_core.evaluation.paper_tables.ladder import LADDER
from attn_core.evaluation.paper_tables.length import LENGTH
from attn_core.evaluation.paper_tables.table import Claim, Table, judged

TABLES: dict[str, Table] = {table.name: table for table in (LADDER, GRID, AER, LENGTH)}

__all__ = ["TABLES", "Table", "measured"]


def measured(table: Table, folder: Path = Path(__file__).parent) -> dict[str, Any] | None:
    """What the benchmark `tables` measured so far; None before the first finished run.

    "rows" maps the names of rows with finished runs to {"seeds": their number, "members" for an ensemble, column:
    {"mean", "low", "high", "each"}, "groups": the same for each of LENGTHS, "curve": mean validation scores by epoch}.
    "claims" has {"seeds", "mean", "low", "high", "needed", "p"} or null for each claim of the table. Intervals are 95%,
    by bootstrap over sentences and seeds (tests/benchmarks/tables/bootstrap.py). A claim also has "steps" (see
    Table.steps) and, if it can get a verdict, "p_corrected": its p-value, corrected for the number of such "claims" of
    all tables in `folder` (Holm 1979). Numbers of claims that the table did not have in this form are left out.
    """
    stored = {name: _stored(one, folder) for name, one in {**TABLES, table.name: table}.items()}
    known = [claim for found in stored.values() if found for claim in found["claims"] if _can_be_judged(claim)]
    for claim, p in zip(known, holm([claim["p"] for claim in known]), strict=True):
        claim |= {"p_corrected": p, "claims": len(known)}
    return stored[table.name]


def _stored(table: Table, folder: Path) -> dict[str, Any] | None:
    path = folder / f"{table.name}.json"
    if not path.exists():
        return None
    found = json.loads(path.read_text("utf-8"))
    claims = found["claims"] if len(found["claims"]) == len(table.claims) else [None] * len(table.claims)
    found["claims"] = [_with_steps(table, *pair) for pair in zip(table.claims, claims, strict=True)]
    return found


def _with_steps(table: Table, claim: Claim, found: dict[str, Any] | None) -> dict[str, Any] | None:
    steps = {table.row(name).title: step for name, step in table.steps(claim).items()}
    return found | {"steps": steps} if found and "p" in found else None


def _can_be_judged(claim: Mapping[str, Any] | None) -> bool:
    """Whether the number of its runs and the rules of its alignments allow a verdict."""
    return claim is not None and judged({**claim, "p_corrected": 1.0}) == "undecided"
