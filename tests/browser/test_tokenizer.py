"""The tokenizer of the engine in the page equals Python's: words, pieces, ids, and the way back to running text."""

import json
import random
import re
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from attn_core.data.examples import examples
from attn_core.data.moses import Moses
from attn_core.data.subwords import SPECIALS
from attn_core.data.tokenizer import NO_LANGUAGE, Tokenizer
from attn_core.data.vocabulary_files import read_vocabulary
from attn_core.models.folders import PRETRAINED
from tests.data.test_damaged_tokenizers import DAMAGES, damaged
from tests.helpers.tokenizers import page_results, python_results, rules_of

VOCABULARIES = {  # of words, of pieces, and one that both languages share
    "German words": "luong-general-local-p/source.json",
    "English words": "luong-general-local-p/target.json",
    "German words by sentence": "luong-general-global-long/source.json",
    "German pieces": "best-de-en/source.json",
    "English pieces": "best-de-en/target.json",
    "shared pieces": "transformer/target.json",
}
LANGUAGES = ("cs", "de", "en", "es", "fa", "fi", "fr", "ga", "hi", "it", "ko", "ru", "zh", NO_LANGUAGE)
SENTENCES = (
    "",
    " ",
    "\n",
    "Zwei Köche (Anna & „Bo“) schneiden 3,5 kg Zwiebeln – für 4 €!",
    "Auf dem Tor steht: „Bitte läuten.“",
    "Sie rief: »Halt!«, dann « non », ‹ ja › und ‚nein‘ …",
    "„Außen ‚innen‘ außen“, sagte sie; 'einfach' und ''zweifach'' und ``schief''.",
    "Der Hund z.B. läuft ca. 20 m, bzw. 1.000 m, d.h. weit usw.",
    "Dr. Müller u.a. kamen am 3. Mai um 12:30 Uhr. 5. Stock.",
    "Siehe nr. 5, pp. 5 bis 7, nr. (5), pp. (7), nr. X, pp. XI.",
    "Sie schläft. Er nicht! Wer? Dr. Ada am 3. Mai, z.B. Hier.  Ja. 20\u00a0000 X.\nÄpfel? ǅ! ıst. İst. 🦆. A",
    "Mr. Smith, e.g. at no. 5 or No. five, isn't here; the cooks' knives aren't Anna's.",
    "It's 5 o'clock, y'all: they'd've left 'em, rock 'n' roll, the '90s.",
    "https://beispiel.de/weg?frage=1&antwort=2#ende und www.beispiel.de, an@beispiel.de @an #los",
    "a/b and/or c\\d [e] {f} <g> h|i ~ ^ ` ´ ° § %",
    "1,000.50 1.000,50 1 000 1\u00a0000 5% 5 % 5\u00a0% -5 +5 ½ x² 1/2 10^3 50°C 20\u00a0ºC nº\u00a07",
    "Warte. . . wirklich.. ja... nein.... '. .' \".",
    "Ende mit Apostroph und Punkt.'",
    "Brot, Käse usw. und d.h.",
    "At 5 p.m. etc.",
    "می\u200cخواهم \u200cآن\u200c ها، کار\u200cها. \u06dd क्\u200dष\u200c\u200cक അവന്\u200d Auf\u200clage ᠰᠠᠷ\u180eᠠ",
    "I've 🦆🦆, 👩\u200d🍳, 👍🏽, 🇩🇪 and ❤\ufe0f (❤).",
    "scho\u0308n, e\u0301te\u0301, A\u030a, q\u0323\u0307 q\u0307\u0323, \u0301allein, 가각 und \u1100\u1161\u11a8",
    "un\u00adsicht\u200bbar\ufeff \u200eLRM\u202e RLO \u2060WJ \U000e0061 Tag",
    "a" * 1000,
    "Donau" * 200 + ".",
    "🦆" * 300,
    "x\x00y\x01\x1bz\x7f\x80\x9f \x1c a \x1d b \x1e c \x1f d \x85 e \x0b f \x0c g",
    "one\ttwo\r\nthree\u2028four\u2029five\u00a0six\u202fseven\u3000eight\rnine\n",
    "ΟΔΟΣ, ΣΟΦΟΣ. ΑΣ\u0301 Σ ΑΣ'Α İSTANBUL ISSIZ ǅ ǆ ŉ ẞ straße ﬁsch ʰΣ",
    "Привет, мир! 你好，世界。カタカナ と ひらがな 한국어 العربية עברית हिन्दी ไทย",
    "漢字 漢字 , 漢 a 漢字。「引用」（括弧）！",
    "lone \ud83e and \udd86 surrogates, a pair \ud83e\udd86",
    "<unk> <s> </s> <pad> </ s> ▁ ▁wort wort▁ DOTMULTI DOTDOTMULTI. @-@ a @-@ b",
    "&amp; &lt;s&gt; &apos; &quot; &#124; &#91; &bar; &bra; &ket; &amp;amp; &nbsp;",
    "constructor __proto__ toString hasOwnProperty $1 $& $$ \\1",
    "\u0378 \u05ff \U0003ffff \ue000 \ufffe \U0010ffff",
)
NASTY = (
    *"aAzÄßẞıİσΣςΑ'`´’‘‚„“”\"«»‹›.,;:!?…–—-()[]{}<>&|%$€#@/\\_*^~°º019²½٣",
    *(" ",) * 12,
    *"\t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2009\u2028\u2029\u202f\u3000\x00\x01\x7f\x9f",
    *"\u200b\u200c\u200d\u180e\u0645\u094d\u2060\ufeff\u00ad\u202e\ufe0f\u0301\u0308\u0327\u0323\u0345\u3099ʰŉǰǅﬁΩÅ漢。，가각かカｶﾞक़्ːˈ",
    *(
        "🦆",
        "👩\u200d🍳",
        "🇩🇪",
        "\U00010400",
        "\U0001d4b3",
        "\ud83d",
        "\ude00",
        "\ue000",
        "\ufffe",
        "\U0010ffff",
        "\u0378",
    ),
    *("nº", "ºC", "cm", "...", "..", "'s", "n't", "l'", "z.b.", "dr.", "no.", "u.s.a.", "http://a.b/c?d=e&f", "x@y.de"),
    *("&amp;", "&apos;", "&bar;", " @-@ ", "DOTMULTI", "▁", "``", "''", "1,000", "3.5", "haus", "dogs"),
    *SPECIALS,
)
TOKENS = (
    *NASTY,
    *("'", '"', "„", "“", "”", "``", "''", ".", ",", "!", "?", ":", "(", ")", "$", "€", "%", "-", "–", "漢字", "가")
    * 2,
    *("&apos;", "&quot;", "&apos;s", "&#91;", "l'", "l&apos;", "jones", "homme", "12", "7", "EU:", "ssa") * 2,
)


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    """The JSON of a tokenizer with pieces."""
    return read_vocabulary(PRETRAINED / VOCABULARIES["German pieces"])


def joined(seed: str, parts: tuple[str, ...], n: int, most: int) -> list[str]:
    """Texts of up to `most` random parts."""
    chosen = random.Random(seed)
    return ["".join(chosen.choices(parts, k=chosen.randint(0, most))) for _ in range(n)]


@pytest.fixture(scope="module", params=[("fr", "word"), ("zh", "word"), ("zh", "bpe")], ids="-".join)
def own(request, tmp_path_factory) -> tuple[Path, list[str]]:
    """The file of a vocabulary of our own sentences in a language, and these sentences."""
    lang, kind = request.param
    texts = (
        [one.target for one in examples("en", "fr")] if lang == "fr" else [one.source for one in examples("zh", "en")]
    )
    tokenizer = Tokenizer.train(map(Moses(lang), texts), lang, kind, min_frequency=1, size=250)
    path = tmp_path_factory.mktemp(f"{lang}-{kind}") / "source.json"
    tokenizer.save(path)
    return path, texts


HOSTILE = (  # French and Chinese beyond our own sentences
    "L’été, aujourd'hui : « qu’est-ce que c'est ? » — 3,5 % d'œufs ; va-t'en !",
    "D'ABORD l'Île-d'Yeu, 'l'homme' l''un d' c'''",
    "他说：“你好，Tom！”《红楼梦》……（第3章）3.5公里、1,000本书。",
    "一只狗。一只猫！两个 人？ 𠮷野家 㐀 〇 々 ー カﾞ ＡＢＣ１２３ ， ｡ ︰",
    "漢字和汉字混a字b字3字,半角,標點.與。「引號」『書』〈〉〔〕",
    "\u3000全角空格\u3000。\ufeff。。。\U0002f800\U00030000\U0003fffd\U00040000 ⺀ ⻳ 龿 豈 ꀀ",
    "▁一▁ <unk>字 </s>。 &amp;字 &#91;字&#93;",
)


@pytest.mark.quick(1)
def test_french_and_chinese_text_gives_the_same_tokens_ids_and_text_as_in_python(own, in_page):
    path, texts = own
    tokenizer = Tokenizer.load(path)
    texts = [*texts, *HOSTILE, *SENTENCES, *joined(tokenizer.lang, (*NASTY, *"一只狗。，《》、你好"), n=200, most=20)]
    assert page_results(in_page, path, texts) == python_results(tokenizer, texts)


def test_a_vocabulary_of_words_has_the_characters_of_chinese():
    tokenizer = Tokenizer.train([Moses("zh")("他有3只猫（abc）。《书》")], "zh", min_frequency=1)
    found = tokenizer.tokens("他有3只猫（abc）。《书》")
    assert found == ["他", "有", "3", "只", "猫", "（", "abc", "）", "。", "《", "书", "》"]
    assert tokenizer.unknown(found) == []


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_a_sentence_gives_the_same_tokens_ids_and_text_as_in_python(vocabulary, in_page):
    path = PRETRAINED / VOCABULARIES[vocabulary]
    assert page_results(in_page, path, SENTENCES) == python_results(Tokenizer.load(path), SENTENCES)


@pytest.mark.quick(2)
@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_random_text_gives_the_same_tokens_ids_and_text_as_in_python(vocabulary, in_page):
    path = PRETRAINED / VOCABULARIES[vocabulary]
    texts = joined(vocabulary, NASTY, n=600, most=30)
    assert page_results(in_page, path, texts) == python_results(Tokenizer.load(path), texts)


@pytest.mark.quick(2)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_of_other_languages_are_those_of_python(lang, in_page):
    texts = [*SENTENCES, *joined(lang, NASTY, n=200, most=30)]
    tokens = [joined(f"{lang} {i}", TOKENS, n=i % 12, most=1) for i in range(400)]
    tokens = [[token for token in line if token] for line in tokens]
    tokens += [
        line.split() for line in ("ab cd 3 .", "ab 3 .", "„ a „ b “ c “ d", "' cooks ' a ' b", "x cooks ' a ' b '")
    ]
    found = in_page("byRules", rules_of(lang), lang, texts, tokens)
    moses = Moses(lang)
    assert found == [[moses(text) for text in texts], [moses.detokenize(line) for line in tokens]]


@pytest.mark.slow
def test_chinese_characters_are_letters_in_chinese(in_page):
    text = "我有3只猫，𠀀𠀁-甲。"  # few: Python compares each character with 80,000 others
    ((found,), _) = in_page("byRules", rules_of("zh"), "zh", [text])
    assert found == Moses("zh")(text)
    assert found != Moses("de")(text)


@pytest.mark.slow
def test_every_kind_of_character_is_treated_as_in_python(in_page):
    many = ("Cn", "Co", "Lo", "So")  # unassigned, private, ideographs and syllables, pictures: some of each
    codes = [code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) not in many or not code % 89]
    lines = [f"a{chr(code)}b {chr(code)}1,{chr(code)}. Α{chr(code)}" for code in codes]
    texts = [" ".join(lines[i : i + 64]) for i in range(0, len(lines), 64)]
    moses = Moses("en")
    tokens = [[token] for text in texts for token in moses(text).split()]
    found = in_page("byRules", rules_of("en"), "en", texts, tokens)
    assert found == [[moses(text) for text in texts], [moses.detokenize(token) for token in tokens]]


def test_a_character_that_python_does_not_know_yet_is_left_as_it_is(in_page):
    """A browser with a later Unicode knows its small letter, its capital and its composition."""
    rules = rules_of("de")
    omicron, accent = "\u039f", "\u0301"
    before = unassigned(rules, omicron)
    wanted = {f"Α{omicron}Σ": f"α{omicron}σ", f"{omicron}{accent}": f"{omicron} {accent}"}
    word = f"{omicron.lower()}α"
    (lines, detokenized), (known_lines, known) = in_page.each(
        "byRules", [[some, "de", [*wanted], [[word]]] for some in (before, rules)]
    )
    assert lines == [*wanted.values()]
    assert known_lines == [Moses("de")(text) for text in wanted]
    assert not set(known_lines) & set(lines)
    assert (known, detokenized) == ([f"{omicron}α"], [word])


def unassigned(rules: dict[str, Any], character: str) -> dict[str, Any]:
    """The rules as a Python would write them that does not know this character."""
    place = int(re.fullmatch(r"\\p\{(\d+)\}", rules["text"]["assigned"])[1])
    runs, at = [], 0
    for i, run in enumerate(rules["classes"][place]):
        inside = i % 2 == 1 and at <= ord(character) < at + run
        runs += [ord(character) - at, 1, at + run - ord(character) - 1] if inside else [run]
        at += run
    classes = [*rules["classes"]]
    classes[place] = runs
    return rules | {"classes": classes}


@pytest.mark.parametrize("kind", ["word", "bpe"])
@pytest.mark.parametrize("spelling", ["NFC", "NFD"])
def test_text_for_a_vocabulary_with_capitals_is_brought_to_its_form_as_in_python(spelling, kind, in_page, tmp_path):
    lines = [unicodedata.normalize(spelling, "Die Köchin und der Hund sehen Äpfel .")]
    Tokenizer.train(lines, "de", kind, min_frequency=1).save(tmp_path / "source.json")
    tokenizer = Tokenizer.load(tmp_path / "source.json")
    assert not tokenizer.form.lower
    texts = [*lines, *SENTENCES, "Der HUND sieht A\u0308pfel.", *joined(spelling, NASTY, n=60, most=20)]
    assert page_results(in_page, tmp_path / "source.json", texts) == python_results(tokenizer, texts)


@pytest.mark.parametrize("form", [None, {}, {"lower": 1, "unicode": "NFC"}, {"lower": True, "unicode": "NFKC"}])
def test_a_damaged_form_is_named(form, record, in_page):
    said = in_page.failure("vocabulary", record | {"form": form}, rules_of("de"))
    assert "expected a form with lower" in said


# Word pieces


@pytest.mark.parametrize(
    ("merges", "word", "pieces"),
    [
        (["b c", "a b"], "abc", ["▁", "a", "bc"]),  # the first merge first, although the second begins further left
        (["a b", "b c"], "abc", ["▁", "ab", "c"]),
        (["a a"], "aaa", ["▁", "aa", "a"]),  # from the left
        (["a a", "aa aa"], "aaaaaa", ["▁", "aaaa", "aa"]),
        (["a b", "▁ ab"], "abab", ["▁ab", "ab"]),
        ([], "a🦆b", ["▁", "a", "🦆", "b"]),
    ],
)
def test_pieces_follow_the_order_of_the_merges(merges, word, pieces, record, in_page):
    assert in_page("pieces", with_merges(record, merges), rules_of("de"), [word]) == [pieces]


def test_pieces_are_those_of_the_library_for_random_merges(record, in_page, tmp_path):
    chosen = random.Random(5)
    words = ["".join(chosen.choices("abc🦆", k=chosen.randint(1, 40))) for _ in range(60)]
    records = []
    for _ in range(20):
        pieces, merges = list("abc"), []
        for _ in range(25):  # no order of training: a later merge can make what an earlier one takes
            pair = chosen.choices(pieces, k=2)
            merges.append(" ".join(pair))
            pieces.append("".join(pair))
        records.append(with_merges(record, merges))
    wanted = []
    for case in records:
        path = tmp_path / "source.json"
        path.write_text(json.dumps(case))
        own = Tokenizer.load(path)
        wanted.append([own.tokens(word, tokenized=True) for word in words])
    assert in_page.each("pieces", [[case, rules_of("de"), words] for case in records]) == wanted


def with_merges(record: dict[str, Any], merges: list[str]) -> dict[str, Any]:
    pairs = [merge.split() for merge in merges]
    tokens = dict.fromkeys([*SPECIALS, "▁", *"abc", *map("".join, pairs)])
    model = {"vocab": {token: i for i, token in enumerate(tokens)}, "merges": pairs}
    return record | {"tokenizer": {"model": model}}


# The vocabulary and the rules


def test_the_page_reads_the_same_vocabulary(in_page):
    path = PRETRAINED / VOCABULARIES["shared pieces"]
    own = Tokenizer.load(path)
    record = read_vocabulary(path) | {"tokenizer": "source.json"}
    found = in_page("vocabulary", record, rules_of("en"), read_vocabulary(path.with_name("source.json")))
    assert found == {"lang": "en", "kind": "bpe", "tokens": [own.token(i) for i in range(len(own))]}


def test_control_tokens_are_left_out_of_the_text_and_unknown_ones_kept(record, in_page):
    tokens = ["<s>", "▁ein", "<unk>", "<pad>", "▁.", "</s>"]
    assert in_page("textOf", record, rules_of("de"), tokens) == ["ein<unk> .", "Ein<unk>."]


@pytest.mark.quick(5)
@pytest.mark.parametrize("damage", sorted(DAMAGES.keys() - {"an id with a point"}))  # JavaScript reads 1.0 as 1
def test_a_damaged_vocabulary_is_named(damage, record, in_page, tmp_path):
    path = tmp_path / "target.json"
    Tokenizer.train(["die köchin schneidet brot , weil gäste kommen ."], "de", "bpe", min_frequency=1).save(path)
    said = in_page.failure("vocabulary", damaged(json.loads(path.read_text("utf-8")), damage), rules_of("de"))
    assert re.match(
        r"not a tokenizer file, or a damaged one \((expected|the vocabulary is|the merges are|merge) ", said
    )


def test_a_missing_shared_vocabulary_is_named(record, in_page):
    said = in_page.failure("vocabulary", record | {"tokenizer": "source.json"}, rules_of("de"))
    assert said == "not a tokenizer file, or a damaged one (the vocabulary is missing or invalid)"


@pytest.mark.parametrize("content", [None, [], {}, {"version": 2}, {"classes": []}, {"text": {}}, {"languages": {}}])
def test_damaged_rules_are_named(content, in_page):
    value = rules_of("de") | content if content else content
    said = in_page.failure("byRules", value, "de", ["a"])
    assert re.match(r"no tokenisation rules for 'de', or damaged ones \(\S+", said)


def test_a_language_without_rules_is_named(in_page):
    said = in_page.failure("byRules", rules_of("en"), "de", ["a"])
    assert said == "no tokenisation rules for 'de', or damaged ones (the languages are en)"


def test_an_id_outside_the_vocabulary_is_an_error(record, in_page):
    for id in (-1, 100_000):
        said = in_page.failure("tokenOf", record, rules_of("de"), id)
        assert re.fullmatch(rf"token id must be from 0 to \d+, not {id}", said)
