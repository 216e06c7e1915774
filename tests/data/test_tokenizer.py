import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_core.data.form import Form
from attn_core.data.moses import Moses
from attn_core.data.subwords import SPECIALS, readable
from attn_core.data.tokenizer import KINDS, NO_LANGUAGE, Tokenizer, save_both
from attn_core.data.vocabulary_files import share
from attn_core.files import CheckpointError
from tests.helpers.tokenizers import ANY_TEXT

LINES = [
    "die köchin schneidet sieben zwiebeln .",
    "die köchin schneidet brot , weil sieben gäste kommen .",
    "sieben gäste kommen und die köchin schneidet brot .",
]
CONTROL = {Tokenizer.pad, Tokenizer.bos, Tokenizer.eos}


@pytest.fixture(scope="module", params=KINDS)
def tokenizer(request):
    return Tokenizer.train(LINES, "de", request.param)


# The vocabulary


def test_words_are_numbered_by_frequency_then_alphabet_after_the_special_tokens():
    tokenizer = Tokenizer.train(["b a c a", "d b a"], "de", min_frequency=1)
    assert [tokenizer.token(i) for i in range(len(tokenizer))] == [*SPECIALS, "a", "b", "c", "d"]
    assert (tokenizer.pad, tokenizer.unk, tokenizer.bos, tokenizer.eos) == (0, 1, 2, 3)


def test_rare_words_are_unknown_but_keep_their_spelling():
    tokenizer = Tokenizer.train(["b a c a", "d b a"], "de", min_frequency=2)
    tokens = tokenizer.tokens("A, c B")
    assert tokens == ["a", ",", "c", "b"]
    assert tokenizer.ids(tokens) == [4, 1, 1, 5]
    assert tokenizer.unknown(tokens) == [1, 2]


def test_a_vocabulary_without_a_word_is_refused():
    with pytest.raises(ValueError, match=r"\(de\): no word occurs 3 times; give more text, or set min_frequency=1"):
        Tokenizer.train(["a b", "b"], "de", min_frequency=3)


def test_size_counts_the_special_tokens():
    assert len(Tokenizer.train(["b a c a", "d b a"], "de", min_frequency=1, size=6)) == 6
    assert len(Tokenizer.train(LINES, "de", "bpe", size=40)) == 40


def test_bpe_splits_a_new_word_into_known_pieces():
    tokenizer = Tokenizer.train(["ab ab ab cd cd cd"], "de", "bpe")
    tokens = tokenizer.tokens("abcd ab", tokenized=True)
    assert tokens == ["▁ab", "cd", "▁ab"]
    assert tokenizer.unknown(tokens) == []
    assert tokenizer.text(tokens) == "abcd ab"


def test_bpe_keeps_the_spelling_of_characters_it_never_saw():
    tokenizer = Tokenizer.train(["ab ab ab"], "de", "bpe")
    tokens = tokenizer.tokens("a🦆é", tokenized=True)
    assert tokens == ["▁", "a", "🦆", "é"]
    assert tokenizer.ids(tokens)[-2:] == [1, 1]
    assert tokenizer.text(tokens) == "a🦆é"


def test_tokenized_text_is_split_at_whitespace_and_brought_to_the_form_of_the_vocabulary():
    tokenizer = Tokenizer.train(LINES, "de")
    text = " Die Ko\u0308chin's\t&apos; \u200b "
    assert tokenizer.tokens(text, tokenized=True) == ["die", "köchin's", "&apos;", "\u200b"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("die köchin sieht äpfel", Form(lower=True, unicode="NFC")),
        ("Die Köchin sieht Äpfel", Form(lower=False, unicode="NFC")),
        (normalize("NFD", "die köchin sieht äpfel"), Form(lower=True, unicode="NFD")),
        (normalize("NFD", "Die Köchin sieht") + " Äpfel", Form(lower=False, unicode=None)),
        ("3 . 足球", Form(lower=True, unicode="NFC")),
    ],
)
def test_a_vocabulary_has_the_form_of_its_text_and_all_text_is_brought_to_it(kind, line, form, tmp_path):
    tokenizer = Tokenizer.train([line], "de", kind, min_frequency=1)
    assert tokenizer.form == form
    tokenizer.save(tmp_path / "source.json")
    back = Tokenizer.load(tmp_path / "source.json")
    assert back.form == form
    assert back.speaking("en").by_sentence().form == form
    others = [line, *(normalize(name, line) for name in ("NFC", "NFD") if form.unicode)]
    others += [line.upper()] if form.lower else []
    for text in others:
        for tokenized in (True,) if form.unicode is None or "足" in line else (True, False):
            tokens = back.tokens(text, tokenized)
            assert back.unknown(tokens) == [], (text, tokenized)
    if not form.lower:
        assert back.unknown(back.tokens(line.upper(), tokenized=True))


@pytest.mark.parametrize("kind", ["word", "bpe"])
@pytest.mark.parametrize("stray", ["Ein Hund", normalize("NFD", "ein mädchen")])
def test_a_stray_word_does_not_change_the_form_of_a_text(kind, stray):
    tokenizer = Tokenizer.train(["ein hund läuft ."] * 1000 + [stray] * 2, "de", kind)
    assert tokenizer.form == Form(lower=True, unicode="NFC")
    assert tokenizer.unknown(tokenizer.tokens("Ein Hund läuft .", tokenized=True)) == []


def test_invisible_characters_of_tokenised_text_make_no_tokens():
    tokenizer = Tokenizer.train(["ein hund ."], "de", min_frequency=1)
    assert tokenizer.tokens("ei\u200bn hu\u00adnd .", tokenized=True) == ["ein", "hund", "."]
    assert tokenizer.tokens("ein \u200b .", tokenized=True) == [
        "ein",
        "\u200b",
        ".",
    ]
    assert tokenizer.word_numbers("ein \u200b .", tokenized=True) == [0, 1, 2]
    persian = "می\u200cخواهم"
    assert Tokenizer.train([persian], "fa", min_frequency=1).tokens(persian, tokenized=True) == [persian]


def test_symbols_of_a_synthetic_task_have_no_form():
    tokenizer = Tokenizer.train(["a b"], NO_LANGUAGE, min_frequency=1)
    assert tokenizer.tokens("A b", tokenized=True) == ["A", "b"]


@pytest.mark.parametrize("form", [None, {}, {"lower": 1, "unicode": "NFC"}, {"lower": True, "unicode": "NFKC"}, "NFC"])
def test_a_damaged_form_is_named(form, tokenizer, tmp_path):
    path = tmp_path / "source.json"
    tokenizer.save(path)
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"form": form}), "utf-8")
    with pytest.raises(ValueError, match=r"source.json: .*form must have lower .*, not "):
        Tokenizer.load(path)


TEXTS = ("Fußball Spieler kicken .", "足球 运动员 踢球 。", "usw. abab 漢字a ▁ &apos;", " \u3000 足 \u3000球 x ", "")


@pytest.mark.parametrize("tokenized", [True, False])
@pytest.mark.parametrize("lang", ["de", "zh"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_token_belongs_to_a_word_of_the_file(kind, lang, tokenized):
    tokenizer = Tokenizer.train([Moses(lang)(text) for text in TEXTS], lang, kind, min_frequency=1)
    for text in TEXTS:
        tokens, numbers = tokenizer.tokens(text, tokenized), tokenizer.word_numbers(text, tokenized)
        spelled = [""] * len(set(numbers))
        for token, number in zip(tokens, numbers, strict=True):
            spelled[number] += token.removeprefix("▁")
        line = text.lower().replace("▁", "_") if tokenized else tokenizer.separated(tokenizer.moses(text))
        assert spelled == line.split()
        assert numbers == sorted(numbers)


def test_text_without_words_has_no_tokens(tokenizer):
    for text in ("", " \n", "\u200b"):
        assert tokenizer.tokens(text) == []
    assert tokenizer.ids([]) == tokenizer.unknown([]) == []
    assert tokenizer.text([]) == tokenizer.detokenize([]) == ""


@pytest.mark.parametrize("tokenized", [False, True])
@pytest.mark.parametrize("special", SPECIALS)
def test_a_typed_special_token_is_not_a_control_token(tokenizer, special, tokenized):
    ids = tokenizer.ids(tokenizer.tokens(f"köchin {special} brot{special}", tokenized))
    assert not CONTROL & set(ids)


@given(text=ANY_TEXT, tokenized=st.booleans())
def test_no_text_yields_a_control_token(tokenizer, text, tokenized):
    tokens = tokenizer.tokens(text, tokenized)
    ids = tokenizer.ids(tokens)
    assert not CONTROL & set(ids)
    assert tokenizer.unknown(tokens) == [i for i, id in enumerate(ids) if id == tokenizer.unk]
    assert all(tokens)


@given(st.lists(st.sampled_from(["köchin", "brot", "schneiden", "xyz", "&apos;", "&lt;/s&gt;", "🦆", ".", "3,5"])))
def test_text_puts_the_tokenised_line_together_again(tokenizer, words):
    line = " ".join(words)
    assert tokenizer.text(tokenizer.tokens(line, tokenized=True)) == line


@pytest.mark.parametrize("kind", ["word", "bpe"])
def test_the_word_mark_typed_by_a_user_does_not_split_the_word(kind):
    tokenizer = Tokenizer.train([*LINES, "▁ _ a▁b a_b"], "de", kind)
    tokens = tokenizer.tokens("bro▁t ▁ a▁b", tokenized=True)
    assert tokenizer.text(tokens) == "bro_t _ a_b"
    if kind == "word":
        assert readable(["ein", *tokens]) == ["ein", "bro_t", "_", "a_b"]
        assert tokenizer.unknown(tokens) == [0], "the vocabulary counts both spellings as one word"


def test_a_vocabulary_of_pieces_that_is_too_small_for_the_characters_is_refused():
    """The special tokens, the word mark and eight letters, with and without merges."""
    with pytest.raises(ValueError, match="special tokens are 13; set vocabulary=13 or more"):
        Tokenizer.train(["a b c d e f g h"], "de", "bpe", 1, size=12)
    assert len(Tokenizer.train(["a b c d e f g h"], "de", "bpe", 1, size=13)) == 13


def test_text_drops_control_tokens_and_keeps_unknown_ones():
    tokenizer = Tokenizer.train(LINES, "de")
    said = ["<s>", "die", "<unk>", "schneidet", ",", "</s>", "<pad>"]
    assert tokenizer.text(said) == "die <unk> schneidet ,"
    assert tokenizer.detokenize(said) == "Die <unk> schneidet,"


def test_bpe_pieces_are_joined_before_detokenising():
    tokenizer = Tokenizer.train(LINES, "en", "bpe")
    assert tokenizer.detokenize([*tokenizer.tokens("It's brot."), "</s>"]) == "It's brot."


def test_a_corpus_that_holds_special_tokens_does_not_disturb_their_ids(tokenizer):
    disturbed = Tokenizer.train([*LINES, "</s> </s> <pad> <pad> a</s> a</s>"], "de", tokenizer.kind)
    assert [disturbed.token(i) for i in range(4)] == list(SPECIALS)
    assert not CONTROL & set(disturbed.ids(disturbed.tokens("</s> a</s> <pad>", tokenized=True)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"lines": LINES, "kind": "char"}, "kind must be one of word, bpe, not 'char'"),
        ({"lines": LINES, "size": 4}, "size must be more than the 4 special tokens, not 4"),
        ({"lines": []}, "no words"),
        ({"lines": ["", "  "], "kind": "bpe"}, "no words"),
    ],
)
def test_train_names_what_is_wrong(arguments, message):
    with pytest.raises(ValueError, match=message):
        Tokenizer.train(lang="de", **arguments)


@pytest.mark.parametrize("id", [-1, 10_000])
def test_an_id_outside_the_vocabulary_is_an_error(tokenizer, id):
    with pytest.raises(IndexError, match=str(id)):
        tokenizer.token(id)


def test_threads_share_a_tokenizer(tokenizer):
    texts = [f"Die {i} Köchinnen schneiden „Brot.“" for i in range(200)]
    alone = [tokenizer.tokens(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(tokenizer.tokens, texts)) == alone


# On disk


def test_a_saved_tokenizer_comes_back_the_same(tokenizer, tmp_path):
    path = tmp_path / "source.json"
    tokenizer.save(path)
    back = Tokenizer.load(path)
    assert (back.lang, back.kind, len(back)) == (tokenizer.lang, tokenizer.kind, len(tokenizer))
    assert [back.token(i) for i in range(len(back))] == [tokenizer.token(i) for i in range(len(tokenizer))]
    text = "Die Köchin schneidet „Zwiebelbrot.“ 🦆 </s>"
    assert back.tokens(text) == tokenizer.tokens(text)
    assert back.ids(back.tokens(text)) == tokenizer.ids(tokenizer.tokens(text))
    assert [file.name for file in tmp_path.iterdir()] == ["source.json"]


def test_a_tokenizer_of_sentences_is_saved_as_one(tokenizer, tmp_path):
    path = tmp_path / "source.json"
    tokenizer.by_sentence().save(path)
    back = Tokenizer.load(path)
    text = "Ein Hund. Eine Katze."
    assert back.tokens(text) == tokenizer.tokens("ein hund . eine katze .", tokenized=True) != tokenizer.tokens(text)
    assert back.same(tokenizer.by_sentence())
    assert not back.same(tokenizer)
    assert back.speaking("en").sentences


def test_a_save_that_fails_leaves_the_old_file(tokenizer, tmp_path, monkeypatch):
    path = tmp_path / "source.json"
    path.write_text("old")

    def full(self, text, **_):
        with self.open("w") as file:
            file.write(text[:10])
        raise OSError("no space left")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="no space left"):
        tokenizer.save(path)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["source.json"]


def test_one_vocabulary_of_two_languages_is_written_once(tokenizer, tmp_path):
    own = tokenizer.speaking("de"), tokenizer.speaking("en")
    save_both(*own, tmp_path)
    assert json.loads((tmp_path / "target.json").read_text())["tokenizer"] == "source.json"
    back = [Tokenizer.load(tmp_path / f"{side}.json") for side in ("source", "target")]
    assert all(one.same(wanted) for one, wanted in zip(back, own, strict=True))
    assert [one.lang for one in back] == ["de", "en"]


def test_two_vocabularies_are_written_whole(tokenizer, tmp_path):
    other = Tokenizer.train(["ganz andere wörter"], "en", min_frequency=1)
    save_both(tokenizer, other, tmp_path)
    assert Tokenizer.load(tmp_path / "target.json").same(other)
    (tmp_path / "source.json").unlink()
    assert Tokenizer.load(tmp_path / "target.json").same(other)


def test_models_beside_each_other_share_their_vocabularies(tokenizer, tmp_path):
    other = Tokenizer.train(["ganz andere wörter"], "en", min_frequency=1)
    for name in ("one", "two", "alone/three"):
        (tmp_path / name).mkdir(parents=True)
        save_both(tokenizer, other, tmp_path / name)
    (tmp_path / "vocabularies").mkdir()
    for name in ("one", "two", "one", "alone/three"):  # again, too
        share(tmp_path / name)
    assert len(list((tmp_path / "vocabularies").iterdir())) == 2
    for name in ("one", "two"):
        assert sum(file.stat().st_size for file in (tmp_path / name).iterdir()) < 500
        assert Tokenizer.load(tmp_path / name / "source.json").same(tokenizer)
        assert Tokenizer.load(tmp_path / name / "target.json").same(other)
    alone = json.loads((tmp_path / "alone" / "three" / "source.json").read_text("utf-8"))
    assert "model" in alone["tokenizer"], "there is no folder to share them in"
    own = tokenizer.speaking("de"), tokenizer.speaking("en")
    (tmp_path / "pieces").mkdir()
    save_both(*own, tmp_path / "pieces")
    share(tmp_path / "pieces")
    for side, wanted in zip(("source", "target"), own, strict=True):
        assert Tokenizer.load(tmp_path / "pieces" / f"{side}.json").same(wanted)


@pytest.mark.parametrize("name", ["../source.json", "../vocabularies/../x.json", "target.json", "config.json"])
def test_a_vocabulary_is_beside_the_file_that_names_it(tokenizer, tmp_path, name):
    tokenizer.save(tmp_path / "source.json")
    tokenizer.save(tmp_path / "target.json", beside=name)
    (tmp_path / "config.json").write_text("[]")
    with pytest.raises(ValueError, match="not a tokenizer file, or a damaged one"):
        Tokenizer.load(tmp_path / "target.json")
    tokenizer.save(tmp_path / "target.json", beside="gone.json")
    with pytest.raises(CheckpointError, match=r"target\.json needs the file .*gone\.json, which is missing"):
        Tokenizer.load(tmp_path / "target.json")


def test_a_truncated_file_is_named(tokenizer, tmp_path):
    path = tmp_path / "target.json"
    tokenizer.save(path)
    content = path.read_bytes()
    for length in range(0, len(content) - 2, 97):
        path.write_bytes(content[:length])
        with pytest.raises(ValueError, match=r"target\.json"):
            Tokenizer.load(path)


def test_a_missing_file_is_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        Tokenizer.load(tmp_path / "none.json")


def test_the_file_needs_nothing_heavy_to_be_imported():
    file = Path(__file__).parents[2] / "attn_core" / "data" / "tokenizer.py"
    heavy = "{'torch', 'sacremoses'}"
    code = f"import runpy, sys; runpy.run_path({str(file)!r}); sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_id_of_a_token_is_the_inverse_of_the_token(tokenizer):
    """Also of special tokens, which `ids` takes for unknown words, as in text."""
    tokens = [tokenizer.token(id) for id in range(len(tokenizer))]
    assert [tokenizer.id_of(token) for token in tokens] == [*range(len(tokenizer))]
    with pytest.raises(ValueError, match=rf"'{tokens[-1]}{tokens[-1]}x' is not a token of the vocabulary"):
        tokenizer.id_of(f"{tokens[-1]}{tokens[-1]}x")
