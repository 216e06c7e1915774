"""Glosses of the source words in the player."""

import re
from pathlib import Path
from typing import Any

import pytest

from app.explorer.record import _glosses
from app.lab.heads.data import ORDERS
from app.lab.kit.sentences import REORDERED
from app.lab.paths import data as paths
from app.lab.score.evidence import sample
from app.lab.window import evidence as window
from app.service import first
from attn_core.data.examples import PAIRS, examples
from attn_core.data.glosses import glossed
from attn_core.data.tokenizer import Tokenizer
from attn_core.models.folders import TRANSLATOR, find, shipped
from tests.browser import traces
from tests.helpers.javascript import call_in_page, settle

ROOT = Path(__file__).parents[2]


def offered_texts(stops: list[dict[str, Any]]) -> dict[str, list[str]]:
    """The texts that pages, the tour, cards and the README offer, by language."""
    lab = [*(one.de for one in REORDERED), *ORDERS, window.SENTENCE, paths.SENTENCE, sample.SENTENCE, first.TEXT]
    prose = "\n".join((ROOT / folder / "README.md").read_text("utf-8") for folder in ("", "app"))
    quoted = re.findall(r"\*(?:Wo|Ein)[^*]+\*|\"Ein [^\"]+\"", prose)
    texts = {"de": [*(stop["link"]["text"] for stop in stops if "text" in stop["link"]), *lab]}
    sentences = [" ".join(text.strip('*"').split()) for text in quoted]
    texts["de"] += [text if text[-1] in ".?" else f"{text}." for text in sentences]
    for pair in PAIRS:
        texts.setdefault(pair[0], []).extend(one.source for one in examples(*pair))
    return texts


@pytest.mark.slow
@pytest.mark.parametrize("readable", [False, True])
def test_every_word_of_every_offered_sentence_is_glossed(page_probe, readable):
    """In the vocabulary of every shipped model, whole words or pieces: only marks and later pieces have no gloss."""
    texts = offered_texts(page_probe("stops"))
    known = {" ".join(one.tokens): one.glosses for one in glossed()}
    known |= {" ".join(one.source_tokens): _glosses(one) for pair in PAIRS for one in examples(*pair)}
    seen = set()
    for name in shipped(TRANSLATOR):
        path = find(name) / "source.json"
        if (content := path.read_bytes()) in seen:
            continue
        seen.add(content)
        vocabulary = Tokenizer.load(path)
        language = "zh" if vocabulary.lang == "en" else "en"
        table = {sentence: by[language] for sentence, by in known.items() if language in by}
        sources = [vocabulary.tokens(text) for text in texts[vocabulary.lang]]
        shown = page_probe.each("displayed", [[source] for source in sources]) if readable else sources
        found = page_probe.each("glossOf", [[source, table] for source in shown])
        pieces = any(token.startswith("▁") for source in sources for token in source)
        for source, glosses in zip(sources, found, strict=True):
            assert glosses is not None, (name, source)
            if vocabulary.lang == "zh":  # the gloss of a word is at its first character
                assert glosses[0]
                continue
            first = [not pieces or token.startswith("▁") for token in source]
            words = [bool(re.search(r"\w", token)) and begins for token, begins in zip(source, first, strict=True)]
            assert [bool(gloss) for gloss in glosses[: len(source)]] == words, (name, source)
    assert len(seen) > 4


@pytest.mark.parametrize("words", [traces.SHORT, (["ein", "hund", "läuft"], ["a", "dog", "runs", "</s>"])])
def test_glosses_are_written_with_the_source_words(hosted, words):
    """Slanted beside the words, or below them where there is room; only for the sentence that they belong to."""
    made = traces.make("global", words=words)
    gloss = [f"g{s}" for s in range(len(words[0]))]
    drawn = {}
    for key in (" ".join(words[0]), "ein anderer satz"):
        page = hosted(made, {"glosses": {key: gloss}}, width=700 if words is traces.SHORT else 1280)
        call_in_page(page, "recordTexts")
        page.locator(".ap").press("ArrowRight")
        settle(page)
        drawn[key] = {one["text"] for one in page.evaluate("window.drawn")}
    assert set(gloss) <= drawn[" ".join(words[0])]
    assert not set(gloss) & drawn["ein anderer satz"]
