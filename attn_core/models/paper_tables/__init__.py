"""Tables and figures of the papers, repeated on captions: their rows, their claims, and what was measured."""

from attn_core.models.paper_tables.aer import AER
from attn_core.models.paper_tables.grid import GRID
from attn_core.models.paper_tables.ladder import LADDER
from attn_core.models.paper_tables.length import LENGTH
from attn_core.models.paper_tables.table import Table, measured

TABLES: dict[str, Table] = {table.name: table for table in (LADDER, GRID, AER, LENGTH)}

__all__ = ["TABLES", "Table", "measured"]
