"""Run the arithmetic of the Corpus page and the engine in node."""

import base64
from collections.abc import Callable
from typing import Any

import pytest

from attn_core.browser import bundle
from attn_core.export.model_files import model_files
from attn_core.models import folders
from tests.helpers.javascript import evaluator
from tests.lab import stages

PURE = ("alignment", "csv", "figures", "heads", "rows", "measuring", "text", "examples")
MODULES = (
    bundle.SERVICE,
    bundle.CODE.with_name("measures.js"),
    *(stages.LAB / "corpus" / f"{name}.js" for name in PURE),
)
# A sentence as measuring.js makes it of the engine's answer.
MEASURED = """
((files) => {
  const model = js.open({ ...files, weights: Uint8Array.from(Buffer.from(files.weights, "base64")) });
  const engine = { weights: async (asked) => model.weights(asked) };
  return (lines, how = {}) => {
    const found = [];
    const given = { words: new Set(input.words ?? []), targetWords: new Set(), stopped: () => false };
    const read = model.lines(lines.map(({ text }) => text));
    const ready = lines.map((line, i) => ({ ...line, read: read[i] }));
    return js.measureLines(engine, ready, how, { ...given, onSentence: (one) => found.push(one) }).then(() => found);
  };
})(input.files)
"""


@pytest.fixture(scope="session")
def run(node: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Any], Any]:
    """Evaluate a JavaScript expression of `input`; `js` holds the exports of the page's modules and of the engine."""
    return evaluator(node, tmp_path_factory.mktemp("corpus"), MODULES)


def files(name: str) -> dict[str, Any]:
    """The files of a shipped model, with its weights in base64."""
    found = model_files(folders.find(name))
    return {**found.record, "weights": base64.b64encode(found.weights).decode()}
