"""What is made from what in one decoding step, by the settings of a model: `path` of paths.py without its inner nodes.

It knows every recurrent model; `path` knows fewer of them, with the shapes and equations of each node.
"""

from enum import StrEnum

from attn_core.models.config import ModelConfig


class Part(StrEnum):
    """What a step makes, and each of it as the step before made it.

    STATE is the one that a step begins with or ends in: Luong's h_t, Bahdanau's s_i, the bottom layer's h^1_t of gnmt.
    OUTPUT is what the output layer reads where it has a row of its own: Luong's attentional vector, the layers above of
    gnmt. In Bahdanau's order it is a part of the WORD.
    """

    WORD = "word"
    STATE = "state"
    CONTEXT = "context"
    OUTPUT = "output"
    WORD_BEFORE = "word before"
    STATE_BEFORE = "state before"
    CONTEXT_BEFORE = "context before"
    OUTPUT_BEFORE = "output before"


BEFORE = {
    Part.WORD: Part.WORD_BEFORE,
    Part.STATE: Part.STATE_BEFORE,
    Part.CONTEXT: Part.CONTEXT_BEFORE,
    Part.OUTPUT: Part.OUTPUT_BEFORE,
}

Flow = frozenset[tuple[Part, Part]]


def flow(config: ModelConfig) -> Flow:
    """(from, to) for all that a decoding step computes: `to` is computed from `from` with no other Part between.

    (WORD, STATE) is the word that was chosen; an arrow from a state or a word to the CONTEXT is a query. Raises
    ValueError for a Transformer, whose steps have no state.
    """
    if config["order"] == "transformer":
        raise ValueError("a Transformer's steps have no state: this is for models with a recurrent decoder")
    return {"update-then-attend": _luong, "attend-then-update": _bahdanau, "gnmt": _gnmt}[config["order"]](config)


def _luong(config: ModelConfig) -> Flow:
    arrows = {(Part.STATE_BEFORE, Part.STATE), (Part.WORD_BEFORE, Part.STATE), (Part.STATE, Part.CONTEXT)}
    arrows |= {(Part.CONTEXT, Part.OUTPUT), (Part.STATE, Part.OUTPUT), (Part.OUTPUT, Part.WORD)}
    if config["feeding"]:
        arrows.add((Part.OUTPUT_BEFORE, Part.STATE))
    return frozenset(arrows)


def _bahdanau(config: ModelConfig) -> Flow:
    arrows = {
        (Part.STATE if config["readout"] == "s_cur" else Part.STATE_BEFORE, Part.WORD),
        (Part.CONTEXT, Part.STATE),
    }
    arrows.add((Part.WORD if config["update"] == "groundhog" else Part.WORD_BEFORE, Part.STATE))
    if config["recurrent"]:
        arrows.add((Part.STATE_BEFORE, Part.STATE))
    if config["combine"] != "state":
        arrows |= {(Part.CONTEXT, Part.WORD), (Part.WORD_BEFORE, Part.WORD)}
    if config["score"] is not None:
        arrows.add((Part.STATE_BEFORE, Part.CONTEXT))
        if config["query"] == "word-and-state":
            arrows.add((Part.WORD_BEFORE, Part.CONTEXT))
    return frozenset(arrows)


def _gnmt(config: ModelConfig) -> Flow:
    arrows = {(Part.STATE_BEFORE, Part.STATE), (Part.WORD_BEFORE, Part.STATE)}
    arrows |= {(Part.STATE, Part.OUTPUT), (Part.CONTEXT, Part.OUTPUT), (Part.OUTPUT_BEFORE, Part.OUTPUT)}
    arrows.add((Part.OUTPUT, Part.WORD))
    if config["query"] == "previous":
        return frozenset({*arrows, (Part.STATE_BEFORE, Part.CONTEXT), (Part.CONTEXT, Part.STATE)})
    return frozenset({*arrows, (Part.STATE, Part.CONTEXT), (Part.CONTEXT_BEFORE, Part.STATE)})
