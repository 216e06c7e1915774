"""Damaged vocabularies are named."""

import json
from copy import deepcopy
from typing import Any

import pytest

from attn_core.data.subwords import SPECIALS
from attn_core.data.tokenizer import Tokenizer
from tests.data.test_tokenizer import LINES

GONE = object()
DAMAGES = {
    "no format": (GONE, "format"),
    "no language": (GONE, "lang"),
    "no kind": (GONE, "kind"),
    "no tokenizer": (GONE, "tokenizer"),
    "no model": (GONE, "tokenizer", "model"),
    "no vocabulary": (GONE, "tokenizer", "model", "vocab"),
    "no start of sentence": (GONE, "tokenizer", "model", "vocab", "<s>"),
    "no k": (GONE, "tokenizer", "model", "vocab", "k"),
    "no merges": (GONE, "tokenizer", "model", "merges"),
    "other version": (2, "version"),
    "other kind": ("sentencepiece", "kind"),
    "kind in a list": (["bpe"], "kind"),
    "null vocabulary": (None, "tokenizer", "model", "vocab"),
    "an id twice": (7, "tokenizer", "model", "vocab", "ä"),
    "an id in quotes": ("7", "tokenizer", "model", "vocab", "ä"),
    "an id with a point": (1.0, "tokenizer", "model", "vocab", "<unk>"),
    "an id too large": (2**40, "tokenizer", "model", "vocab", "ä"),
    "a merge of strangers": (["ä", "ganz anderes"], "tokenizer", "model", "merges", 0),
    "a merge of a text": ("äöü" * 100, "tokenizer", "model", "merges", 0),
    "a merge of a number": (5, "tokenizer", "model", "merges", 0),
}


def damaged(record: dict[str, Any], damage: str) -> dict[str, Any]:
    """A copy of a tokenizer's JSON with one of DAMAGES."""
    value, *way, last = DAMAGES[damage]
    record = place = deepcopy(record)
    for name in way:
        place = place[name]
    if value is GONE:
        del place[last]
    else:
        place[last] = value
    return record


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_named(damage, tmp_path):
    file = tmp_path / "target.json"
    Tokenizer.train(LINES, "de", "bpe").save(file)
    file.write_text(json.dumps(damaged(json.loads(file.read_text(encoding="utf-8")), damage)))
    with pytest.raises(ValueError, match=r"target\.json: not a tokenizer file, or a damaged one \(\S+"):
        Tokenizer.load(file)


@pytest.mark.parametrize(
    "words", [["<s>", "<unk>", "<pad>", "</s>", "a"], [*SPECIALS, "\ud800"], ["a"], []], ids=range(4)
)
def test_a_vocabulary_that_cannot_be_is_named(words, tmp_path):
    file = tmp_path / "target.json"
    Tokenizer.train(LINES, "de").save(file)
    record = json.loads(file.read_text(encoding="utf-8"))
    record["tokenizer"]["model"]["vocab"] = {word: i for i, word in enumerate(words)}
    file.write_text(json.dumps(record))
    with pytest.raises(ValueError, match=r"target\.json: not a tokenizer file, or a damaged one \(\S+"):
        Tokenizer.load(file)


@pytest.mark.parametrize("content", [b"", b"\x80\x04", b"[]", b"null", b"{", b"[" * 100_000], ids=range(6))
def test_a_file_of_another_kind_is_named(content, tmp_path):
    path = tmp_path / "target.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"target\.json: not a tokenizer file"):
        Tokenizer.load(path)
