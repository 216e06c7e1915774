"""Which words of a sentence a page takes for known; its remarks are tested in remarks.test.js."""

import json
from pathlib import Path

import pytest

from attn_core import load, translate
from attn_core.browser import bundle
from attn_core.data import language
from attn_core.data.captions import captions
from attn_core.data.tokenizer import Tokenizer
from tests.helpers.tokenizers import rules_of

WEB = Path(bundle.__file__).parent
EXPLORER = Path(__file__).parents[2] / "app" / "explorer"
PAIRS = captions()
SIDES = [[" ".join(pair.de_tokens) for pair in PAIRS], [" ".join(pair.en_tokens) for pair in PAIRS]]
TEXTS = [
    *(pair.de for pair in PAIRS),
    *(pair.en for pair in PAIRS),
    "der blimblam quxquax",
    "Blimblam Quxquax",
    "Ein Hund & ein Blimblam",
    "?!",
    "",
    "„Ein“ Hund: 10:30 Uhr, 3 × 4",
    "½ ² 三",
]


@pytest.mark.parametrize("kind", ["word", "bpe"])
def test_the_page_reads_a_sentence_as_python_does(in_page, tmp_path, kind):
    size = {"size": 260} if kind == "bpe" else {}
    both = [
        Tokenizer.train(side, lang, kind, min_frequency=1, **size)
        for side, lang in zip(SIDES, ("de", "en"), strict=True)
    ]
    records = []
    for tokenizer in both:
        tokenizer.save(tmp_path / f"{tokenizer.lang}.json")
        records.append(json.loads((tmp_path / f"{tokenizer.lang}.json").read_bytes()))
    found = in_page("readings", records, rules_of("de", "en"), TEXTS)
    assert {one["swapped"] for one in found} == {False, True}
    for text, one in zip(TEXTS, found, strict=True):
        wanted = language.read(both[0].moses(text).split(), *both)
        assert one == {"known": [*wanted.known], "unknown": [*wanted.unknown], "swapped": wanted.swapped}, text


def test_captions_are_no_everyday_text_to_a_model_that_learned_captions(page_probe):
    model = load("bahdanau")
    models = [{"languages": ["German", "English"], "point": {"corpus": corpus}} for corpus in ("captions", "everyday")]

    def offered(texts: list[str]) -> int:
        answers = [
            {
                "reading": {"known": ["a"], "unknown": []},
                "trace": {"steps": [{"log_prob": word.log_prob} for word in trace.words]},
            }
            for trace in translate(model, texts)
        ]
        offers = page_probe.each("betterModel", [["x", answer, models, 0, [], True] for answer in answers])
        return sum(offer["place"] == 1 for offer in offers)

    assert offered([pair.de for pair in PAIRS]) <= 0.1 * len(PAIRS)
    everyday = ["Wo ist der Bahnhof?", "Ich habe meinen Schlüssel vergessen.", "Wann kommst du nach Hause?"]
    assert offered(everyday) >= 2
