"""The record of an attribution, the quantities that are attributed, own methods, bad input, and the command."""

import json
import math

import pytest
import torch

from attn_core import attribute as exported
from attn_core import force, translate
from attn_core.attribution import METHODS, Attribution, Case, Found, Method, attribute, build_method
from attn_core.attribution.quantities import read_quantity
from attn_core.models.ensemble import Ensemble
from attn_core.trace import Trace
from tests.helpers.engine import unchecked
from tests.helpers.support import VARIANTS, close, tiny
from tests.helpers.terminal import lines, run, saved

OF_QUANTITIES = [name for name in METHODS if METHODS[name].of_quantity]


def test_without_a_target_the_greedy_translation_is_attributed():
    model = tiny(seed=12, **VARIANTS["bahdanau"])
    trace = translate(model, "a b c", tokenized=True)
    assert isinstance(trace, Trace)
    assert trace.target[-1] == "</s>"
    found = exported(model, "a b c", tokenized=True)
    assert (found.source, found.target) == (trace.source, trace.target)
    close(found.values, trace.weights())


def test_a_translation_that_was_cut_off_has_no_end():
    model = tiny(**VARIANTS["luong-paper"])
    with torch.no_grad():
        model.decoder.output.bias[3] = -1000  # </s>
    found = attribute(model, "a", method="occlusion-unk", tokenized=True)
    assert len(found.target) == 13
    assert "</s>" not in found.target
    trace = translate(model, "a", tokenized=True)
    close(found.attributed, torch.tensor([word.log_prob for word in trace.words], dtype=torch.float64))


def test_a_model_that_reads_the_end_of_the_source_has_a_value_for_it():
    model = tiny(**VARIANTS["bahdanau-zero-eos"])
    found = attribute(model, "a b", "n", method="gradient-input", tokenized=True)
    assert found.source == ("a", "b", "</s>")
    assert found.values.shape == (2, 3)


@pytest.mark.parametrize("method", OF_QUANTITIES)
def test_the_attributed_quantity_is_log_p_of_forced_decoding(method):
    model = tiny(**VARIANTS["luong-heads"])
    trace = force(model, "a zz c", "n yy", tokenized=True)  # zz and yy are unknown words
    found = attribute(model, "a zz c", "n yy", method=method, tokenized=True)
    assert (found.source, found.target) == (("a", "zz", "c"), ("n", "yy", "</s>"))
    assert (found.quantity, found.signed) == ("log_prob", True)
    close(found.attributed, torch.tensor([word.log_prob for word in trace.words], dtype=torch.float64))


@pytest.mark.parametrize("method", OF_QUANTITIES)
def test_a_difference_of_two_words_is_the_difference_of_their_attributions(method):
    """And of their logits, which differ from log p by the same number for all words."""
    model = tiny(**VARIANTS["bahdanau"])

    def values(target, **options):
        found = attribute(model, "a b c", target, method=method, tokenized=True, **options)
        return found.values[1], found.attributed[1]

    both = values("n o", against="p")
    close(both[0], values("n o")[0] - values("n p")[0])
    step = force(model, "a b c", "n o", tokenized=True).words[1].step
    logits = model.decoder.logits(step.attentional.clone())
    wanted = logits[model.target.ids(["o"])] - logits[model.target.ids(["p"])]
    close(both[1], wanted.squeeze(0).detach(), 1e-5)


@pytest.mark.quick(4)
@pytest.mark.parametrize("method", OF_QUANTITIES)
@pytest.mark.parametrize("name", ["bahdanau", "luong-paper", "transformer"])
def test_a_component_of_the_readout_is_attributed(name, method):
    """Its sum over the components, weighted with a row of the output layer, attributes that word's logit."""
    model = tiny(**VARIANTS[name])
    row = model.decoder.output.weight[5] - model.decoder.output.weight[6]
    each = [
        attribute(model, "a b c", "o", method=method, tokenized=True, quantity=f"readout[{i}]").values
        for i in range(len(row))
    ]
    wanted = attribute(model, "a b c", "o", method=method, tokenized=True, against="p").values[0]
    close(sum(x * each for x, each in zip(row, each, strict=True))[0].detach(), wanted, 1e-8)


def test_a_vector_is_attributed_by_its_norm_and_a_number_by_itself():
    model = tiny(**VARIANTS["luong-paper"])
    trace = force(model, "a b c", "n o", tokenized=True)
    for quantity, number in (
        ("state", lambda step: step.hidden.norm()),
        ("context", lambda step: step.looks[0].context.norm()),
        ("context[2]", lambda step: step.looks[0].context[2]),
        ("center", lambda step: step.looks[0].focus.center),
    ):
        found = attribute(model, "a b c", "n o", method="occlusion", quantity=quantity, tokenized=True)
        assert found.quantity == quantity
        close(found.attributed, torch.stack([number(word.step) for word in trace.words]).to(torch.float64), 1e-5)
        shorter = force(model, "b c", "n o", tokenized=True)
        gone = [number(a.step) - number(b.step) for a, b in zip(trace.words, shorter.words, strict=True)]
        close(found.values[:, 0], torch.stack(gone).to(torch.float64), 1e-5)


def test_what_does_not_depend_on_the_source_has_the_gradient_zero():
    model = tiny(**VARIANTS["luong-paper"])
    found = attribute(model, "a b", "n", method="gradient-input", quantity="word", tokenized=True)
    close(found.values, torch.zeros(2, 2, dtype=torch.float64))


def test_a_record_as_json_table_and_text():
    found = Attribution(
        "m", "occlusion", {}, "log_prob", True, ("a", "bcd"), ("n",), torch.tensor([[0.5, -2.0]]), torch.tensor([-1.0])
    )
    known = json.loads(json.dumps(found.to_json()))
    assert known == {
        "model": "m", "method": "occlusion", "settings": {}, "quantity": "log_prob", "signed": True,
        "source": ["a", "bcd"], "target": ["n"], "values": [[0.5, -2.0]], "attributed": [-1.0], "errors": None,
    }  # fmt: skip
    assert list(found.rows()) == [(0, "n", 0, "a", 0.5, -1.0, None), (0, "n", 1, "bcd", -2.0, -1.0, None)]
    close(found.relative, torch.tensor([[0.25, -1.0]]))
    assert str(found).split("\n") == ["         n", "a     0.50", "bcd  -2.00"]


def test_unsigned_methods_have_no_negative_values_and_signed_ones_have():
    model = tiny(**VARIANTS["transformer"])
    for method in METHODS:
        found = attribute(model, "a b c d e", "n o p q", method=method, tokenized=True)
        assert found.signed == bool((found.values < 0).any()), method
        assert found.values.isfinite().all()


@pytest.fixture
def first_word():
    @METHODS.add("first-word")
    class FirstWord(Method):
        """All on the first word."""

        title, source, signed = "First word", "this test", False

        def __call__(self, case):
            values = torch.zeros(len(case.target), len(case.source))
            values[:, 0] = 1
            return Found(values)

    yield
    del METHODS["first-word"]


def test_a_method_of_ones_own_is_registered_by_name(first_word):
    found = attribute(tiny(**VARIANTS["fixed-vector"]), "a b", "n", method="first-word", tokenized=True)
    assert found.values.tolist() == [[1, 0], [1, 0]]
    assert (found.method, found.signed, found.quantity, found.attributed) == ("first-word", False, "", None)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_names_its_source_in_a_paper(name):
    method = METHODS[name]
    assert method.title
    assert any(char.isdigit() for char in method.source)
    assert METHODS.label(name) != name
    assert METHODS.about(name).endswith(".")


BAD = {
    "unknown method": (
        {"method": "wights"},
        r"unknown attribution method 'wights' \(did you mean 'weights'\?\); choose",
    ),
    "unknown setting": ({"layr": 1}, r"the method weights has no setting 'layr' \(did you mean 'layer'\?\)"),
    "no settings": (
        {"method": "occlusion", "points": 3},
        "the method occlusion has no setting 'points', nor any other",
    ),
    "no such head": ({"head": 3}, "there is no head 3: both count from 0, and the last is layer 0, head 2"),
    "no such layer": ({"method": "value-zeroing", "layer": 2}, "there is no layer 2"),
    "baseline": ({"method": "integrated-gradients", "baseline": "mean"}, "baseline must be one of zero, <pad>, <unk>"),
    "points": ({"method": "integrated-gradients", "points": 0}, "points must be at least 1, not 0"),
    "quantity": ({"quantity": "state"}, "weights attributes no quantity: omit quantity and against"),
    "against": ({"method": "norms", "against": "n"}, "norms attributes no quantity"),
    "unknown quantity": ({"method": "occlusion", "quantity": "stat"}, r"no quantity 'stat' \(did you mean 'state'\?\)"),
    "malformed quantity": ({"method": "occlusion", "quantity": "state[x]"}, "no quantity"),
    "component": ({"method": "occlusion", "quantity": "readout[2]"}, "readout has 2 components, which count from 0"),
    "unknown word": ({"method": "occlusion", "against": "zz"}, "'zz' is not a token of the vocabulary"),
    "misspelt word": ({"method": "occlusion", "against": "</a>"}, r"vocabulary \(did you mean '</s>'\?\)"),
    "two words of a state": (
        {"method": "occlusion", "against": "n", "quantity": "state"},
        "needs the quantity log_prob",
    ),
    "rollout": ({"method": "rollout"}, "rollout cannot be used: tiny has no self-attention to roll out"),
    "empty target": ({"target": " "}, "the target ' ' has no word"),
    "empty source": ({"text": ""}, "the source '' has no word"),
    "one word": ({"method": "occlusion", "text": "a"}, "one token cannot be left out: use the method occlusion-unk"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_in_one_line(case):
    options, message = BAD[case]
    model = tiny(**VARIANTS["luong-heads"])
    with pytest.raises(ValueError, match=message) as raised:
        attribute(model, **({"text": "a b", "target": "n", "tokenized": True} | options))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("method", [name for name in METHODS if name not in OF_QUANTITIES])
def test_a_model_without_attention_is_refused_by_name(method):
    with pytest.raises(ValueError, match=f"^the method {method} cannot be used: tiny has no attention$"):
        attribute(tiny(**VARIANTS["fixed-vector"]), "a", "n", method=method)


def test_what_an_ensemble_cannot_have_is_refused_by_name():
    both = Ensemble([tiny(seed=seed, **VARIANTS["transformer"]) for seed in (1, 2)])
    refused = {name for name in METHODS if METHODS[name].refusal(both) is not None}
    assert refused == {"norms", "rollout", "value-zeroing"}
    with pytest.raises(ValueError, match=r"tiny\+tiny is an ensemble: attribute one of its members"):
        build_method("rollout", both)
    with pytest.raises(ValueError, match="is an ensemble, whose members have steps of their own"):
        read_quantity(both, "state")
    trace = force(both, "a b", "n", tokenized=True)
    close(attribute(both, "a b", "n", tokenized=True).values, trace.weights())


def test_only_translators_are_attributed():
    with unchecked(), pytest.raises(TypeError, match="attribute expects a translator, not 'bahdanau'"):
        attribute("bahdanau", "a")


def test_a_case_keeps_its_plain_run_for_several_methods():
    case = Case.read(tiny(**VARIANTS["bahdanau"]), "a b", "n", tokenized=True)
    assert case.plain is case.plain
    assert case.inputs.tolist() == [2, case.target_ids[0]]


def test_the_command_prints_what_the_function_returns(tmp_path):
    folder = saved(tmp_path / "model", window="local-p")
    source, target = lines(tmp_path / "s", "a b c", "", "d"), lines(tmp_path / "t", "n o", "n", "p")
    given = ["--source", source, "--target", target, "--tokenized", "--method", "integrated-gradients"]
    options = ["--set", "points=4", "--against", "q"]
    table, objects = (run("attribute", folder, *given, *options, *more) for more in ((), ("--json",)))
    assert (table.status, table.err, objects.status, objects.err) == (0, "", 0, "")
    found = [json.loads(line) for line in objects.out.splitlines()]
    assert found[1] is None  # a pair with an empty side
    assert found[0]["settings"] == {"points": 4, "baseline": "zero"}
    assert found[0]["quantity"] == "log_prob - q"
    head, *rows = [line.split("\t") for line in table.out.splitlines()]
    assert head == ["sentence", "step", "word", "position", "source", "value", "attributed", "error"]
    assert len(rows) == 3 * 3 + 2
    assert [row[:5] for row in rows[:2]] == [["0", "0", "n", "0", "a"], ["0", "0", "n", "1", "b"]]
    assert rows[-1][:5] == ["2", "1", "</s>", "0", "d"]
    for row in rows:
        one = found[int(row[0])]
        assert math.isclose(float(row[5]), one["values"][int(row[1])][int(row[3])], rel_tol=1e-4)
        assert math.isclose(float(row[6]), one["attributed"][int(row[1])], rel_tol=1e-4)
        assert math.isclose(float(row[7]), one["errors"][int(row[1])], rel_tol=1e-4)


def test_the_command_translates_where_no_target_is_given(tmp_path):
    folder = saved(tmp_path / "model")
    found = run("attribute", folder, "--source", lines(tmp_path / "s", "a b"), "--tokenized")
    assert found.status == 0
    rows = [line.split("\t") for line in found.out.splitlines()[1:]]
    assert {row[6] + row[7] for row in rows} == {""}  # weights attribute no quantity
    for t in {row[1] for row in rows}:
        assert sum(float(row[5]) for row in rows if row[1] == t) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--method", "wights"], "unknown attribution method 'wights' (did you mean 'weights'?)"),
        (["--method", "rollout"], "the method rollout cannot be used: model has no self-attention to roll out"),
        (["--set", "layr=1"], "unknown setting 'layr' (did you mean 'layer'?)"),
        (["--method", "occlusion"], "line 2: a source of one token cannot be left out"),
        (["--method", "occlusion", "--quantity", "stat"], "model has no quantity 'stat'"),
    ],
)
def test_the_command_refuses_bad_input_in_one_line(options, message, tmp_path):
    folder = saved(tmp_path / "model")
    found = run("attribute", folder, "--source", lines(tmp_path / "s", "a b", "c"), "--tokenized", *options)
    assert found.status == 1
    assert message in found.err
    assert found.err.count("\n") == 1
