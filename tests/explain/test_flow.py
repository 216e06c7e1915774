"""The arrows of `flow` equal the dependencies in the decoders, found by changing one value at a time."""

import itertools
from dataclasses import replace

import pytest
import torch

from attn_core.attention.notation import BEFORE, Node
from attn_core.attention.windows import WINDOWS
from attn_core.explain.paths import Path, path
from attn_core.explain.step_graph import flow
from attn_core.models.config import ModelConfig
from attn_core.models.variants import VARIANTS as OTHERS
from tests.helpers.support import RECURRENT, VARIANTS, drawn, tiny

READ = "read"  # the vector of a word at the step that takes it as input; the vector of WORD itself: the logits
# The values of the second step; the word that it outputs is the input of the third one.
PLACES = {Node.WORD: (READ, 2), Node.WORD_BEFORE: (READ, 1)}
for one in (Node.STATE, Node.CONTEXT, Node.OUTPUT):
    PLACES |= {one: (one, 1), BEFORE[one]: (one, 0)}
SIZES = {"decoder.hidden": 6, "embedding": 5, "attentional": 4, "attention.score.hidden": 7, "tied": False}
# Settings that no tutorial or toolkit has.
OWN = ("fixed-vector", "bahdanau", "bahdanau-linear", "bahdanau-heads", "luong-dot-global", "luong-heads", "gnmt")


class Steps:
    """Three steps of a decoder. `made` holds the value of each part before a value in `given` replaces it."""

    def __init__(self, model, words, given):
        self.made, self.given, self.decoder, self.changed = {}, given, model.decoder, []
        {"update-then-attend": self._luong, "attend-then-update": self._bahdanau, "gnmt": self._gnmt}[
            model.config["order"]
        ]()
        source = torch.tensor([[4, 5, 6, 7, 8]])
        memory, carry = model.encode(source, torch.ones_like(source, dtype=torch.bool))
        for t, word in enumerate(words):
            step, carry = self.decoder.steps(self.node(READ, t, word), carry, memory)
            attentional = step.attentional
            if model.config["order"] == "gnmt":  # layers above the first, which are part of the decoder's state
                above = self.node(Node.OUTPUT, t, tuple(part[:, 1:] for part in carry.state))
                state = tuple(torch.cat([part[:, :1], new], 1) for part, new in zip(carry.state, above, strict=True))
                carry, attentional = replace(carry, state=state), above[0][:, -1:]
            elif model.config["order"] == "update-then-attend":
                attentional = self.node(Node.OUTPUT, t, attentional)
                carry = replace(carry, fed=attentional[:, -1])
            self.made[(Node.WORD, t)] = self.decoder.logits(attentional)
        for module, name in self.changed:
            delattr(module, name)

    def node(self, name, t, value):
        self.made[name, t] = value
        return self.given.get((name, t), value)

    def change(self, module, name, function):
        setattr(module, name, function)
        self.changed.append((module, name))

    def stepper(self, rnn):
        """An LSTM; the node is its state, h and c of all layers."""
        calls, own = itertools.count(), rnn.stepper

        def stepper(known):
            step = own(known)

            def stepped(t, unknown, before):
                _, after = step(t, unknown, before)
                after = self.node(Node.STATE, next(calls), after)
                return after[0][:, -1], after

            return stepped

        self.change(rnn, "stepper", stepper)

    def contexts(self, attention):
        calls, own = itertools.count(), attention.looks

        def looks(*arguments):
            found, context = own(*arguments)
            return found, self.node(Node.CONTEXT, next(calls), context)

        self.change(attention, "looks", looks)

    def _luong(self):
        self.stepper(self.decoder.rnn)
        self.contexts(self.decoder.attention)

    def _gnmt(self):
        self.stepper(self.decoder.rnns[0])
        self.contexts(self.decoder.attention)

    def _bahdanau(self):
        states, contexts = itertools.count(), itertools.count()
        renewed, own = self.decoder.next_state, self.decoder.attend

        def look(*arguments):
            context, looks = own(*arguments)
            return self.node(Node.CONTEXT, next(contexts), context), looks

        self.change(self.decoder, "attend", look)
        self.change(self.decoder, "next_state", lambda *given: self.node(Node.STATE, next(states), renewed(*given)))


def found(model) -> set[tuple[Node, Node]]:
    """The values of the second of three steps that change with another value while all others are kept."""
    arrows = set()
    for seed in range(2):
        torch.manual_seed(seed)
        words = [torch.randn(1, 1, model.config.embedding, dtype=torch.float64) for _ in range(3)]
        with torch.no_grad():
            plain = Steps(model, words, {}).made
            for name, place in PLACES.items():
                if place in plain:  # otherwise this order has no such value
                    made = Steps(model, words, plain | {place: _other(plain[place])}).made
                    ends = [end for end in BEFORE if (end, 1) in made]
                    arrows |= {(name, end) for end in ends if not _same(made[end, 1], plain[end, 1])}
    fixed = model.config["score"] is None  # it passes its one vector on and computes no context vector
    return {arrow for arrow in arrows if not (fixed and arrow[1] == Node.CONTEXT)}


def _other(value):
    if isinstance(value, tuple):
        return tuple(map(_other, value))
    return value + 3 * torch.randn_like(value)


def _same(one, other) -> bool:
    if isinstance(one, tuple):
        return all(map(_same, one, other))
    return torch.equal(one, other)


POINTS = {name: tiny(**RECURRENT[name]).config for name in OWN}
POINTS |= {name: variant.config(**SIZES, dropout=0.0, output_dropout=0.0) for name, variant in OTHERS.items()}


@pytest.mark.quick(5)
@pytest.mark.parametrize("name", POINTS)
def test_an_arrow_is_where_a_value_depends_on_another(name):
    model = drawn(POINTS[name])
    assert found(model) == flow(model.config)


# Names of the nodes of `path` in `flow`; all other nodes lie between two of these.
BOTH = {"previous": Node.STATE_BEFORE, "word": Node.WORD_BEFORE, "context": Node.CONTEXT, "output": Node.WORD}
NAMES = {
    "update-then-attend": BOTH | {"fed": Node.OUTPUT_BEFORE, "state": Node.STATE, "readout": Node.OUTPUT},
    "attend-then-update": BOTH | {"next": Node.STATE},
}
DRAWN = [{"feeding": False}, {"feeding": True}]
DRAWN += [{"order": "attend-then-update", "encoder.cell": "gru"} | own for own in ({"update": "groundhog"}, {})]
DRAWN += [{"order": "attend-then-update", "encoder.cell": "gru", "readout": "s_cur"}]


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("settings", DRAWN)
def test_a_path_without_its_inner_nodes_is_the_flow(settings, window):
    config = ModelConfig.of(window=window, **settings)
    assert contracted(path(config), NAMES[config["order"]]) == flow(config)


def contracted(graph: Path, names: dict[str, Node]) -> set[tuple[Node, Node]]:
    """The dependencies between the named nodes, with no other named node in between."""
    arrows = set()
    for start in names:
        seen = [start]
        for node in seen:  # it grows
            after = [end for before, end in graph.edges if before == node]
            arrows |= {(names[start], names[end]) for end in after if end in names}
            seen += [end for end in after if end not in names]
    return arrows


def test_a_transformer_has_no_such_step():
    with pytest.raises(ValueError, match="steps of a Transformer have no state"):
        flow(tiny(**VARIANTS["transformer"]).config)
