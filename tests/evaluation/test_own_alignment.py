"""The alignment error rate of a card is that which `align` prints for the same pairs."""

import re

import pytest

from attn_core import load
from attn_core.data.alignments import format_alignment
from attn_core.data.examples import examples
from attn_core.evaluation.own_alignment import own_alignment
from tests.helpers.shipped import ship
from tests.helpers.terminal import run


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", ["bahdanau", "luong-general-local-p", "transformer"])
def test_the_rate_is_that_of_the_command_align(name, tmp_path, monkeypatch):
    folder = ship(tmp_path, name) / name
    model = load(folder)
    pairs = examples("de", "en")
    texts = {side: tmp_path / side for side in ("source", "target", "gold")}
    texts["source"].write_text("".join(f"{' '.join(one.source_tokens)}\n" for one in pairs), "utf-8")
    texts["target"].write_text("".join(f"{' '.join(one.target_tokens)}\n" for one in pairs), "utf-8")
    texts["gold"].write_text("".join(f"{format_alignment(one.sure, one.possible)}\n" for one in pairs), "utf-8")
    files = [part for side, path in texts.items() for part in (f"--{side}", str(path))]
    said = run("align", str(folder), *files, "--tokenized").err
    (rate,) = re.findall(r"AER (\S+) .* shift 0 ", said)
    assert own_alignment(model) == {"pairs": 61, "aer": float(rate)}


def test_no_rate_without_attention_or_pairs(tmp_path):
    assert own_alignment(load(ship(tmp_path, "fixed-vector") / "fixed-vector")) is None
    model = load(ship(tmp_path, "bahdanau") / "bahdanau")
    model.target.lang = "cs"
    assert own_alignment(model) is None
