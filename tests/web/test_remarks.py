"""What a page says of a sentence: which words its model knows, and the remarks on it."""

import json
import math
from pathlib import Path

import pytest

from attn_core import load, translate
from attn_core.data import language
from attn_core.data.captions import captions
from attn_core.data.tokenizer import Tokenizer
from attn_core.web import bundle
from tests.helpers.javascript import evaluator
from tests.helpers.tokenizers import MODULES, rules_of

WEB = Path(bundle.__file__).parent
EXPLORER = Path(__file__).parents[2] / "app" / "explorer"
PAIRS = captions()
SIDES = [[" ".join(pair.de_tokens) for pair in PAIRS], [" ".join(pair.en_tokens) for pair in PAIRS]]
READ = """(({ records: [source, target], rules, texts }) => {
  const [one, other] = [js.createTokenizer(source, rules), js.createTokenizer(target, rules, source)];
  return texts.map((text) => js.read(one.text(one.tokens(text)).split(" ").filter(Boolean), one, other));
})(input)"""
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


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    modules = (
        *MODULES,
        WEB / "engine" / "reading.js",
        WEB / "widget" / "remarks.js",
        EXPLORER / "settings" / "better.js",
    )
    return evaluator(node, tmp_path_factory.mktemp("remarks"), modules)


@pytest.mark.parametrize("kind", ["word", "bpe"])
def test_the_page_reads_a_sentence_as_python_does(run_js, tmp_path, kind):
    size = {"size": 260} if kind == "bpe" else {}
    both = [
        Tokenizer.train(side, lang, kind, min_frequency=1, **size)
        for side, lang in zip(SIDES, ("de", "en"), strict=True)
    ]
    records = []
    for tokenizer in both:
        tokenizer.save(tmp_path / f"{tokenizer.lang}.json")
        records.append(json.loads((tmp_path / f"{tokenizer.lang}.json").read_bytes()))
    found = run_js(READ, {"records": records, "rules": rules_of("de", "en"), "texts": TEXTS})
    assert any(one["swapped"] for one in found) == (kind == "word")
    for text, one in zip(TEXTS, found, strict=True):
        wanted = language.read(both[0].moses(text).split(), *both)
        assert one == {"known": [*wanted.known], "unknown": [*wanted.unknown], "swapped": wanted.swapped}, text


def answer(target="a dog </s>", known=("ein",), unknown=(), swapped=False, source="ein"):
    reading = {"known": known, "unknown": unknown, "swapped": swapped}
    return {"trace": {"source": source.split(), "target": target.split()}, "reading": reading}


REMARKS = [
    ("Ein Hund.", answer(), ""),
    (
        "A dog.",
        answer(swapped=True, unknown=("dog",)),
        "This looks like English. The model translates German into English, so expect nonsense.",
    ),
    (
        "der blimblam quxquax",
        answer(known=("der",), unknown=("blimblam", "quxquax")),
        "2 of 3 words are not in the model's vocabulary (“blimblam”, “quxquax”) and are read as <unk>. Expect a poor "
        "translation.",
    ),
    (
        "Ein Blimblam tanzt",
        answer(known=("ein", "tanzt"), unknown=("blimblam",)),
        "Not in this model's vocabulary and read as <unk>: “blimblam”",
    ),
    (
        "a a b",
        answer(known=tuple("abc"), unknown=("a", "a", "b")),
        "Not in this model's vocabulary and read as <unk>: “a”, “b”",
    ),
    ("x", answer(unknown=(41 * "x", 40 * "y"), known=tuple("abc")), f"“{39 * 'x'}…”, “{40 * 'y'}”"),
    ("x", answer(known=tuple("abcdefghijkl"), unknown=tuple("abcdefghi")), "“h” and 1 more"),
    ("Ein Hund.", answer("a dog"), "The translation was cut off after 2 words, the limit for this source sentence."),
    ("Ein Hund.", answer("▁a dog"), "cut off after 2 word pieces"),
    ("Ein Hund.", answer("▁a ▁do g ▁. </s>"), "A dot marks a word piece that continues a word."),
    ("Ein Hund.", answer("▁a ▁dog ▁. </s>"), ""),
    ("Ein Hund.", answer("▁a ▁dog ▁. </s>", source="▁ein ▁hu nd </s>"), "A dot marks a word piece"),
    ("Ein Hund läuft. Eine Katze schläft.", answer(), "This looks like several sentences."),
    (
        "Ein Hund läuft. Eine Katze schläft.",
        answer(source="ein hund läuft. eine katze schläft ."),
        "A full stop inside the text is read as part of the word before it.",
    ),
    ("Ein Hund läuft.", answer(), ""),
    ("Ein Hund, z. B. dieser, läuft.", answer(), ""),
    ("Um 3. Platz kämpfen sie !", answer(), ""),
]


def test_what_is_odd_is_said(run_js):
    given = [[text, one] for text, one, _said in REMARKS]
    found = run_js("input.map(([text, one]) => js.remarks(text, one, { languages: ['German', 'English'] }))", given)
    for (text, _one, said), one in zip(REMARKS, found, strict=True):
        assert said in one, text
        assert bool(said) == bool(one), text
    model = {"languages": ["German", "English"], "joined": True}
    said = run_js("js.remarks(...input)", ["Ein Hund läuft. Eine Katze schläft.", answer(), model])
    assert said == ""  # of a model that was trained on several sentences


def test_why_a_text_is_not_translated_is_said(run_js):
    given = [{"words": words, "most": 60, "unit": "words"} for words in (61, 2, 0)]
    given += [{"words": 61, "most": 60, "unit": "characters"}, {"words": 301, "most": 300, "unit": "pieces"}]
    assert run_js("input.map(js.refusal)", given) == [
        "This sentence has 61 words; the limit is 60.",
        "This text contains punctuation but no words.",
        "Type a sentence to translate it.",
        "This sentence has 61 characters; the limit is 60.",
        "This sentence has 301 word pieces; the limit is 300.",
    ]


def test_a_model_for_everyday_text_is_offered_where_the_current_one_knows_the_text_badly(run_js):
    german, french = ["German", "English"], ["English", "French"]
    models = [
        {"languages": french, "point": {"corpus": "everyday"}},
        {"languages": german, "point": {"corpus": "captions"}},
        {"languages": german, "point": {"corpus": "everyday"}},
        {"languages": german, "point": {"corpus": "captions"}, "joined": True},
        {"languages": german},
    ]

    none = {"place": -1, "reason": "", "label": ""}

    def offered(
        known: int, unknown: int, current=1, sure=(0.9,), text="x", as_trained=True, swapped=False, of=models
    ) -> int:
        """The place of the offered model; -1 for a reason without a model, -2 without a reason."""
        reading = {"known": ["a"] * known, "unknown": ["b"] * unknown, "swapped": swapped}
        trace = {"steps": [{"log_prob": math.log(p)} for p in sure]}
        found = run_js(
            "js.betterModel(...input)", [text, {"reading": reading, "trace": trace}, of, current, [], as_trained]
        )
        known_words = found != none and 3 * unknown <= known + unknown
        asked = "The model was trained on image captions, which are hardly ever questions: expect a worse translation."
        unsure = "The model is unsure of this translation."
        assert found["reason"] == ((asked if "?" in text else unsure) if known_words else "")
        assert bool(found["label"]) == (found["place"] >= 0)
        return -2 if found == none else found["place"]

    assert [offered(2, 0), offered(2, 1), offered(1, 1), offered(0, 1)] == [-2, -2, 2, 2]
    assert [offered(3, 0, sure=(0.9, p)) for p in (0.137, 0.135)] == [-2, 2]  # the geometric mean is about 0.35
    assert offered(1, 1, sure=(0.1,)) == offered(1, 1, sure=(0.1,), as_trained=False) == 2
    assert offered(3, 0, sure=(0.1,), as_trained=False) == -2  # it may be the window that makes it unsure
    assert offered(3, 0, sure=(0.1,), text="Ein Hund. Eine Katze.") == -2  # or that there are several sentences
    assert [offered(3, 0, text=text) for text in ("Wo ist er? ", "Wo? Dort.")] == [2, -2]
    assert offered(0, 1, swapped=True) == -2  # it reads the same language, and none reads the other one
    assert offered(0, 1, current=3) == -2  # a model of several sentences has other reasons
    assert offered(0, 1, current=2) == -2  # no better one, and the unknown words are named anyway
    assert offered(3, 0, current=2, text="Wo ist er?") == -2  # it knows questions
    assert [offered(3, 0, current=2, sure=(p,)) for p in (0.4, 0.3)] == [-2, -1]
    captions = [*models[1:], {"languages": french, "point": {"corpus": "captions"}}]
    assert [offered(3, 0, current=4, text=text, of=captions) for text in ("Where?", "Here.")] == [-1, -2]
    assert offered(3, 0, current=4, text="Wo ist er?") == -2  # it may have learned questions: its text is not known
    assert offered(3, 0, current=4, sure=(0.3,)) == 2
    assert [offered(0, 2, text=text) for text in ("Привет мир", "Привет Max")] == [-2, 2]


def test_of_several_models_for_everyday_text_the_most_similar_one_is_offered(run_js):
    points = [("captions", "dot"), ("everyday", "general"), ("everyday", "dot")]
    models = [{"languages": ["German", "English"], "point": {"corpus": c, "score": score}} for c, score in points]
    axes = [{"name": name, "chip": True, "values": []} for name in ("corpus", "score")]
    answer = {"reading": {"known": [], "unknown": ["a"]}, "trace": None}
    own = {"languages": ["German", "English"]}  # on no axis
    for current, wanted in ((models[0], 2), (models[1], -1), (own, 1)):
        offered = run_js("js.betterModel(...input)", ["x", answer, [current, *models[1:]], 0, axes, True])
        assert offered["place"] == wanted


def test_a_text_in_the_language_that_a_model_writes_is_offered_the_most_similar_model_of_the_other_direction(run_js):
    def model(name: str, pair: str, score: str) -> dict[str, object]:
        return {"name": name, "languages": pair.split("-"), "point": {"pair": pair, "score": score}}

    models = [
        model("one", "de-en", "general"),
        model("two", "en-de", "concat"),
        model("three", "en-de", "general"),
        model("four", "en-fr", "general"),
        model("five", "zh-en", "general"),
    ]
    axes = [
        {"name": name, "chip": True, "values": [[value, value] for value in values]}
        for name, values in [("pair", ["de-en", "en-de", "en-fr", "zh-en"]), ("score", ["general", "concat"])]
    ]

    def offered(current: int, swapped: bool = True, text: str = "A dog.") -> dict[str, object]:
        answer = {"reading": {"known": [], "unknown": ["a"], "swapped": swapped}, "trace": None}
        return run_js("js.betterModel(...input)", [text, answer, models, current, axes, True])

    assert offered(0) == {"place": 2, "reason": "", "label": "Try three (en → de)"}
    assert [offered(1)["place"], offered(2)["place"], offered(3)["place"]] == [0, 0, -1]  # none reads French
    assert offered(4)["place"] == 2  # none writes Chinese, but it reads English
    assert offered(0, swapped=False)["place"] == -1
    chinese = "一只狗在跑。"
    assert [offered(current, swapped=False, text=chinese)["place"] for current in (0, 3, 4)] == [4, 4, -1]
    assert [offered(0, swapped=False, text=text)["place"] for text in ("Was heißt 中 ?", "犬が走っている")] == [-1, -1]


def test_captions_are_no_everyday_text_to_a_model_that_learned_captions(run_js):
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
        offers = "input[0].map((answer) => js.betterModel('x', answer, input[1], 0, [], true))"
        return run_js(f"{offers}.filter(({{ place }}) => place === 1).length", [answers, models])

    assert offered([pair.de for pair in PAIRS]) <= 0.1 * len(PAIRS)
    everyday = ["Wo ist der Bahnhof?", "Ich habe meinen Schlüssel vergessen.", "Wann kommst du nach Hause?"]
    assert offered(everyday) >= 2
