"""The models, texts and plan that tests of the commands share."""

from pathlib import Path

import pytest

from attn_core.data.captions import captions
from tests.helpers.support import BAHDANAU
from tests.helpers.terminal import Run, lines, run, saved

SOURCES = ("a b c", "d e f g a", "b x", "g", "c c b a d e")
REFERENCES = ("n o p", "q r s", "t y", "u v n o", "p q")
SMALL = (
    '{embedding = 8, attentional = 8, "encoder.hidden" = 4, "decoder.hidden" = 8, '
    "min_frequency = 1, epochs = 2, warmup = 2}"
)
PLAN = f"""
[corpora.own]
train = "own"
valid = "few"
test = "few"
test_set = "a few captions"
languages = ["de", "en"]
tokenized = true

[models.without]
corpus = "own"
preset = "luong-base"
settings = {SMALL}
note = "It is small."
"""


@pytest.fixture(scope="module")
def local(tmp_path_factory) -> Path:
    return saved(tmp_path_factory.mktemp("models") / "local", score="general", window="local-p", half_width=2)


@pytest.fixture(scope="module")
def reads_eos(tmp_path_factory) -> Path:
    return saved(tmp_path_factory.mktemp("models") / "eos", **BAHDANAU, source_eos=True)


@pytest.fixture
def texts(tmp_path) -> tuple[Path, Path]:
    return lines(tmp_path / "test.de", *SOURCES), lines(tmp_path / "test.en", *REFERENCES)


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """A plan, and its data in the folder `data` beside it."""
    (tmp_path / "data").mkdir()
    for name, count in (("own", 40), ("few", 4)):
        for language in ("de", "en"):
            text = (" ".join(getattr(pair, f"{language}_tokens")) for pair in captions()[:count])
            lines(tmp_path / "data" / f"{name}.{language}", *text)
    return lines(tmp_path / "models.toml", PLAN)


def build(plan: Path, *more: object) -> Run:
    """`build` with the data of the plan; it trains in the folder `runs` beside it."""
    return run("build", plan, "--data", plan.parent / "data", "--work", plan.parent / "runs", *more)
