"""Parallel text by name: files by language, columns of a file, several texts, and text without held-out sentences."""

import gzip

import pytest

from attn_core.data.corpus import CorpusError, Files, read_text
from attn_core.data.text_files import Columns, Several, Without, names_of, short, text_of

LANGS = ("zh", "en")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.zh").write_text("一\n二\n", "utf-8")
    (tmp_path / "a.en").write_text("one\ntwo\n", "utf-8")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress("three\t三\tx\ntwo\t两\ty\n".encode()))
    (tmp_path / "held.zh").write_text("一\n四\n", "utf-8")
    (tmp_path / "held.en").write_text("1\ntwo \n", "utf-8")
    return tmp_path


def test_a_prefix_names_a_file_for_each_language(folder):
    assert text_of(f"{folder}/a", LANGS) == Files(folder / "a.zh", folder / "a.en")


def test_columns_are_found_by_their_languages(folder):
    text = text_of(f"{folder}/b.txt.gz:en,zh,x", LANGS)
    assert text == Columns(folder / "b.txt.gz", 1, 0)
    assert read_text(text) == (["三", "两"], ["three", "two"])
    assert text.identity() != text_of(f"{folder}/b.txt.gz:x,zh,en", LANGS).identity()


def test_texts_joined_by_plus_follow_each_other(folder):
    text = text_of(f"{folder}/a+{folder}/b.txt.gz:en,zh", LANGS)
    assert isinstance(text, Several)
    assert read_text(text) == (["一", "二", "三", "两"], ["one", "two", "three", "two"])
    assert short(f"{folder}/a+{folder}/b.txt.gz:en,zh", LANGS) == "a+b.txt.gz:en,zh"


def test_texts_that_only_together_have_as_many_lines_are_refused(folder):
    """3 + 2 and 2 + 3 lines would pair the wrong sentences."""
    for name, chinese, english in (("c", 3, 2), ("d", 2, 3)):
        (folder / f"{name}.zh").write_text("字\n" * chinese, "utf-8")
        (folder / f"{name}.en").write_text("word\n" * english, "utf-8")
    with pytest.raises(CorpusError, match=r"c\.zh has 3 lines and .*c\.en has 2"):
        read_text(text_of(f"{folder}/c+{folder}/d", LANGS))


@pytest.mark.parametrize("codes", ["zh,en,pt_br", "zh,en,EN", "-,zh,en", "zh,-,en", "zh-CN,zh,en"])
def test_a_column_may_have_any_code(folder, codes):
    columns = codes.split(",")
    assert text_of(f"{folder}/b.tsv:{codes}", LANGS) == Columns(
        folder / "b.tsv", columns.index("zh"), columns.index("en")
    )


def test_a_plus_in_the_name_of_a_file_stays(folder):
    for lang in LANGS:
        (folder / f"a+b.{lang}").write_text("x\n", "utf-8")
    assert read_text(text_of(f"{folder}/a+b", LANGS)) == (["x"], ["x"])


def test_a_plus_in_the_name_of_a_folder_stays(folder):
    plus = folder.rename(folder.with_name("c++"))
    named = f"{plus}/a+{plus}/b.txt.gz:en,zh[1::2]+{plus}/held"
    assert read_text(text_of(named, LANGS)) == (["一", "二", "两", "一", "四"], ["one", "two", "two", "1", "two "])
    assert short(named, LANGS) == "a+b.txt.gz:en,zh[1::2]+held"
    assert list(names_of("c++/a[0::2][1::2]+c++/held", LANGS, plus.parent)) == ["c++/a[0::2][1::2]", "c++/held"]


def test_a_file_whose_name_looks_like_several_is_one(folder):
    for lang in LANGS:
        (folder / f"a+held[1::2].{lang}").write_text("x\n", "utf-8")
    assert read_text(text_of(f"{folder}/a+held[1::2]", LANGS)) == (["x"], ["x"])


def test_a_part_of_a_text_can_be_named(folder):
    text = text_of(f"{folder}/b.txt.gz:en,zh[1::50]+{folder}/a[0::2]", LANGS)
    assert read_text(text) == (["两", "一"], ["two", "one"])
    assert text_of(f"{folder}/a[0::2]", LANGS).identity() != text_of(f"{folder}/a[1::2]", LANGS).identity()


def test_a_pair_with_a_held_out_side_is_left_out(folder):
    text = Without(text_of(f"{folder}/a+{folder}/b.txt.gz:en,zh", LANGS), text_of(f"{folder}/held", LANGS))
    assert read_text(text) == (["三"], ["three"])  # 一 is held out, and so is "two", twice
    assert text.identity() != text.text.identity()


LEAKS = (  # a held-out sentence, and the same one as it may stand in a training text
    ("en", "a dog runs .", "a  dog runs . ", True),
    ("en", "a dog runs .", "a\tdog\u00a0runs\r.", True),
    ("en", "a dog runs .", "A Dog runs .", True),
    ("de", "ein köter .", "ein ko\u0308ter .", True),
    ("zh", "一 只 狗 。", "一只 狗。", True),
    ("en", "A dog runs.", "a dog  runs .", False),
    ("en", "The dog's “bone”.", 'the  dog\'s "bone".', False),
    ("de", "Käse usw.", "Käse\u200b usw .", False),
    ("zh", "一只狗。", "一只狗 。", False),
)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(("lang", "held", "leaked", "tokenized"), LEAKS)
def test_a_sentence_is_excluded_if_its_tokens_are_those_of_a_held_out_one(
    lang, held, leaked, tokenized, side, tmp_path
):
    langs = (lang, "fr") if side == 0 else ("fr", lang)
    others = {"text": ["eins", "zwei", "drei"], "held": ["vier"]}
    own = {"text": [leaked, f"{held} x", f"x{held}"], "held": [held]}
    for name in ("text", "held"):
        for at, code in enumerate(langs):
            (tmp_path / f"{name}.{code}").write_text(
                "".join(f"{one}\n" for one in (own if at == side else others)[name])
            )
    text = Without(text_of(str(tmp_path / "text"), langs), text_of(str(tmp_path / "held"), langs), langs, tokenized)
    assert text.left_out == {0}
    assert read_text(text)[1 - side] == ["zwei", "drei"]


def test_sentences_of_other_tokens_are_not_excluded(tmp_path):
    for name, line in (("text", "Really!\nno dog\n"), ("held", "Really?\n")):
        for lang in LANGS:
            (tmp_path / f"{name}.{lang}").write_text(line)
    texts = (text_of(str(tmp_path / name), LANGS) for name in ("text", "held"))
    assert Without(*texts, LANGS, tokenized=False).left_out == frozenset()


def test_what_cannot_be_read_is_named(folder):
    with pytest.raises(CorpusError, match=r"b\.txt\.gz:en,fr: no column for 'zh'; list the language of each column"):
        text_of(f"{folder}/b.txt.gz:en,fr", LANGS)
    with pytest.raises(CorpusError, match=r"b\.txt\.gz, line 1: expected at least 4 columns, not 3"):
        list(text_of(f"{folder}/b.txt.gz:x,x,en,zh", LANGS).lines(0))
    with pytest.raises(CorpusError, match=r"column 2 of .*/b\.txt\.gz: it has no pair 9 \(counted from 0\)"):
        list(text_of(f"{folder}/b.txt.gz:en,zh[9::2]", LANGS).lines(0))
    with pytest.raises(CorpusError, match=r"none\.zh: no such file"):
        list(text_of(f"{folder}/none", LANGS).lines(0))
