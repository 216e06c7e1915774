"""Formulas follow the settings: every setting that changes the computation changes a formula."""

import itertools
import re
from graphlib import TopologicalSorter

import pytest
import torch

from attn_core.attention.notation import BAHDANAU, GROUPS, LUONG, VASWANI
from attn_core.attention.scores import SCORES
from attn_core.attention.settings import ATTENTION_TYPES, WINDOWS
from attn_core.explain.step_graph import formulas, step_graph
from attn_core.models.config import ModelConfig
from attn_core.models.encoders.settings import ENCODERS
from attn_core.models.settings import ORDERS
from tests.helpers.support import D_MODEL, TRANSFORMER, both_sides, close, tiny
from tests.helpers.support import VARIANTS as VARIANTS_OF_MODELS

LOOK_THEN_STEP = {"order": "attend-then-update", "encoder.cell": "gru", "score": "additive", "update": "groundhog"}
LOCAL_P = {"window": "local-p", "half_width": 4}
FIXED = {"score": None, "window": None, "order": "attend-then-update", "encoder.cell": "gru", "bidirectional": False}


def written(**settings) -> dict[str, list[str]]:
    return formulas(ModelConfig().set(settings))


def text(**settings) -> str:
    return "\n".join(line for lines in written(**settings).values() for line in lines)


# settings: a line that must occur. The first of a pair is for the default, the second for the variant.
COMPUTED = [
    (LOOK_THEN_STEP, r"s_i = f(s_{i-1}, y_i, c_i)"),
    (LOOK_THEN_STEP | {"update": "printed"}, r"s_i = f(s_{i-1}, y_{i-1}, c_i)"),
    (LOOK_THEN_STEP, r"\tilde t_i = U_o s_{i-1} + V_o E\,y_{i-1} + C_o c_i"),
    (
        LOOK_THEN_STEP | {"update": "printed", "readout": "s_cur"},
        r"\tilde t_i = U_o s_i + V_o E\,y_{i-1} + C_o c_i",
    ),
    (LOOK_THEN_STEP | {"first_word": "zero"}, r"E\,y_0 = 0"),
    (FIXED, r"s_0 = \tanh(W_s h_{T_x - 1})"),
    (LOOK_THEN_STEP | {"reverse": True}, r"s_0 = \tanh(W_s \overrightarrow{h}_{T_x - 1})"),
    (LOOK_THEN_STEP, r"e_{ij} = v_a^\top \tanh(W_a s_{i-1} + U_a h_j)"),
    ({"score": "additive"}, r"e_t(s) = v_a^\top \tanh(W_a h_t + U_a \bar h_s)"),
    ({"score": "concat"}, r"e_t(s) = v_a^\top \tanh(W_a [h_t; \bar h_s])"),
    ({"score": "concat", "identity_source": True}, r"e_t(s) = v_a^\top \tanh(W_a h_t + \bar h_s)"),
    ({"score": "dot"}, r"e_t(s) = h_t^\top \bar h_s"),
    ({"score": "scaled_dot"}, r"e_t(s) = h_t^\top \bar h_s / \sqrt{d}"),
    ({"score": "general"}, r"e_t(s) = h_t^\top W_a \bar h_s"),
    ({}, r"s = 0 \dots S - 1"),
    ({"source_eos": True}, r"s = 0 \dots S"),
    ({}, r"a_t = \operatorname{softmax}(e_t)"),
    ({}, r"c_t = \textstyle\sum_s a_t(s)\,\bar h_s"),
    ({"type": "hard-argmax"}, r"\hat s = \arg\max_s a_t(s)"),
    (LOOK_THEN_STEP, r"\alpha_i = \operatorname{softmax}(e_i)"),
    (LOOK_THEN_STEP, r"c_i = \textstyle\sum_j \alpha_{ij}\,h_j"),
    (LOOK_THEN_STEP, r"j = 0 \dots T_x - 1"),
    ({"window": "local-m"}, r"p_t = \min(t, S - 1)"),
    ({"window": "local-m", "rule": "text"}, "p_t = t"),
    (LOOK_THEN_STEP | {"window": "local-m"}, r"p_i = \min(i-1, T_x - 1)"),
    (LOCAL_P, r"p_t = S \cdot \operatorname{sigmoid}(v_p^\top \tanh(W_p h_t))"),
    (LOCAL_P | {"one_based": True}, r"p_t = S \cdot \operatorname{sigmoid}(v_p^\top \tanh(W_p h_t)) - 1"),
    (LOCAL_P, r"s \in \lfloor p_t \rfloor \pm D, \quad D = 4"),
    (LOCAL_P | {"center_rule": "real"}, r"|s - p_t| \le D, \quad D = 4"),
    (LOCAL_P | {"half_width": 0}, r"s = \max(0, \min(\lfloor p_t \rfloor, S - 1)), \quad D = 0"),
    (LOCAL_P, r"a_t(s) = \operatorname{align}_t(s)\,\exp\!\left(-\tfrac{(s-p_t)^2}{2\sigma^2}\right)"),
    (
        LOCAL_P | {"gaussian": "renorm"},
        r"a_t(s) \propto \operatorname{align}_t(s)\,\exp\!\left(-\tfrac{(s-p_t)^2}{2\sigma^2}\right)",
    ),
    (
        LOCAL_P | {"gaussian": "on_scores"},
        r"a_t = \operatorname{softmax}\!\big(e_t(s)\,\exp\!\left(-\tfrac{(s-p_t)^2}{2\sigma^2}\right)\big)"
        r"\ \text{in view}",
    ),
    (LOCAL_P, r"\sigma = D/2 = 2"),
    (LOCAL_P | {"sigma": 1.5}, r"\sigma = 1.5"),
    ({"feeding": True}, r"x_t = [E\,y_{t-1};\ \tilde h_{t-1}]"),
    ({"feeding": False}, r"x_t = E\,y_{t-1}"),
    (FIXED, r"c_i = h_{T_x - 1} \ \text{at every step}"),
    (FIXED | {"reverse": True}, r"c_i = h_{0} \ \text{at every step}"),
    (FIXED, r"h_j = f(x_j, h_{j-1})"),
    (FIXED | {"reverse": True}, r"h_j = f(x_j, h_{j+1})"),
    (FIXED, r"s_i = f(s_{i-1}, y_{i-1}, c_i)"),
]


@pytest.mark.parametrize(("settings", "line"), COMPUTED)
def test_every_computation_has_a_formula(settings, line):
    assert line in text(**settings).split("\n")


VARIANTS = {
    "update": LOOK_THEN_STEP | {"update": "groundhog"},
    "first_word": LOOK_THEN_STEP | {"first_word": "zero"},
    "identity_source": {"score": "concat", "identity_source": True},
    "rule": {"window": "local-m", "rule": "text"},
    "one_based": LOCAL_P | {"one_based": True},
    "center_rule": LOCAL_P | {"center_rule": "real"},
    "gaussian": LOCAL_P | {"gaussian": "renorm"},
    "sigma": {"window": "local-m", "sigma": 1.0},
    "feeding": {"feeding": True},
    "reverse": {"reverse": True},
    "source_eos": {"source_eos": True},
    "bidirectional": {"bidirectional": False, "encoder.hidden": 256},
    "normalizer": {"normalizer": "sparsemax"},
    "padding": {"padding": "read"},
    "scale": {"scale": True},
    "bias": {"bias": True},
    "normed": {"score": "additive", "normed": True},
    "combine": {"combine": "relu"},
    "combine_bias": {"combine_bias": True},
    "directions": {"directions": "sum", "encoder.hidden": 256},
    "start": {"start": "both-ends"},
    "query": LOOK_THEN_STEP | {"query": "word-and-state"},
    "recurrent": LOOK_THEN_STEP | {"recurrent": False},
    "input_layer": LOOK_THEN_STEP | {"input_layer": True},
    "tied": {"tied": False},
    "biases": both_sides(biases=False),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_changes_what_is_written(name):
    variant = VARIANTS[name]
    plain = {key: value for key, value in variant.items() if key.rpartition(".")[2] not in (name, "hidden")}
    assert text(**variant) != text(**plain)


EACH_COMBINE = [
    ("maxout", r"\tilde t_i = U_o s_{i-1} + V_o E\,y_{i-1} + C_o c_i"),
    ("linear", r"t_i = U_o s_{i-1} + V_o E\,y_{i-1} + C_o c_i"),
    ("concat", r"t_i = [s_{i-1}; c_i; E\,y_{i-1}]"),
    ("state", "t_i = s_{i-1}"),
]


@pytest.mark.parametrize(("combine", "line"), EACH_COMBINE)
def test_what_the_output_layer_reads_is_written(combine, line):
    assert line in text(**LOOK_THEN_STEP, combine=combine, tied=False).split("\n")


WAYS = [(True, False, False), (True, True, False), (True, False, True)]
WAYS += [(False, *way) for _, *way in WAYS]
ORDERS_STARTS = [
    ("attend-then-update", "copy"),
    ("attend-then-update", "both-ends"),
    ("update-then-attend", "both-ends"),
]
STARTS = [(*start, *way) for start in ORDERS_STARTS for way in WAYS]


@pytest.mark.parametrize(("order", "start", "bidirectional", "reverse", "source_eos"), STARTS)
def test_the_first_state_is_the_one_that_is_written(order, start, bidirectional, reverse, source_eos):
    """The formula is parsed and evaluated on the encoder's states."""
    sizes = {"encoder.hidden": 3, "decoder.hidden": 3 if start == "copy" else 7}
    score = {"score": "additive"} if order == "attend-then-update" else {}
    ways = {"bidirectional": bidirectional, "reverse": reverse, "source_eos": source_eos}
    model = tiny(order=order, start=start, **ways, **sizes, **score)
    words = model.source_ids(["a", "b", "c", "d"])
    source = torch.tensor([words])
    states = model.encoder(source, torch.ones_like(source, dtype=torch.bool)).states[0]
    _, carry = model.encode(source, torch.ones_like(source, dtype=torch.bool))

    lines = formulas(model.config)
    halves = re.findall(r"\\over(?:right|left)arrow", lines["encoder"][0]) or [""]
    (line,) = [line for line in lines["order"] if line.startswith(("s_0 =", "h_{-1} ="))]
    terms = re.findall(r"(\\over(?:right|left)arrow)?\{?(?:\\bar )?h\}?_\{([^}]*)\}", line.split("=")[-1])
    said = []
    for half, place in terms:
        at = eval(place.replace("T_x", "4").replace("S", "4"), {})
        said.append(states[at].unflatten(0, (len(halves), -1))[halves.index(half)])
    wanted = torch.cat(said)
    first = carry.state[0][0].reshape(-1)
    if "tanh" in line:
        matrix = model.decoder.W_init if r"W_{\text{init}}" in line else model.decoder.W_s
        wanted = torch.tanh(matrix(wanted))
    close(first, wanted)


def test_added_up_the_ends_are_a_sum_where_a_stack_reads():
    summed = {"start": "both-ends", "directions": "sum", "encoder.hidden": 256}
    assert (
        r"h_{-1} = \tanh(W_{\text{init}} (\overrightarrow{\bar h}_{S - 1} + \overleftarrow{\bar h}_{0}))"
        r"\ \text{(for state and cell)}" in text(**summed)
    )
    assert r"s_0 = \tanh(W_s [\overrightarrow{h}_{T_x - 1}; \overleftarrow{h}_{0}])" in text(**LOOK_THEN_STEP, **summed)


def test_a_stack_that_starts_from_the_mean_state_says_so():
    mean = r"\tanh(W_{\text{init}} \operatorname{mean}_s \bar h_s)"
    two = {**both_sides(layers=2), "tied": False, "start": "mean"}
    for order, symbol in (("gnmt", "h^k_{-1}"), ("update-then-attend", "h_{-1}")):
        assert rf"{symbol} = {mean}\ \text{{(for state and cell of every layer)}}" in text(order=order, **two)
    assert rf"h_{{-1}} = {mean}" in text(**both_sides(cell="torch-gru"), start="mean").splitlines()
    assert "init" not in text(order="gnmt", **two | {"start": "copy"})


def test_the_output_layer_of_a_transformer_is_tied_or_has_a_matrix_of_its_own():
    for tied, matrix in ((True, r"E^\top"), (False, "W_s")):
        (line,) = written(score="scaled_dot", order="transformer", encoder="transformer", tied=tied, **D_MODEL)[
            "output"
        ]
        assert line == rf"p(y_t) = \operatorname{{softmax}}({matrix} z^{{1}}_t + b_{{\text{{out}}}})"


def test_without_a_gaussian_none_is_written():
    for settings in ({}, {"window": "local-m"}, LOCAL_P | {"half_width": 0}):
        assert ModelConfig.of(settings).attention.window.gaussian_width is None
        assert "exp" not in text(**settings)
        assert r"\sigma =" not in text(**settings)


STACK = D_MODEL | {"encoder": "transformer"}
TRANSFORMERS = [("transformer", "global", score) for score in ("dot", "scaled_dot")]
RECURRENT = itertools.product([order for order in ORDERS if order != "transformer"], WINDOWS, SCORES)


@pytest.mark.parametrize(("order", "window", "score"), [*RECURRENT, *TRANSFORMERS])
def test_every_point_is_written_in_the_letters_of_its_paper(score, window, order):
    settings = {"score": score, "window": window, "order": order} | (STACK if order == "transformer" else {})
    if order == "gnmt":
        settings |= {**both_sides(layers=2), "tied": False}
    found = written(**settings)
    assert list(found) == [axis for axis in GROUPS if axis != "feeding" or order in ("update-then-attend", "gnmt")]
    own = {"attend-then-update": BAHDANAU, "transformer": VASWANI}.get(order, LUONG)
    said = text(**settings)
    states = {BAHDANAU: BAHDANAU.state, LUONG: LUONG.state, VASWANI: "k_s"}  # a Transformer projects its states
    for paper, state in states.items():
        query = "h^1_t" if paper is LUONG and order == "gnmt" else paper.query  # its layers are numbered
        assert (query in said) == (state in said) == (paper is own)
    assert not re.search(r"\^(\w|\{[^{}]*\})(_(\w|\{[^{}]*\}))?\^", said), "LaTeX refuses a second superscript"
    assert ("v_s" in said) == (order == "transformer")  # separate values


@pytest.mark.parametrize(
    ("settings", "query"),
    [
        ({"order": "gnmt", **both_sides(layers=2)}, "{h^1_t}"),
        ({"order": "gnmt", **both_sides(layers=2), "query": "previous"}, "{h^1_{t-1}}"),
        ({"order": "attend-then-update", "encoder.cell": "gru", "query": "word-and-state"}, r"[E\,y_{i-1}; s_{i-1}]"),
    ],
)
def test_the_centre_is_predicted_from_the_query_that_is_scored(settings, query):
    found = written(**settings, window="local-p", score="general", tied=False)
    assert rf"\tanh(W_p {query})" in " ".join(found["window"])
    assert rf"{query}^\top W_a" in " ".join(found["score"])


def test_a_transformers_norms_stand_where_they_are():
    post, pre = (written(**TRANSFORMER, **both_sides(norm=norm)) for norm in ("post", "pre"))
    assert r"u = h^{n-1}, \quad n = 1 \dots 2" in post["encoder"]
    assert r"g_s = \operatorname{LN}(u_s + \operatorname{MH}(u_s, u, u))" in post["encoder"]
    assert r"b_t = \operatorname{LN}(g_t + c_t)" in post["order"]
    assert {r"q_t = W_Q^m\,g_t", r"k_s = W_K^m\,h^{2}_s"} <= set(post["order"])
    assert r"u = \operatorname{LN}(z^{n-1}), \quad n = 1 \dots 2" in pre["order"]
    assert r"g_t = z^{n-1}_t + \operatorname{MH}(u_t, u_{\le t}, u_{\le t})" in pre["order"]
    assert r"b_t = g_t + c_t" in pre["order"]
    assert r"q_t = W_Q^m\,\operatorname{LN}(g_t)" in pre["order"]
    assert r"z^n_t = b_t + \operatorname{FFN}(\operatorname{LN}(b_t))" in pre["order"]
    assert r"z^{2} \leftarrow \operatorname{LN}(z^{2})" in pre["order"]
    assert not any("leftarrow" in line for line in post["order"])


def test_learned_positions_have_no_formula():
    assert any(r"\sin" in line for line in written(**TRANSFORMER)["encoder"])
    assert not any(r"\sin" in line for line in written(**TRANSFORMER, **both_sides(positions="learned"))["encoder"])


def test_every_member_of_every_registry_is_written():
    for score in SCORES:
        assert written(score=score)["score"][0].startswith("e_t(s) = ")
    for window in WINDOWS:
        assert written(window=window)["window"]
    for kind in ATTENTION_TYPES:
        assert any(line.startswith("c_t = ") for line in written(type=kind)["window"])
    for encoder in ENCODERS:
        assert written(encoder=encoder, start="mean")["encoder"]
    for order in ORDERS:
        sizes = {**both_sides(layers=2), "tied": False} if order == "gnmt" else {}
        score = {"score": "scaled_dot"} | STACK if order == "transformer" else {}
        assert written(order=order, **sizes, **score)["order"]


def test_a_graph_names_what_it_is_computed_from():
    """Every input is a quantity, every name occurs once, and the quantities have an order of computation."""
    for name, settings in VARIANTS_OF_MODELS.items():
        graph = step_graph(tiny(**settings).config)
        ids = [quantity.id for quantity in graph.quantities]
        assert len(set(ids)) == len(ids), name
        assert {one for quantity in graph.quantities for one in quantity.inputs} <= set(ids), name
        TopologicalSorter({one.id: one.inputs for one in graph.quantities}).prepare()  # raises CycleError


def test_a_one_directional_encoder_is_not_written_as_two():
    for order in ({}, LOOK_THEN_STEP):
        graph = step_graph(ModelConfig.of(bidirectional=False, **{"encoder.hidden": 256}, **order))
        assert "arrow" not in "".join(graph["memory"].lines)


def test_location_compares_nothing():
    assert "memory" not in step_graph(ModelConfig.of(score="location"))["scores"].inputs
    assert "memory" in step_graph(ModelConfig.of(score="dot"))["scores"].inputs


def roles(**settings) -> dict[str, list[str]]:
    """The quantities of each role."""
    graph = step_graph(ModelConfig().set(settings))
    found: dict[str, list[str]] = {}
    for quantity in graph.quantities:
        for role in graph.roles(quantity.id):
            found.setdefault(role, []).append(quantity.id)
    return found


@pytest.mark.parametrize(
    ("settings", "fed", "start"),
    [
        ({"feeding": True}, ["fed"], ["previous"]),
        ({"feeding": False}, None, ["previous"]),
        ({"feeding": True, "score": None, "window": None}, ["fed"], ["previous"]),
        ({"order": "gnmt", **both_sides(layers=2), "tied": False}, ["fed"], ["previous"]),
        ({"order": "gnmt", **both_sides(layers=2), "tied": False, "query": "previous"}, None, ["previous"]),
        (LOOK_THEN_STEP, None, ["previous"]),
        (D_MODEL | {"order": "transformer", "encoder": "transformer", "score": "scaled_dot"}, None, None),
    ],
)
def test_feeding_has_a_role_only_where_something_is_computed_from_it(settings, fed, start):
    found = roles(**settings)
    assert (found.get("feeding"), found.get("start")) == (fed, start)
