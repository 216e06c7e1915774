"""Checks for parts of a model that are not compatible."""

from collections.abc import Iterator

from attn_core.attention.settings import (
    HEAD_SCORES,
    AdditiveSettings,
    AttentionSettings,
    LocalPSettings,
    WindowSettings,
    unequal,
)
from attn_core.messages import _
from attn_core.models.composition import Composition
from attn_core.models.encoders.settings import TransformerEncoderSettings
from attn_core.models.settings import (
    AttendThenUpdateSettings,
    GNMTSettings,
    TransformerDecoderSettings,
    UpdateThenAttendSettings,
)


def conflicts(config: Composition) -> Iterator[str]:
    """An error message, with advice, for each conflict between the parts of a config."""
    encoder, attention, decoder = config.encoder, config.attention, config.decoder
    if isinstance(decoder, TransformerDecoderSettings):
        yield from _of_transformer(config)
    if config.source_eos and (encoder.reverse or (attention and attention.window.is_local)):
        yield _("source_eos needs window=global and reverse=false: positions and S do not count </s>")
    if config.padding != "masked" and (encoder.reverse or attention is None or attention.window.is_local):
        yield _("padding={padding} needs attention with window=global, and reverse=false").format(
            padding=config.padding
        )
    if config.padding == "read" and not any(encoder.reading):
        yield _("padding=read needs a recurrent encoder: set encoder=rnn")
    if attention is None:
        yield from _without_attention(config)
    else:
        yield from _of_attention(config, attention)
    yield from _of_start(config)
    if isinstance(encoder, TransformerEncoderSettings) and config.embedding % encoder.heads:
        yield _not_divisible(config.embedding, "encoder.heads", encoder.heads)
    if config.tied and config.readout_size != config.embedding:
        combine = decoder.combine
        what = {"state": "decoder.hidden", "concat": "decoder.hidden + context + embedding"}.get(combine, "attentional")
        yield (
            _(
                "tied embeddings need an output layer with an input of size {embedding} (embedding), not "
                "{size} ({what}): change one of them, or set tied=false"
            ).format(embedding=config.embedding, size=config.readout_size, what=what)
        )


def _not_divisible(embedding: int, name: str, heads: int) -> str:
    return _("embedding (d_model) must be a multiple of {name}, not {embedding} with {heads} heads").format(
        name=name, embedding=embedding, heads=heads
    )


def _without_attention(config: Composition) -> Iterator[str]:
    decoder = config.decoder
    if isinstance(decoder, GNMTSettings | TransformerDecoderSettings):
        yield _("order {name} needs attention: set a score, or choose another order").format(name=decoder.name)
    if isinstance(decoder, AttendThenUpdateSettings) and all(config.encoder.reading):
        yield _("RNNencdec, the model without attention, has a one-directional encoder: set bidirectional=false")


def _of_attention(config: Composition, attention: AttentionSettings) -> Iterator[str]:
    if config.decoder.combine == "state" and isinstance(config.decoder, UpdateThenAttendSettings):
        yield _("combine=state ignores the context, so it needs a decoder without attention: set score=none")
    if isinstance(attention.score, AdditiveSettings) and attention.score.normed and config.init == "bahdanau2015":
        yield _("normed divides v_a by its norm, which is 0 with init=bahdanau2015: choose another init")
    transformer = isinstance(config.decoder, TransformerDecoderSettings)
    window = attention.window
    if isinstance(window, LocalPSettings) and window.half_width == 0 and window.center_rule == "real":
        yield _(
            "half_width=0 with center_rule=real leaves no word in view: set center_rule=floor, or half_width=1 or more"
        )
    dot = attention.score.name in HEAD_SCORES and not attention.projected and not transformer
    if dot and config.query != config.memory:
        yield unequal(attention.score.name, config.query, config.memory)
    if attention.heads > 1 and attention.head_size is None and config.hidden % attention.heads and not transformer:
        yield _("decoder.hidden must be a multiple of heads, not {hidden} with {heads} heads; or set head_size").format(
            hidden=config.hidden, heads=attention.heads
        )


def _of_transformer(config: Composition) -> Iterator[str]:
    """Conflicts of a Transformer decoder with other parts."""
    attention = config.attention
    if attention is None:
        return
    if attention.score.name not in HEAD_SCORES:
        yield _("setting score of a Transformer must be one of {values}, not {name!r}").format(
            values=", ".join(HEAD_SCORES), name=attention.score.name
        )
    fixed = {"type": "soft", "values": None, "head_size": None, "normalizer": "softmax"}
    for name, value in fixed.items():
        if getattr(attention, name) != value:
            label = "attention.type" if name == "type" else name
            yield _("a Transformer needs {label}={value}, not {other}").format(
                label=label, value=str(value).lower(), other=getattr(attention, name)
            )
    if attention.window != WindowSettings("global"):
        yield _("a Transformer needs window=global, not {name}").format(name=attention.window.name)
    if config.padding != "masked":
        yield _("a Transformer needs padding=masked, not {padding}").format(padding=config.padding)
    if config.memory != config.embedding:
        yield (
            _(
                "a Transformer has a single size, d_model: encoder states must have {embedding} units (embedding), "
                "not {memory}: change encoder.hidden, or set encoder=transformer"
            ).format(embedding=config.embedding, memory=config.memory)
        )
    if config.embedding % attention.heads:
        yield _not_divisible(config.embedding, "attention.heads", attention.heads)


def _of_start(config: Composition) -> Iterator[str]:
    """Conflicts between the decoder's initial state and the encoder."""
    encoder, decoder = config.encoder, config.decoder
    if isinstance(decoder, TransformerDecoderSettings):
        return
    start = getattr(decoder, "start", "copy")
    if start == "mean":
        return
    if not encoder.final_states:
        yield _("the encoder {name} has no last state: set start=mean").format(name=encoder.name)
        return
    if start != "copy":
        return
    stacked = not isinstance(decoder, AttendThenUpdateSettings)  # that order copies one vector, the last h
    other = "mean" if decoder.name == "gnmt" else "both-ends"
    if stacked and encoder.final_states != (2 if decoder.cell == "lstm" else 1):
        yield (
            _(
                "the decoder starts from the encoder's states, so both need the same cell, not {cell} and "
                "{decoder_cell}: change encoder.cell, or set start={other}"
            ).format(cell=encoder.cell, decoder_cell=decoder.cell, other=other)
        )
    if stacked and encoder.layers != getattr(decoder, "layers", 1):
        yield (
            _(
                "the decoder starts from the encoder's states, layer by layer, so both need the same number of "
                "layers, not {layers} and {decoder_layers}: change encoder.layers or decoder.layers, or set "
                "start={other}"
            ).format(layers=encoder.layers, decoder_layers=getattr(decoder, "layers", 1), other=other)
        )
    size = config.memory if stacked else encoder.end_size
    if size != config.hidden:
        yield (
            _(
                "the decoder starts from a copy of the encoder's last state, so decoder.hidden must equal the size of "
                "that state, {size}, not {hidden}"
            ).format(size=size, hidden=config.hidden)
        )
