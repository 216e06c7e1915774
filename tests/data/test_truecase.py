"""Capitals that are restored in the output of a model of lower-cased text."""

import json

import pytest

from attn_core.data.captions import captions
from attn_core.data.tokenizer import KINDS, Tokenizer, save_both
from attn_core.data.truecase import NO_TRUECASER, Truecaser, sentence_starts
from attn_core.data.vocabulary_files import share
from attn_core.models.folders import PRETRAINED

LINES = [
    "Ein Hund sieht den Hund , und der Mann trägt ein T-Shirt .",
    "Hunde sehen den Hund . Manchmal trägt er ein T-Shirt .",
    "Manchmal bellt er .",
    "Der hund , der Hunde , die Hunde : BMW , BMW , arm , Arm , arm , Arm , Katze",
]
TRUECASER = Truecaser.of_lines(LINES)
WRONG_PARTS = {  # of "0BMW 0Hund 4e 0T-Shirt"
    "no letters": "0BMW 0 4e",
    "a digit that is none": "0BMW ?Hund",
    "more shared letters than there are": "0BMW 5Hund",
    "in lower case": "0BMW 0hund",
    "a word twice": "0BMW 0Hund 0HUND",
    "two spaces": "0BMW  0Hund",
    "a line break": "0BMW 0Hund\nHut",
    "nothing": "",
}


def test_the_commonest_spelling_inside_sentences_is_kept():
    """Hund 3 times, hund once; Katze and Mann once; arm as often as Arm; Manchmal twice, but first."""
    assert dict(TRUECASER.spellings) == {"bmw": "BMW", "hund": "Hund", "hunde": "Hunde", "t-shirt": "T-Shirt"}


def test_words_get_their_capitals_and_others_stay():
    assert TRUECASER.restored(["ein", "hund", "trägt", "t-shirt", "<unk>"]) == [
        "ein",
        "Hund",
        "trägt",
        "T-Shirt",
        "<unk>",
    ]
    assert NO_TRUECASER.restored(["ein", "hund"]) == ["ein", "hund"]


@pytest.mark.parametrize(
    ("tokens", "starts"),
    [
        ("ein hund . &quot; ja", [(0, 0), (4, 0)]),
        ("&apos;s war spät", [(0, 6)]),
        ("<unk> hund ! hunde", [(3, 0)]),
        ("<s> ( 3 enten ) ?", [(2, 0)]),
        ("", []),
    ],
)
def test_a_sentence_starts_with_its_first_letter_or_digit(tokens, starts):
    assert list(sentence_starts(tokens.split())) == starts


def test_a_table_has_each_word_without_the_letters_of_the_one_before():
    assert TRUECASER.to_json() == {"version": 1, "spellings": "0BMW 0Hund 4e 0T-Shirt"}
    assert Truecaser.from_json(TRUECASER.to_json()) == TRUECASER
    long = Truecaser({word.lower(): word for word in ("Donau" * 20, "Donau" * 20 + "en", "Straße", "𐐀𐐨", "𐐀𐐨𐐨")})
    assert Truecaser.from_json(json.loads(json.dumps(long.to_json()))) == long


@pytest.mark.parametrize("record", [None, [], "0Hund", {"version": 1}, {"version": 2, "spellings": "0Hund"}])
def test_a_table_of_another_kind_is_named(record):
    with pytest.raises(ValueError, match="truecase"):
        Truecaser.from_json(record)


@pytest.mark.parametrize("damage", WRONG_PARTS)
def test_a_damaged_table_is_named(damage, tmp_path):
    path = tmp_path / "target.json"
    Tokenizer.train(["ein hund"], "de", min_frequency=1).with_truecaser(TRUECASER).save(path)
    record = json.loads(path.read_text("utf-8"))
    record["truecase"]["spellings"] = WRONG_PARTS[damage]
    path.write_text(json.dumps(record), "utf-8")
    with pytest.raises(
        ValueError, match=r"target\.json: not a tokenizer file, or a damaged one \(truecase is damaged at"
    ):
        Tokenizer.load(path)


@pytest.mark.parametrize("kind", KINDS)
def test_running_text_has_the_capitals_and_tokens_have_none(kind):
    plain = Tokenizer.train(["ein hund trägt ein t-shirt . hunde ."], "de", kind, min_frequency=1)
    tokenizer = plain.with_truecaser(TRUECASER)
    line = "ein hund trägt ein t-shirt . hunde ."
    tokens = [*tokenizer.tokens(line, tokenized=True), "</s>"]
    assert tokenizer.text(tokens) == line
    assert tokenizer.detokenize(tokens) == "Ein Hund trägt ein T-Shirt. Hunde."
    assert plain.detokenize(tokens) == "Ein hund trägt ein t-shirt. Hunde."


def test_a_table_stays_with_its_vocabulary_and_not_with_another_language():
    tokenizer = Tokenizer.train(["ein hund"], "de", min_frequency=1).with_truecaser(TRUECASER)
    assert tokenizer.by_sentence().truecaser == TRUECASER
    assert tokenizer.speaking("nl").truecaser == NO_TRUECASER
    assert tokenizer.same(tokenizer.with_truecaser(NO_TRUECASER)), "models with the same tokens can form an ensemble"


def test_models_beside_each_other_share_a_table(tmp_path):
    source = Tokenizer.train(["ein hund"], "de", min_frequency=1)
    target = source.speaking("nl").with_truecaser(TRUECASER)
    (tmp_path / "vocabularies").mkdir()
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        save_both(source, target, tmp_path / name)
        share(tmp_path / name)
        assert json.loads((tmp_path / name / "target.json").read_text("utf-8"))["truecase"].startswith(
            "../vocabularies/"
        )
        back = Tokenizer.load(tmp_path / name / "target.json")
        assert (back.truecaser, back.same(target)) == (TRUECASER, True)
    kinds = sorted(path.name.partition("-")[0] for path in (tmp_path / "vocabularies").iterdir())
    assert kinds == ["truecase", "word"]


def test_shipped_capitals_are_those_of_our_own_captions():
    """Except for a place that the training text lacks, and for words that are spelled in both ways: Junge, Essen."""
    tokenizer = Tokenizer.load(PRETRAINED / "bahdanau-en-de" / "target.json")
    written = [(pair.de, tokenizer.detokenize(pair.de_tokens)) for pair in captions()]
    other = [
        (word, found) for pair in written for word, found in zip(*map(str.split, pair), strict=True) if word != found
    ]
    wrong = {"Heidelberg": "heidelberg", "junge": "Junge", "essen": "Essen"}
    assert len(written) == 61
    assert sorted(other) == sorted([*wrong.items(), ("essen", "Essen")])
