"""The tokenisers of Python and of the engine in the page, run on the same texts."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from attn_core.data.moses_rules import rules
from attn_core.data.subwords import SPECIALS
from attn_core.data.tokenizer import Tokenizer
from attn_core.data.vocabulary_files import read_vocabulary
from tests.helpers.javascript import Script

PROBE = Path(__file__).with_name("tokenizer_probe.js")

ANY_TEXT = st.text(st.characters(exclude_categories=())) | st.lists(
    st.sampled_from(
        [*SPECIALS, "köchin", "▁", "&lt;/s&gt;", "</", "s>", "'", '."', "\u200b", "\t", "\ud800", "é", "🦆"]
    )
).map("".join)

Result = dict[str, Any]

rules_of = cache(rules)


def python_results(tokenizer: Tokenizer, texts: Sequence[str]) -> list[Result]:
    """What each method of Python's tokenizer makes of each text."""
    return [_result(tokenizer, text) for text in texts]


def page_results(in_page: Script, path: Path, texts: Sequence[str]) -> list[Result]:
    """The same by the engine's tokenizer, from the file at `path`; `in_page`: the functions of PROBE."""
    record = json.loads(path.read_bytes())
    name = record["tokenizer"]
    beside = json.loads((path.parent / name).read_bytes()) if isinstance(name, str) else None
    if "truecase" in record:
        record["truecase"] = read_vocabulary(path)["truecase"]
    return in_page("results", {"record": record, "beside": beside, "rules": rules_of(record["lang"]), "texts": texts})


def _result(tokenizer: Tokenizer, text: str) -> Result:
    tokens, split = tokenizer.tokens(text), tokenizer.tokens(text, tokenized=True)
    return {
        "line": tokenizer.moses(text),
        "tokens": tokens,
        "ids": tokenizer.ids(tokens),
        "unknown": tokenizer.unknown(tokens),
        "split": split,
        "split_ids": tokenizer.ids(split),
        "text": tokenizer.text(tokens),
        "detokenized": tokenizer.detokenize(tokens),
    }
