"""Words that are written from right to left keep their place in a sentence of the interface."""

from attn_core.messages import _, isolated, ngettext

HEBREW, ARABIC, END = "שלום", "مرحبا", "\u2069"
TEXTS = [
    "Hund",
    "中文",
    HEBREW,
    ARABIC,
    f"a {HEBREW}",
    "\u202eevil",
    f"{END}{HEBREW}",
    f"\u2067{HEBREW}",
    "",
    "«ü»",
    "\U0001e900",
]


def balanced(text: str) -> bool:
    """Whether every isolate in a text ends inside it, and none ends that did not begin."""
    depth = 0
    for character in text:
        depth += ("\u2066" <= character <= "\u2068") - (character == END)
        if depth < 0:
            return False
    return depth == 0


def test_values_from_right_to_left_are_isolated_in_messages_of_python():
    said = _("There is no model “{name}” here; {other} is shown instead.").format(name=HEBREW, other="bahdanau")
    assert said == f"There is no model “\u2068{HEBREW}{END}” here; bahdanau is shown instead."
    assert _("{path!r:.60} holds {n:.1f}").format(path=ARABIC, n=2) == f"\u2068'{ARABIC}'{END} holds 2.0"
    assert ngettext("{n} word: {words}", "{n} words: {words}", 1).format(n=1, words=HEBREW).endswith(END)


def test_values_from_right_to_left_are_isolated_in_messages_of_the_page(page_probe):
    said = page_probe("t", "“{word}” of {n}", {"word": HEBREW, "n": 3})
    assert said == f"“\u2068{HEBREW}{END}” of 3"
    assert page_probe("tn", "{n} word: {word}", "{n} words: {word}", 2, {"word": "Hund"}) == "2 words: Hund"


def test_page_and_python_isolate_the_same_texts_and_no_text_ends_its_isolate(page_probe):
    found = [isolated(text) for text in TEXTS]
    assert page_probe.each("isolated", [[text] for text in TEXTS]) == found
    assert all(balanced(text) for text in found)
    assert [text for text, shown in zip(TEXTS, found, strict=True) if text == shown] == ["Hund", "中文", "", "«ü»"]


def test_unknown_words_from_right_to_left_stand_in_the_order_of_the_sentence(visit_live):
    """The first of two Hebrew words in the note is left of the second, as in a list of an English sentence."""
    page = visit_live("", ".live-output", query={"text": f"{HEBREW} {ARABIC} ein Hund Mann Frau ."})
    note = page.locator(".live-note").filter(has_text=HEBREW).first
    places = note.evaluate(
        """(note, words) => words.map((word) => {
          const text = [...note.childNodes].find((one) => one.data?.includes(word));
          const range = document.createRange();
          range.setStart(text, text.data.indexOf(word));
          range.setEnd(text, text.data.indexOf(word) + word.length);
          return range.getBoundingClientRect().left;
        })""",
        [HEBREW, ARABIC],
    )
    assert places[0] < places[1]
