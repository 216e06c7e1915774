"""Capitals that are restored in the page are those that Python restores."""

import random
from pathlib import Path
from typing import Any

import pytest

from attn_core.data.captions import captions
from attn_core.data.tokenizer import KINDS, Tokenizer
from attn_core.data.truecase import Truecaser
from attn_core.data.vocabulary_files import read_vocabulary
from attn_core.export.model_files import model_files
from attn_core.models.folders import PRETRAINED
from tests.data.test_truecase import WRONG_PARTS
from tests.helpers.tokenizers import page_results, python_results, rules_of

SHIPPED = {"words": "bahdanau-en-de", "pieces": "transformer-en-de"}
WORDS = (
    "Hund",
    "Hunde",
    "Straße",
    "STRASSE",
    "T-Shirt",
    "ΟΔΟΣ",
    "İstanbul",
    "𐐀𐐨",
    "𐐀𐐨𐐨",
    "Ärzte",
    "Donau" * 20,
    "ǅ",
    "x",
)


@pytest.mark.parametrize("kind", KINDS)
def test_any_letters_get_the_same_capitals_as_in_python(kind, in_page, tmp_path):
    truecaser = Truecaser({word.lower(): word for word in WORDS if word != word.lower()})
    path = tmp_path / "target.json"
    Tokenizer.train([" ".join(WORDS).lower()], "de", kind, min_frequency=1).with_truecaser(truecaser).save(path)
    texts = [f"Ein {word} und {word}s. {word}, {word.lower()}!" for word in WORDS]
    found = page_results(in_page, path, texts)
    assert found == python_results(Tokenizer.load(path), texts)
    assert found[0]["detokenized"] == "Ein Hund und hunds. Hund, Hund!"


@pytest.mark.parametrize("name", SHIPPED.values(), ids=SHIPPED)
def test_translations_of_a_shipped_model_read_as_in_python(name, in_page):
    path = PRETRAINED / name / "target.json"
    tokenizer = Tokenizer.load(path)
    chosen = random.Random(name)
    lines = [[*pair.de_tokens, "</s>"] for pair in captions()]
    lines += [[tokenizer.token(chosen.randrange(len(tokenizer))) for _ in range(n % 25)] for n in range(500)]
    found = in_page("detokenized", read_vocabulary(path), rules_of(tokenizer.lang), lines)
    assert found == [tokenizer.detokenize(line) for line in lines]
    assert sum(line != line[:1] + line[1:].lower() for line in found) > 300, "most of them have a noun"


@pytest.mark.parametrize("name", SHIPPED.values(), ids=SHIPPED)
def test_the_files_for_a_page_have_the_table(name):
    """Those that the site, the dashboard and handouts send: the page cannot open the file that models share."""
    target = model_files(name).record["target"]
    assert Truecaser.from_json(target["truecase"]) == Tokenizer.load(PRETRAINED / name / "target.json").truecaser


@pytest.mark.parametrize("damage", WRONG_PARTS)
def test_a_damaged_table_is_named(damage, in_page, tmp_path):
    record = saved(tmp_path) | {"truecase": {"version": 1, "spellings": WRONG_PARTS[damage]}}
    assert in_page.failure("vocabulary", record, rules_of("de")).startswith(
        "not a tokenizer file, or a damaged one (truecase is damaged at "
    )


@pytest.mark.parametrize(
    "table", [None, [], "../vocabularies/truecase-1.json", {"version": 1}, {"version": 2, "spellings": "0Hund"}]
)
def test_a_table_of_another_kind_is_named(table, in_page, tmp_path):
    said = in_page.failure("vocabulary", saved(tmp_path) | {"truecase": table}, rules_of("de"))
    assert said.startswith("not a tokenizer file, or a damaged one (")
    assert "truecase" in said


def saved(folder: Path) -> dict[str, Any]:
    """The JSON of a small vocabulary."""
    path = folder / "target.json"
    Tokenizer.train(["ein hund"], "de", min_frequency=1).save(path)
    return read_vocabulary(path)
