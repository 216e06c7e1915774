"""What is made from what in one decoding step, by the settings of a model: the arrows of `figures.network`."""

from attn_core.config import ModelConfig

# What a step makes, and each of them of the step before. "state" is the one that a step begins with or ends in: Luong's
# h_t, Bahdanau's s_i, the bottom layer's h^1_t of gnmt. "output" is what the output layer reads where it has a row of
# its own: Luong's attentional vector, the layers above of gnmt. In Bahdanau's order it is a part of the "word".
WORD, STATE, CONTEXT, OUTPUT = "word", "state", "context", "output"
WORD_BEFORE, STATE_BEFORE, CONTEXT_BEFORE, OUTPUT_BEFORE = (f"{name} before" for name in (WORD, STATE, CONTEXT, OUTPUT))

Flow = frozenset[tuple[str, str]]


def flow(config: ModelConfig) -> Flow:
    """(from, to) for all that a decoding step computes directly: what `to` would be with another `from`.

    (WORD, STATE) is the word that was chosen; an arrow from a state or a word to the CONTEXT is a query. Raises
    ValueError for a Transformer, whose steps have no state.
    """
    if config.order == "transformer":
        raise ValueError("a Transformer's steps have no state: this is for models with a recurrent decoder")
    return {"step-then-look": _luong, "look-then-step": _bahdanau, "gnmt": _gnmt}[config.order](config)


def _luong(config: ModelConfig) -> Flow:
    fed = {(OUTPUT_BEFORE, STATE)} if config.feeding else set()
    enters = {(STATE_BEFORE, STATE), (WORD_BEFORE, STATE), *fed}
    return frozenset({*enters, (STATE, CONTEXT), (CONTEXT, OUTPUT), (STATE, OUTPUT), (OUTPUT, WORD)})


def _bahdanau(config: ModelConfig) -> Flow:
    arrows = {(STATE if config.readout == "s_cur" else STATE_BEFORE, WORD), (CONTEXT, STATE)}
    arrows.add((WORD if config.update == "groundhog" else WORD_BEFORE, STATE))
    if config.recurrent:
        arrows.add((STATE_BEFORE, STATE))
    if config.chosen("combine") != "state":
        arrows |= {(CONTEXT, WORD), (WORD_BEFORE, WORD)}
    if config.score is not None:
        arrows.add((STATE_BEFORE, CONTEXT))
        if config.query == "word-and-state":
            arrows.add((WORD_BEFORE, CONTEXT))
    return frozenset(arrows)


def _gnmt(config: ModelConfig) -> Flow:
    above = {(STATE, OUTPUT), (CONTEXT, OUTPUT), (OUTPUT_BEFORE, OUTPUT), (OUTPUT, WORD)}
    bottom = {(STATE_BEFORE, STATE), (WORD_BEFORE, STATE)}
    if config.query == "previous":
        return frozenset({*above, *bottom, (STATE_BEFORE, CONTEXT), (CONTEXT, STATE)})
    return frozenset({*above, *bottom, (STATE, CONTEXT), (CONTEXT_BEFORE, STATE)})
