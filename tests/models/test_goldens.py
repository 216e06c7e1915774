"""Reference numbers from other implementations, reproduced to 1e-10 in float64 and 1e-5 in float32.

Values that depend on p_t are compared to 3e-6 in float32: rounding the given numbers to float32, before computing,
moves p_t by 1.7e-6 words and the context by as much.

luong_matlab.json is from the authors' Matlab code: every case runs a whole decoder, with and without input feeding,
so that p_t, window, Gaussian, softmax, context and attentional vector come from the code that translates. Only the
LSTM's outputs are given. Three notations differ there: W_a of the general score is the transpose of the
paper's, its concat is our `identity_source`, its normLocalAttn our gaussian "on_scores".

python_peers.json, from OpenNMT-py: dot, general, mlp, and general with sparsemax, with the configs of variants.py.

Annotated encoder-decoder (bastings), one layer, through its config: encoder, s_0, decoder, loss and gradients. Its z
multiplies the old state where the paper's multiplies the candidate, so W_z changes sign. Its U_o has no bias: ours is
zero. Two layers have no counterpart: attend-then-update has one, as the paper.

SDPA: scaled_dot with masks over keys, and over pairs with each query as a separate sentence. An additive mask
has no counterpart.
"""

import pytest
import torch

from attn_core.attention.attention import Attention
from attn_core.attention.scores import Dot, ScaledDot
from attn_core.attention.settings import WINDOWS, ScoreSettings
from attn_core.data.corpus import pad
from attn_core.models.cells import GRUCell
from attn_core.models.encoders.encoder import Encoded
from attn_core.models.variants import VARIANTS
from attn_core.trace import Memory
from tests.helpers.support import LUONG, ROUNDING, close, drawn, golden, numbers, tiny

PRECISIONS = {"float64": (torch.float64, ROUNDING[torch.float64]), "float32": (torch.float32, ROUNDING[torch.float32])}
either_precision = pytest.mark.parametrize(("kind", "atol"), PRECISIONS.values(), ids=PRECISIONS)


def each(cases, key):
    return pytest.mark.parametrize("case", cases, ids=[case[key] for case in cases])


def lengths_mask(lengths, n):
    return torch.arange(n) < torch.tensor(lengths).unsqueeze(1)


def put(module, **values):
    """Set parameters by name; the shapes must be equal."""
    with torch.no_grad():
        for name, value in values.items():
            parameter = module.get_parameter(name.replace("__", "."))
            assert parameter.shape == value.shape, name
            parameter.copy_(value)


class Played(torch.nn.Module):
    """An LSTM stub that returns given top states."""

    def __init__(self, states):
        super().__init__()
        self.states, self.t = states, 0

    def forward(self, inputs, state):
        start, self.t = self.t, self.t + inputs.size(1)
        return self.states[:, start : self.t], state

    def stepper(self, known):
        return lambda t, unknown, state: (self.states[:, t], state)


class Spoken(torch.nn.Module):
    """An embedding stub that returns given vectors for any words."""

    def __init__(self, embedded):
        super().__init__()
        self.embedded = embedded

    def forward(self, words):
        return self.embedded


def luong_decoder(score, kind, queries, feeding=False, **settings):
    """A decoder in Luong's order whose LSTM returns `queries`."""
    size = queries.size(-1)
    sizes = {"encoder.hidden": size, "decoder.hidden": size, "attentional": size, "feeding": feeding}
    decoder = tiny(**(LUONG | sizes | {"score": score} | settings)).to(kind).decoder
    decoder.rnn = Played(queries)
    return decoder


def decoded(decoder, states, mask, steps):
    """All steps of the decoder over given encoder states."""
    zeros = states.new_zeros(states.size(0), 1, 1, states.size(-1))
    memory = decoder.attention.memory(states, mask)
    words = torch.full((states.size(0), steps), 5)
    return decoder(words, decoder.start(Encoded(states, (zeros, zeros)), mask), memory)[0]


LUONG_CASES = golden("luong_matlab.json")["cases"]


@pytest.mark.quick(24)
@either_precision
@pytest.mark.parametrize("feeding", [False, True], ids=["at-once", "fed"])
@each(LUONG_CASES, "name")
def test_luong_matlab(case, feeding, kind, atol):
    queries, states, p = numbers(case["h_t"], kind), numbers(case["enc"], kind), case["params"]
    point = {"window": case["kind"]} | ({} if case["D"] is None else {"half_width": case["D"]})  # sigma follows from D
    if case["norm_local_attn"]:
        point["gaussian"] = "on_scores"
    score = case["score"]
    if score == "concat_luong_code":
        score, point["identity_source"] = "concat", True
    decoder = luong_decoder(score, kind, queries, feeding, **point)
    put(decoder, W_c__weight=numbers(p["W_h"], kind))
    if score == "general":
        put(decoder, attention__score__W_a__weight=numbers(p["W_a"], kind).T)
    if score == "concat":
        put(decoder, attention__score__W_a__weight=numbers(p["W_a"], kind))
        put(decoder, attention__score__v_a=numbers(p["v_a"], kind))
    if case["kind"] == "local-p":
        put(decoder, attention__window__W_p__weight=numbers(p["W_pos"], kind))
        put(decoder, attention__window__v_p__weight=numbers([p["v_pos"]], kind))

    step = decoded(decoder, states, lengths_mask(case["src_len"], states.size(1)), queries.size(1))

    if kind == torch.float32 and case["kind"] == "local-p":
        atol *= 3
    look, said = step.looks[0], numbers(case["tgt_mask"]).bool()
    assert said.any()
    assert look.weights.dtype == step.attentional.dtype == kind
    known = numbers(case["scores"]).isfinite() & said.unsqueeze(-1)
    assert known.any()
    # Scores reach hundreds in some cases, and float32 keeps seven digits of the largest summand.
    size = max(1.0, numbers(case["scores"])[known].abs().max().item()) if kind == torch.float32 else 1.0
    close(look.scores[known], numbers(case["scores"])[known], atol * size)
    close(look.weights[said], numbers(case["weights"])[said], atol)
    close(look.context[said], numbers(case["context"])[said], atol, rtol=atol)
    close(step.attentional[said], numbers(case["attn_vector"])[said], atol)
    if case["kind"] == "global":
        assert look.focus.center is None
        return
    wanted = [
        [[lo <= s <= hi for s in range(states.size(1))] for lo, hi in zip(*rows, strict=True)]
        for rows in zip(case["win_lo_clipped"], case["win_hi_clipped"], strict=True)
    ]
    assert torch.equal(look.focus.inside[said], torch.tensor(wanted)[said])
    close(look.focus.center[said], numbers(case["p_t"])[said], atol, rtol=atol)
    if case["kind"] == "local-p":
        inside = look.focus.inside & said.unsqueeze(-1)
        close(look.focus.gaussian[inside], numbers(case["gauss"])[inside], atol)
    if "softmax_weights" in case:
        close(look.alignment[said], numbers(case["softmax_weights"]).nan_to_num(0)[said], atol)


def test_luong_matlab_covers_what_it_should():
    found = {(case["kind"], case["score"], case["D"], case["norm_local_attn"]) for case in LUONG_CASES}
    scores = ("dot", "general", "concat_luong_code")
    assert {("global", score, None, None) for score in scores} <= found
    assert {("local-m", score, D, None) for score in scores for D in (2, 10)} <= found
    assert {("local-p", score, D, norm) for score in scores for D in (2, 10) for norm in (0, 1)} <= found
    assert len(LUONG_CASES) == 28


ONMT = golden("python_peers.json")["opennmt"]


@either_precision
@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("name", ["opennmt-dot", "opennmt-general", "opennmt-mlp", "opennmt-sparsemax"])
def test_opennmt(name, masked, kind, atol):
    kinds = {"opennmt-sparsemax": ("general", "sparsemax")}
    found = kinds.get(name, (name.removeprefix("opennmt-"), "softmax"))
    (case,) = [case for case in ONMT if (case["attn_type"], case["attn_func"]) == found]
    queries, states = numbers(case["query"], kind), numbers(case["enc"], kind)
    p = {key: numbers(values, kind) for key, values in case["params"].items()}
    sizes = {"embedding": 5, "decoder.hidden": 5, "attention.score.hidden": 5, "attentional": 5, "tied": False}
    model = drawn(VARIANTS[name].config(**sizes, dropout=0.0, output_dropout=0.0)).to(kind)
    decoder = model.decoder
    decoder.rnn = Played(queries)
    put(decoder, W_c__weight=p["linear_out.weight"])
    if case["attn_type"] == "general":
        put(decoder, attention__score__W_a__weight=p["linear_in.weight"].T)
    if case["attn_type"] == "mlp":
        put(decoder, W_c__bias=p["linear_out.bias"])
        query = {"W_a__weight": p["linear_query.weight"], "W_a__bias": p["linear_query.bias"]}
        put(decoder.attention.score, **query, U_a__weight=p["linear_context.weight"], v_a=p["v.weight"][0])
    lengths = case["src_len"] if masked else [6] * 3
    step = decoded(decoder, states, lengths_mask(lengths, 6), queries.size(1))
    suffix = "" if masked else "_no_mask"
    close(step.looks[0].scores, numbers(case["scores_unmasked"]), atol, rtol=atol)
    if (
        model.config.attention.normalizer == "sparsemax"
    ):  # its weights are differences of scores, with the rounding of the scores
        atol *= 3
    close(step.looks[0].weights, numbers(case[f"weights{suffix}"]), atol)
    close(step.attentional, numbers(case[f"attn_h{suffix}"]), atol)
    if masked:
        close(step.looks[0].context, numbers(case["context"]), atol, rtol=atol)


@either_precision
@each(golden("python_peers.json")["sdpa"], "name")
def test_torch_scaled_dot_product_attention(case, kind, atol):
    q, k, v = (numbers(case[name], kind) for name in "qkv")
    pairs = torch.ones(2, 2, 4, 5, dtype=torch.bool)
    if case["kwargs"].get("is_causal"):
        pairs = pairs.tril()
    if "attn_mask" in case["kwargs"]:
        pairs = numbers(case["kwargs"]["attn_mask"]).bool().expand(2, 2, 4, 5)
    score: Dot = ScaledDot(3, 3, ScoreSettings("scaled_dot"))
    if "scale" in case["kwargs"]:
        score, q = Dot(3, 3, ScoreSettings("dot")), q * case["kwargs"]["scale"]
    attention = Attention(score, WINDOWS.build("global", 3))
    if (pairs == pairs[..., :1, :]).all():  # every query may see the same keys: the leading axes are batch and head
        look = attention(q, Memory(v, k, pairs[..., 0, :]), 0)
        weights, context = look.weights, look.context
    else:
        each_its_own = [x.unsqueeze(-3).expand(2, 2, 4, *x.shape[-2:]) for x in (v, k)]
        look = attention(q.unsqueeze(-2), Memory(*each_its_own, pairs), 0)
        weights, context = look.weights.squeeze(-2), look.context.squeeze(-2)
    close(weights, numbers(case["weights_derived"]), atol)
    close(context, numbers(case["out"]), atol, rtol=atol)


def put_gru(W, cell, weight_ih, weight_hh, bias_ih, bias_hh, context_share=None):
    """A torch GRU (gates r, z, n) as ours (z, r, candidate), with z's sign changed: it multiplies the candidate."""

    def ours(r, z, n):
        return torch.cat([-z, r, n])

    inputs = ours(*weight_ih.chunk(3))
    words = W.weight.size(1)
    put(W, weight=inputs[:, :words])
    if context_share is not None:
        put(context_share, weight=inputs[:, words:])
    (r, z, n), (hr, hz, hn) = bias_ih.chunk(3), bias_hh.chunk(3)
    put(W, bias=ours(r + hr, z + hz, n))
    u_r, u_z, u_n = weight_hh.chunk(3)
    put(cell, U_gates__weight=torch.cat([-u_z, u_r]), U__weight=u_n, U__bias=hn)


@either_precision
def test_torch_gru_cell(kind, atol):
    case = golden("python_peers.json")["cells"]["gru"]
    W, cell = torch.nn.Linear(4, 15).to(kind), GRUCell(5, reset="after").to(kind)
    put_gru(W, cell, **{name: numbers(values, kind) for name, values in case["params"].items()})
    close(cell(W(numbers(case["x"], kind)), numbers(case["h0"], kind)), numbers(case["h1"]), atol)


@either_precision
def test_torch_lstm_cell(kind, atol):
    """One step of a decoder without feeding whose embeddings are the golden's inputs."""
    case = golden("python_peers.json")["cells"]["lstm"]
    decoder = tiny(**LUONG | {"encoder.hidden": 5, "decoder.hidden": 5, "embedding": 4}).to(kind).decoder
    put(decoder.rnn, **{f"{name}_l0": numbers(values, kind) for name, values in case["params"].items()})
    put(decoder.embed, weight=torch.cat([numbers(case["x"], kind), torch.zeros(10, 4, dtype=kind)]))
    h, c = (numbers(case[name], kind).unsqueeze(1) for name in ("h0", "c0"))
    states, mask = torch.randn(3, 2, 5, dtype=kind), torch.ones(3, 2, dtype=torch.bool)
    carry = decoder.start(Encoded(states, (h.unsqueeze(2), c.unsqueeze(2))), mask)
    step, after = decoder(torch.tensor([[0], [1], [2]]), carry, decoder.attention.memory(states, mask))
    close(step.hidden[:, 0], numbers(case["h1"]), atol)
    close(after.state[0][:, 0], numbers(case["h1"]), atol)
    close(after.state[1][:, 0], numbers(case["c1"]), atol)


def bastings(kind):
    """Our model with the weights of the annotated encoder-decoder and its embeddings of source and target."""
    (case,) = golden("python_peers.json")["bastings_decoder"]
    sizes = {"embedding": 3, "encoder.hidden": 4, "decoder.hidden": 4, "attention.score.hidden": 4, "attentional": 4}
    config = VARIANTS["annotated-encoder-decoder"].config(**sizes, dropout=0.0, output_dropout=0.0)
    model = drawn(config, targets="nop").to(kind)
    enc, dec = ({n: numbers(v, kind) for n, v in case[part].items()} for part in ("enc_params", "dec_params"))
    decoder, names = model.decoder, ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    for direction, end in zip(model.encoder.directions, ("l0", "l0_reverse"), strict=True):
        put_gru(direction.W, direction.cell, *(enc[f"rnn.{name}_{end}"] for name in names))
    put_gru(decoder.W, decoder.cell, *(dec[f"rnn.{name}_l0"] for name in names), context_share=decoder.C)
    put(
        decoder.attention.score,
        W_a__weight=dec["attention.query_layer.weight"],
        U_a__weight=dec["attention.key_layer.weight"],
        v_a=dec["attention.energy_layer.weight"][0],
    )
    put(decoder.W_s, weight=dec["bridge.weight"], bias=dec["bridge.bias"])
    word, state, context = dec["pre_output_layer.weight"].split([3, 4, 8], 1)
    put(decoder, V_o__weight=word, U_o__weight=state, C_o__weight=context, U_o__bias=torch.zeros(4, dtype=kind))
    put(decoder.output, weight=numbers(case["gen_params"]["proj.weight"], kind), bias=torch.zeros(7, dtype=kind))
    return case, model


@either_precision
def test_bastings_encoder(kind, atol):
    case, model = bastings(kind)
    mask = lengths_mask(case["src_len"], 6)
    encoded = model.encoder.encode(numbers(case["src_embed"], kind), mask)
    close(encoded.states[mask], numbers(case["enc_out"])[mask], atol)
    close(encoded.final[0][:, 0].flatten(1), numbers(case["enc_final"])[0], atol)
    close(model.decoder.start(encoded, mask).state[0], numbers(case["init_state"])[0], atol)


@either_precision
def test_bastings_decoder(kind, atol):
    case, model = bastings(kind)
    decoder, mask = model.decoder, lengths_mask(case["src_len"], 6)
    embedded = numbers(case["tgt_embed"], kind).requires_grad_()
    decoder.embed = Spoken(embedded)
    states = numbers(case["enc_out"], kind)
    ends = numbers(case["enc_final"][0], kind).unflatten(1, (2, -1)).unsqueeze(1)  # both directions of one layer
    carry = decoder.start(Encoded(states, (ends,)), mask)
    words, _ = pad([[5] * 4] * 3)

    step, after = decoder(words, carry, decoder.attention.memory(states, mask))

    close(step.looks[0].weights, numbers(case["weights"]), atol)
    close(step.looks[0].context, numbers(case["context"]), atol)
    close(step.hidden, numbers(case["dec_h_top"]), atol)
    close(after.state[0], numbers(case["final_state"])[0], atol)
    close(step.attentional, numbers(case["pre_output"]), atol)
    log_probs = decoder.log_probs(step.attentional)
    close(log_probs, numbers(case["log_probs"]), atol, rtol=atol)

    targets = torch.tensor(case["tgt"])
    loss = torch.nn.functional.nll_loss(log_probs.flatten(0, 1), targets.flatten(), reduction="sum")
    assert loss.item() == pytest.approx(case["loss_sum_nll"], rel=atol)
    loss.backward()
    wanted = {name: numbers(values) for name, values in case["dec_grads"].items()}
    close(embedded.grad, numbers(case["grad_tgt_embed"]), 10 * atol)
    score = decoder.attention.score
    close(score.W_a.weight.grad, wanted["attention.query_layer.weight"], 10 * atol)
    close(score.U_a.weight.grad, wanted["attention.key_layer.weight"], 10 * atol)
    close(score.v_a.grad, wanted["attention.energy_layer.weight"][0], 10 * atol)
    z, r, n = torch.cat([decoder.W.weight.grad, decoder.C.weight.grad], 1).chunk(3)
    close(torch.cat([r, -z, n]), wanted["rnn.weight_ih_l0"], 10 * atol)
    z, r = decoder.cell.U_gates.weight.grad.chunk(2)
    close(torch.cat([r, -z, decoder.cell.U.weight.grad]), wanted["rnn.weight_hh_l0"], 10 * atol)
    readout = torch.cat([decoder.V_o.weight.grad, decoder.U_o.weight.grad, decoder.C_o.weight.grad], 1)
    close(readout, wanted["pre_output_layer.weight"], 10 * atol)
