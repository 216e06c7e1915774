"""Recompute a trace from the model's parameters with the papers' formulas written out."""

import math

import pytest
import torch

from tests.helpers.support import close


def score_by_hand(model, own, q, states):
    """e(q, s) of each state from the printed formula, without the keys of the trace."""
    score, p, config = model.config["score"], dict(own.named_parameters()), model.config
    if score in ("dot", "scaled_dot"):
        return states @ q / (math.sqrt(len(q)) if score == "scaled_dot" else 1)
    if score == "general" and config["rank"]:
        return p.get("g", 1) * (states @ p["V_a.weight"].T @ p["U_a.weight"] @ q)
    if score == "general":
        key = p["W_a.weight"].T @ q + p.get("b_a", 0)
        return p.get("g", 1) * torch.stack([key @ state for state in states])
    b = p.get("W_a.bias", 0)
    if score == "additive":
        v = p["v_a"] * (p["g"] / p["v_a"].square().sum().sqrt() if config["normed"] else 1)
        return torch.tanh(p["W_a.weight"] @ q + states @ p["U_a.weight"].T + b) @ v
    if config["identity_source"]:
        return torch.tanh(p["W_a.weight"] @ q + states + b) @ p["v_a"]
    if score == "concat":
        return torch.tanh(torch.cat([q.expand(len(states), -1), states], 1) @ p["W_a.weight"].T + b) @ p["v_a"]
    if score == "location":
        return (p["W_a.weight"] @ q + b)[: len(states)]
    # A user-defined score: one state at a time, without batch and padding.
    return torch.cat([own(q[None], own.keys(state[None]))[0] for state in states])


def center_by_hand(model, q, t, n):
    config, window = model.config, model.decoder.attention.window
    if config["window"] == "local-m":
        return float(min(t, n - 1) if config["rule"] == "clamp" else t)
    share = torch.sigmoid(window.v_p.weight[0] @ torch.tanh(window.W_p.weight @ q)).item()
    return n * share - (1 if config["one_based"] else 0)


def sparsemax_by_hand(scores):
    """max(0, score - tau), with tau found by bisection so that the weights sum to 1."""
    low, high = max(scores) - 1, max(scores)
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(max(0.0, x - middle) for x in scores) > 1 else (low, middle)
    return [max(0.0, x - low) for x in scores]


def check_look(model, own, look, hidden, states, values, t):
    """Check scores, focus, alignment weights, attention weights and context, each from the fields before it.

    `own` is the score module, `hidden` the decoder state; the query is scored against `states`, and the context is the
    weighted sum of `values`.
    """
    config, n = model.config, len(states)
    close(look.scores, score_by_hand(model, own, look.query, states))
    inside, gaussian = [True] * n, [1.0] * n
    if config["window"] == "global":
        assert look.focus.center is None
    else:
        center, D = look.focus.center.item(), config["half_width"]
        assert center == pytest.approx(center_by_hand(model, hidden, t, n), abs=1e-4)
        middle = center if config["center_rule"] == "real" else math.floor(center)
        if D == 0 and config.attention.window.learned:
            middle = min(max(middle, 0), n - 1)
        inside = [abs(s - middle) <= D for s in range(n)]
        sigma = D / 2 if config["sigma"] is None and config.attention.window.learned else config["sigma"]
        if sigma:
            gaussian = [math.exp(-((s - center) ** 2) / (2 * sigma**2)) for s in range(n)]
    assert look.focus.inside.tolist() == inside
    close(look.focus.gaussian, [g if seen else 0.0 for g, seen in zip(gaussian, inside, strict=True)])

    logits = look.scores * look.focus.gaussian if config["gaussian"] == "on_scores" else look.scores
    mass = [math.exp(x - logits.max().item()) if seen else 0.0 for x, seen in zip(logits.tolist(), inside, strict=True)]
    total = sum(mass)
    if config["unmasked_fixed"]:
        slots = own.W_a.weight @ look.query + (0 if own.W_a.bias is None else own.W_a.bias)
        total = sum(math.exp(x - logits.max().item()) for x in slots.tolist())
    if config["normalizer"] == "sparsemax":
        close(look.alignment, sparsemax_by_hand(logits.tolist()))
    else:
        close(look.alignment, [m / total if total else 0.0 for m in mass])
    weights = look.alignment if config["gaussian"] == "on_scores" else look.alignment * look.focus.gaussian
    if config["gaussian"] == "renorm" and weights.sum() > 0:
        weights = weights / weights.sum()
    if config["type"] == "soft":
        close(look.weights, weights)
    else:
        assert sorted(look.weights.tolist()) == [0.0] * (n - 1) + [float(weights.sum() > 0)], "the weights are one-hot"
        place = look.weights.argmax()
        assert weights[place] > 0 or not weights.any()
        assert config["type"] == "hard-sample" or weights[place] == weights.max()
    close(look.context, look.weights @ values)


def check_looks(model, word, states, y):
    """Check the attention of a step in every head, with the projections written out, and return the context vector.

    `y` is the embedding of the previous word.
    """
    attention, hidden, looks = model.decoder.attention, word.step.hidden, word.step.looks
    assert [(look.layer, look.head) for look in looks] == [(0, m) for m in range(len(looks))]
    if not model.config.attention.projected:
        (look,) = looks
        query = look.query
        if model.config["query"] == "word-and-state":
            assert torch.equal(query[: len(y)], y)
            query = query[len(y) :]
        reads_another = model.config["readout"] == "s_cur" or model.config["order"] == "gnmt"
        if model.config["recurrent"] is not False:  # a stateless decoder gives the same state for a repeated word
            assert torch.equal(query, hidden) == (not reads_another)
        values = states if model.config["values"] is None else states @ attention.W_v.weight.T
        check_look(model, attention.score, look, look.query, states, values, word.t)
        return look.context
    for head, look in zip(attention.heads, looks, strict=True):
        close(look.query, head.W_q.weight @ hidden)
        keys, values = (states @ W.weight.T for W in (head.W_k, head.W_v))
        check_look(model, head.attention.score, look, hidden, keys, values, word.t)
    return attention.W_o.weight @ torch.cat([look.context for look in looks])


def check(model, trace):
    """Check a whole trace against the model's parameters."""
    decoder, n = model.decoder, len(trace.source)
    typed = trace.source[:-1] if model.config.source_eos else trace.source
    read = torch.tensor([model.source_ids(typed)])
    states = model.encoder(read, torch.ones(1, n, dtype=torch.bool)).states[0]
    ids = {model.target.token(i): i for i in range(len(model.target))}
    assert n == len(trace.memory.states) == len(trace.memory.keys) == len(trace.memory.src_mask)
    assert trace.memory.src_mask.all()
    assert [word.t for word in trace.words] == list(range(len(trace.words)))
    last = model.target.bos
    for word in trace.words:
        hidden, attentional = word.step.hidden, word.step.attentional
        y = decoder.embed.weight[last] * (last != model.target.bos or model.config["first_word"] != "zero")
        context = check_looks(model, word, states, y) if word.step.looks else states[-1]
        assert len(word.step.looks) == (0 if model.config.attention is None else model.config["attention.heads"])
        if model.config["combine"] == "state" or model.config["order"] == "gnmt":
            wanted = hidden
        elif model.config["order"] == "update-then-attend":
            b = decoder.W_c.bias if model.config["combine_bias"] else 0.0
            wanted = decoder.W_c.weight @ (torch.cat([context, hidden]) if word.step.looks else hidden) + b
            wanted = {"relu": wanted.clamp(min=0), "linear": wanted}.get(model.config["combine"], torch.tanh(wanted))
        elif model.config["combine"] == "concat":
            wanted = torch.cat([hidden, context, y])
        else:
            wanted = decoder.U_o(hidden) + decoder.V_o(y) + decoder.C_o(context)
            if model.config["combine"] != "linear":
                wanted = torch.maximum(wanted[::2], wanted[1::2])
        close(attentional, wanted)
        bias = decoder.output.bias if decoder.output.bias is not None else 0.0
        log_probs = (decoder.output.weight @ attentional + bias).log_softmax(-1)
        assert word.log_prob == pytest.approx(log_probs[ids[word.token]].item(), abs=1e-4)
        best = log_probs.sort(descending=True)
        assert [token for token, _ in word.top] == [
            model.target.token(i) for i in best.indices[: len(word.top)].tolist()
        ]
        close(torch.tensor([log_prob for _, log_prob in word.top]), best.values[: len(word.top)], 1e-4)
        last = ids[word.token]
    assert trace.log_prob == pytest.approx(sum(word.log_prob for word in trace.words))
