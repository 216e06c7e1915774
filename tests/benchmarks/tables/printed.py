"""A table as text: ours beside the paper's numbers, the claims with their verdicts, and BLEU by length."""

from typing import Any

from attn_core.evaluation.paper_tables.table import DIGITS, LENGTHS, Table, verdict


def printed(table: Table, found: dict[str, Any] | None) -> str:
    """The table; `found` is that of paper_tables.measured, None without a finished run."""
    rows = found["rows"] if found else {}
    lines = [f"{table.title}: {table.source}", ""]
    lines.append(f"{'':32}{'seeds':>6}" + "".join(f"{name:>24}{'paper':>8}" for name in table.columns))
    for row in table.rows:
        own = rows.get(row.name, {})
        cells = (f"{shown(own.get(name), name):>24}{row.in_paper(name):>8}" for name in table.columns)
        lines.append(f"{row.title:32}{own.get('seeds', 0):6}" + "".join(cells))
    if table.groups:
        heads = (f"{least} to {most}" for least, most in LENGTHS)
        lines += ["", f"{'BLEU by source words':32}" + "".join(f"{head:>20}" for head in heads)]
        for row in table.rows:
            groups = rows.get(row.name, {}).get("groups", [None] * len(LENGTHS))
            lines.append(f"{row.title:32}" + "".join(f"{shown(one, 'bleu'):>20}" for one in groups))
    lines += ["", "Claims"]
    claims = found["claims"] if found else [None] * len(table.claims)
    for claim, own in zip(table.claims, claims, strict=True):
        lines.append(f"  {claim.says} ({claim.source})")
        margin = f"{own['mean']:+.2f} ({own['low']:+.2f} to {own['high']:+.2f}) {claim.unit}; " if own else ""
        lines.append(f"    {margin}{verdict(own, claim.no_worse)}")
    return "\n".join(lines)


def shown(number: dict[str, Any] | None, measure: str) -> str:
    """Mean and interval; a dash if there is none."""
    if number is None:
        return "-"
    digits = DIGITS[measure]
    return " ".join((f"{number['mean']:.{digits}f}", f"({number['low']:.{digits}f} to {number['high']:.{digits}f})"))
