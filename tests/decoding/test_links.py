"""Links of the Explorer in Python: they are those of the page, and lead to the same translation."""

from urllib.parse import urlencode

import pytest

from attn_core import force, link, n_best, translate, view
from attn_core.attention.settings import ATTENTION_TYPES
from attn_core.decoding import links
from attn_core.export.facts import windows
from attn_core.models.ensemble import Ensemble
from attn_core.trace import dump
from attn_core.trace.reading import parse
from tests.helpers.support import LUONG, TRANSFORMER, VARIANTS, tiny

TEXT = "A b c, d & e=a?"
SEARCH = {"beam": 3, "normalise": "wu", "alpha": 0.5}
WEIGHTS = {"kind": "weights", "step": 1, "weights": [0.25, 0.0001, 0, 1, 0, 0, 0, 0, 0, 0]}
OF_HEAD = WEIGHTS | {"layer": 0, "head": 1}
WORD = {"kind": "word", "step": 2, "word": "p"}
LOCAL = LUONG | {"window": "local-p"}
# By what a link holds: a model's settings, options of `translate`, and the link without text and model.
LINKED = {
    "nothing": (LUONG, {}, {}),
    "a window": (LUONG, {"window": "local-m", "half_width": 2}, {"window": "local-m", "D": "2"}),
    "a sigma": (LOCAL, {"sigma": 0.75}, {"window": "local-p", "D": "1", "sigma": "0.75"}),
    "another window": (LOCAL, {"window": "global"}, {"window": "global"}),
    "p_t": (LOCAL, {"centers": {1: 2.5, 3: 0}}, {"window": "local-p", "p": "1-2.5_3-0", "D": "1", "sigma": "0.5"}),
    "a beam": (LUONG, SEARCH, {"beam": "3", "normalise": "wu", "alpha": "0.5"}),
    "hard": (LUONG, {"attention_type": "hard-argmax"}, {"attention_type": "hard-argmax"}),
    "unk": (LUONG, {"replace_unk": True}, {"unk": "replace"}),
    "states": (LOCAL, {"window": "global", "keep_states": True}, {"window": "global", "keep": "1"}),
    "weights": (LUONG, {"edits": [WEIGHTS, WORD]}, {"edit": "w1-0.25_0.0001_0_1_0_0_0_0_0_0 n2-p"}),
    "heads": (
        VARIANTS["luong-heads"],
        {"edits": [OF_HEAD, {"kind": "off", "layer": 0, "head": 1}, {"kind": "context", "step": 2, "from": 0}]},
        {"edit": "w1.0.1-0.25_0.0001_0_1_0_0_0_0_0_0 o0.1 c2-0"},
    ),
    "layers": (TRANSFORMER, {"edits": [{"kind": "off", "layer": 1, "head": 0}]}, {"edit": "o1.0"}),
}


def facts(model: str) -> dict:
    return {
        "model": model,
        "models": [model, "other"],
        "texts": {},
        "windows": windows(),
        "types": [*ATTENTION_TYPES],
        "glosses": ["off"],
        "stops": 0,
        "axes": [],
    }


@pytest.mark.parametrize("name", LINKED)
def test_a_trace_knows_its_link_and_the_link_leads_to_the_same_trace(name, page_probe):
    settings, options, wanted = LINKED[name]
    model = tiny(**settings)
    trace = translate(model, TEXT, **options)
    assert link(trace) == "?" + urlencode({"text": TEXT, "model": "tiny"} | wanted)
    for address in (
        link(trace),
        f"http://127.0.0.1:8501/{link(trace)}&level=workbench&step=3&utm_source=mail",
        link(trace)[1:],
    ):
        again = view(address, model)
        assert (again.settings, again.target, again.log_prob) == (trace.settings, trace.target, trace.log_prob)
    assert link(parse(dump(trace))) == link(trace)
    seen = page_probe("viewOf", dict([("text", TEXT), ("model", "tiny"), *wanted.items()]), facts("tiny"))
    assert seen["notices"] == []
    assert page_probe("linkOf", seen["view"], facts("tiny")) == link(trace)[1:]
    for read, edit in zip(seen["view"]["edits"], options.get("edits", []), strict=True):
        assert {name: value for name, value in read.items() if value is not None} == edit


def test_a_link_leads_to_the_second_translation_too():
    model = tiny(**LOCAL)
    address = "?text=a+b+c&model=tiny&D=1&beam=3&with=tiny&with_window=global"
    assert view(address, model).settings["half_width"] == 1
    second = view(address, model, compared=True)
    assert (second.settings["window"], second.settings["search"]) == ("global", "greedy")
    other = view(address.replace("with=tiny", "with=other"), model, compared=True)  # with the search of the first
    assert other.log_prob == translate(model, "a b c", window="global", beam=3).log_prob


BAD = {
    "model=tiny": "the link has no text: copy one by Share",
    "text=a+b": "the link has no model",
    "text=a+b&model=tiny&sigmaa=1": r"the link has 'sigmaa', which is none of its names \(did you mean 'sigma'\?\)",
    "text=a+b&model=tiny&D=wide": "D in the link must be a number, not 'wide'",
    "text=a+b&model=tiny&D=-1": "half_width",
    "text=a+b&model=tiny&window=round": "round",
    "text=a+b&model=tiny&p=1-x": "p in the link must be pairs of a step and a position",
    "text=a+b&model=tiny&beam=two": "beam in the link must be a whole number from 1, not 'two'",
    "text=a+b&model=tiny&beam=0": "beam in the link must be a whole number from 1, not '0'",
    "http://127.0.0.1:8501/": "the link has no text: copy one by Share",
    "text=a+b&model=tiny&unk=yes": "unk in the link must be replace, not 'yes'",
    "text=a+b&model=tiny&edit=q3-1": "edit in the link must be edits such as w3-0.2_0.8 or n4-dog, not 'q3-1'",
    "text=a+b&model=tiny&edit=c1-x": "edit in the link must be edits such as",
    "text=a+b&model=tiny&edit=o3.0": "tiny has no layer 3 with a head 0",
    "text=a+b&model=tiny&attention_type=hard-sample": "the page draws its own random numbers",
}


def test_a_tiny_weight_is_written_in_digits_that_links_can_hold():
    (edit,) = links.parse_edits(links.format_edits([WEIGHTS | {"weights": [1e-7, 0.1]}]))
    assert edit["weights"] == [1e-7, 0.1]


@pytest.mark.parametrize("address", BAD)
def test_a_link_that_cannot_be_read_says_what_is_wrong_with_it(address):
    with pytest.raises(ValueError, match=BAD[address]):
        view(address, tiny(**LOCAL))


def test_a_link_without_a_second_translation_says_so():
    with pytest.raises(ValueError, match="the link compares no second translation"):
        view("text=a+b&model=tiny", tiny(**LOCAL), compared=True)


def test_a_trace_that_no_link_leads_to_says_why():
    model = tiny(**LUONG)
    negative = [{"kind": "weights", "step": 0, "weights": [-1.0, 0, 0]}]
    traces = {
        "a trace of tokenized text": translate(model, "a b", tokenized=True),
        "the Explorer has no forced decoding": force(model, "a b", "p"),
        "the Explorer has no temperature": translate(model, "a b", temperature=1.0),
        "the page draws its own random numbers": translate(model, "a b", attention_type="hard-sample"),
        "the Explorer has no unk_shift": translate(model, "a b", replace_unk=True, unk_shift=1),
        "the Explorer has no min_length": translate(model, "a b", min_length=3),
        "the Explorer has no ensemble": translate(Ensemble([model, tiny(1, **LUONG)]), "a b"),
        "a link holds weights from 0 to 1 only": translate(model, "a b c", edits=negative),
    }
    for message, trace in traces.items():
        with pytest.raises(ValueError, match=message):
            link(trace)
    assert link(n_best(model, "a b", 2)[1]).startswith("?text=a+b")
