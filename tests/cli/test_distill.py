"""`distill`: sentences with the translations of a teacher."""

import pytest

from attn_core.data.tokenizer import Tokenizer
from attn_core.decoding.translate import text_of, translate
from attn_core.models.checkpoint import load, save
from attn_core.models.recipe import TrainConfig
from tests.helpers.support import tiny
from tests.helpers.terminal import lines, run

SENTENCES = ("a b c", "", "d x", "c c a b", "b")


@pytest.mark.parametrize("beam", [1, 3])
def test_each_sentence_has_the_translation_of_translate(local, tmp_path, beam):
    source = lines(tmp_path / "own.de", *SENTENCES)
    found = run("distill", local, "--source", source, "--out", tmp_path / "text/taught", "--tokenized", "--beam", beam)
    model = load(local)
    pairs = [(line, text_of(model, translate(model, line, beam=beam), True)) for line in SENTENCES if line]
    kept = [pair for pair in pairs if pair[1] and "<unk>" not in pair[1].split()]
    assert found.status == 0, found.err
    assert f"{len(kept)} of 5 sentences" in found.out
    written = [(tmp_path / f"text/taught.{lang}").read_text("utf-8").splitlines() for lang in ("de", "en")]
    assert list(zip(*written, strict=True)) == kept
    assert kept


def test_a_teacher_without_a_usable_translation_writes_nothing(tmp_path):
    model = tiny(score="dot", window="global", order="update-then-attend", encoder_hidden=3, hidden=6).float()
    model.decoder.output.weight.data.zero_()
    model.decoder.output.bias.data.zero_()[Tokenizer.unk] = 9.0
    (tmp_path / "m").mkdir()
    save(model, TrainConfig(), tmp_path / "m")
    source = lines(tmp_path / "own.de", *SENTENCES)
    found = run("distill", tmp_path / "m", "--source", source, "--out", tmp_path / "taught", "--tokenized")
    assert found.status == 1
    assert f"{source}: tiny has no translation without an unknown word" in found.err
    assert not list(tmp_path.glob("taught*"))
