"""Moses preprocessing. The expected lines follow from the rules of the Perl scripts.

tests/benchmarks/README.md says how many lines of Multi30k, made by those scripts, are reproduced.
"""

import pytest
from hypothesis import given
from sacremoses.corpus import NonbreakingPrefixes

from attn_core.data.form import AS_WRITTEN, Form
from attn_core.data.moses import Moses
from attn_core.data.tokenizer import NO_LANGUAGE
from tests.helpers.tokenizers import ANY_TEXT


@pytest.mark.parametrize(
    ("lang", "raw", "expected"),
    [
        ("de", "Übermütige Füchse, 3,5 kg schwer!", "übermütige füchse , 3,5 kg schwer !"),
        ("de", "„Hier“ – sagt er…", "&quot; hier &quot; - sagt er ..."),
        ("de", "Auf dem Tor steht: „Bitte läuten.“", "auf dem tor steht : &quot; bitte läuten &quot; ."),
        ("de", "Auf dem Tor steht: „Bitte läuten.“  ", "auf dem tor steht : &quot; bitte läuten &quot; ."),
        ("en", "The sign says “Please ring.”", "the sign says &quot; please ring . &quot;"),
        ("en", "It's Tom’s", "it &apos;s tom &apos;s"),
        ("de", "Wie geht's", "wie geht &apos; s"),
        ("de", "Rock ’em", "rock &quot; em"),
        ("en", "a [b] <c> d|e & f", "a &#91; b &#93; &lt; c &gt; d &#124; e &amp; f"),
        ("en", "a well-known half - half", "a well-known half - half"),
        ("en", "one\ttwo\nthree\u2028four\u00a0five\rsix", "one two three four five six"),
        ("en", "", ""),
        ("en", " \t ", ""),
        # The last full stop of a line is separated from any word, others only if no abbreviation ends with them.
        ("de", "Brot, Käse usw.", "brot , käse usw ."),
        ("de", "Brot usw. und Käse usw.", "brot usw. und käse usw ."),
        ("de", "Er kam am 3.", "er kam am 3 ."),
        ("de", "Das heißt d.h.", "das heißt d.h ."),
        ("de", "Er sagt „usw.“", "er sagt &quot; usw &quot; ."),
        ("de", "Warte...", "warte ..."),
        ("en", "Apples, pears, etc.", "apples , pears , etc ."),
        ("en", "At 5 p.m.", "at 5 p.m ."),
        ("en", "No.", "no ."),
        ("en", ".", "."),
        ("fr", "des pommes, etc.", "des pommes , etc ."),
    ],
)
def test_moses_writes_what_the_perl_scripts_write(lang, raw, expected):
    assert Moses(lang)(raw) == expected


@pytest.mark.parametrize("lang", sorted(set(NonbreakingPrefixes().available_langs.values())))
def test_no_abbreviation_keeps_the_last_full_stop_of_a_line(lang):
    for prefix in NonbreakingPrefixes().words(lang):
        line = Moses(lang, form=AS_WRITTEN)(f"1 {prefix.split()[0].rstrip('.')}.")
        assert line.endswith(" ."), line


@pytest.mark.parametrize(
    ("lang", "word"),
    [
        ("fa", "می\u200cخواهم"),
        ("fa", "کار\u200cها"),
        ("ar", "ه\u200d"),
        ("hi", "क्\u200dष"),
        ("hi", "क्\u200cष"),
        ("bn", "র\u200d্যাব"),
        ("ml", "അവന്\u200d"),
        ("si", "ශ්\u200dරී"),
        ("mn", "ᠰᠠᠷ\u180eᠠ"),
    ],
)
def test_joiners_that_spell_a_word_stay(lang, word):
    assert Moses(lang)(word) == word
    assert Moses(lang)(f"{word} {word}, {word}.") == f"{word} {word} , {word} ."
    assert Moses(lang).detokenize([word, "."]) == f"{word}."


@pytest.mark.parametrize(
    ("odd", "plain"),
    [
        ("\u200cمی خواهم\u200c", "می خواهم"),  # at the start and at the end of a word
        ("می\u200c\u200cخواهم", "می\u200cخواهم"),
        ("می\u200b\u200cخواهم", "می\u200cخواهم"),
        ("Auf\u200clage", "auflage"),
        ("می \u200d خواهم", "می خواهم"),
        ("۳\u200c۴", "۳۴"),
    ],
)
def test_joiners_that_no_word_needs_are_removed(odd, plain):
    assert Moses("fa")(odd) == plain


def test_signs_of_the_category_of_invisible_characters_stay():
    assert Moses("ar")("\u06dd") == "\u06dd"


@pytest.mark.parametrize(
    ("odd", "plain"),
    [
        ("scho\u0308n", "schön"),  # typed on a Mac: letter and diaeresis apart
        ("\ufeffzwei\u200b Zwie\u00adbeln\u200e", "zwei zwiebeln"),
        ("a\x00b\x7fc", "abc"),
        ("❤\ufe0f", "❤"),
        ("👩\u200d🍳", "👩 🍳"),
        ("\ud83e\udd86", "🦆"),  # one character in two surrogates
        ("a \ud83e b", "a \ufffd b"),
    ],
)
def test_no_token_is_invisible_or_unwritable(odd, plain):
    assert Moses("de")(odd) == plain


@given(ANY_TEXT)
def test_moses_gives_one_writable_line(text):
    line = Moses("de")(text)
    assert len(line.splitlines()) <= 1
    line.encode()


def test_each_sentence_is_tokenised_by_itself_where_that_is_asked_for():
    text = "Ein Hund läuft. Ist er schnell? Ja! Dr. Ada kam am 3. Mai, z.B. Mit dem Zug. und ohne."
    apart = "ein hund läuft . ist er schnell ? ja ! dr. ada kam am 3. mai , z.b. mit dem zug. und ohne ."
    assert Moses("de", sentences=True)(text) == apart
    assert Moses("de")(text).split()[:3] == ["ein", "hund", "läuft."]  # as the scripts, which read one sentence a line
    assert Moses("de", sentences=True)("") == ""
    assert Moses("de", sentences=True)("20\u00a0000 Hunde.  Ja.") == Moses("de")("20\u00a0000 Hunde.") + " ja ."


def test_text_of_no_language_is_left_as_it_is():
    assert Moses(NO_LANGUAGE)(" A  b's,\t7 ") == "A b's, 7"
    assert Moses(NO_LANGUAGE).detokenize(["a", ",", "&apos;s"]) == "a , &apos;s"


def test_raw_text_keeps_its_capitals_for_a_vocabulary_with_capitals():
    moses = Moses("de", form=Form(lower=False, unicode="NFD"))
    assert moses("Die Köchin sieht Äpfel.") == "Die Ko\u0308chin sieht A\u0308pfel ."
    assert moses.detokenize(["der", "Hund", "."]) == "der Hund."


@pytest.mark.parametrize(
    ("lang", "tokens", "expected"),
    [
        ("en", "a cook &apos;s knife , isn &apos;t it ? yes . ah !", "A cook's knife, isn't it? Yes. Ah!"),
        ("en", "&quot; ring twice &quot; , it says .", '"Ring twice", it says.'),
        ("en", "3 ducks swim", "3 ducks swim"),
        ("de", "äpfel &amp; birnen ( reif ) &lt; 5 kg", "Äpfel & birnen (reif) < 5 kg"),
        ("de", "ßa", "ßa"),  # its capital is two letters
        ("de", "&apos; s war spät", "'S war spät"),
        ("de", "&apos;s war spät", "'S war spät"),
        ("en", "<unk> dogs run . &quot; <unk> runs", '<unk> dogs run. "<unk> runs'),
        ("en", "", ""),
    ],
)
def test_detokenize_spaces_unescapes_and_starts_with_a_capital(lang, tokens, expected):
    assert Moses(lang).detokenize(tokens.split()) == expected
