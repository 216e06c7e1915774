"""The study of D on the Window lab page: what its sentences say is true of the stored numbers."""

from app.lab.kit.evidence import Caption, Folded, Table, Text
from app.lab.window import data
from attn_core.evaluation import paper_tables
from attn_core.evaluation.paper_tables import TABLES
from attn_core.evaluation.tracking import half_widths

WIDTHS = {one["half_width"]: one for one in half_widths()["widths"]}
MODELS = half_widths()["models"]


def test_what_is_said_of_d_holds():
    bleu = {d: one["bleu"] for d, one in WIDTHS.items()}
    assert bleu[1] < bleu[2] - 0.5 < bleu[3] - 1
    wide = [bleu[d] for d in WIDTHS if d >= 3]
    tables = paper_tables.measured(TABLES["grid"])
    assert tables is not None
    seeds = tables["rows"]["general-local-p"]["bleu"]["each"]
    assert max(wide) - min(wide) < (max(seeds) - min(seeds)) / 2
    far = [one["p_t"] for one in WIDTHS.values()]
    assert far[2:] == sorted(far[2:])
    assert far[-1] > far[2] + 0.3
    assert WIDTHS[10]["in window"] == 1
    ours = MODELS[data.MODEL]["half_width"]
    assert WIDTHS[ours]["in window"] > WIDTHS[3]["in window"] + 0.05
    assert abs(WIDTHS[ours]["bleu"] - WIDTHS[3]["bleu"]) < 0.2
    assert abs(WIDTHS[ours]["p_t"] - WIDTHS[3]["p_t"]) < 0.1


def test_what_is_said_of_p_t_holds():
    assert all(one["p_t"] > one["straight line"] for one in WIDTHS.values())
    closer = [name for name, one in MODELS.items() if one["p_t"] < one["straight line"]]
    assert closer == [data.EXCEPTION]
    assert all(0 < one["followed"] < 0.75 for one in MODELS.values())
    long = MODELS[data.LONG]
    assert abs(long["followed"] - MODELS[data.MODEL]["followed"]) < 0.1
    assert long["words"] > 3 * long["half_width"]
    assert long["largest weight within a word"] > 2 * long["p_t within a word"]


def test_the_page_shows_the_table_of_all_d_and_that_of_all_models():
    first, table, source, second, folded = data.half_width_study()
    assert isinstance(first, Text)
    assert "BLEU differs by 0.2 at most" in first.text
    assert isinstance(table, Table)
    assert [row[0] for row in table.rows] == ["1", "2", "3", "4", "6", "10"]
    assert table.rows[3] == ("4", "41.0", "1.76", "1.64", "0.80", "95%")
    assert isinstance(source, Caption)
    assert isinstance(second, Text)
    assert "$p_t$ is 2.1 words away and the line 1.8" in second.text
    assert isinstance(folded, Folded)
    assert isinstance(folded.blocks[0], Table)
    assert [row[0] for row in folded.blocks[0].rows] == list(MODELS)
