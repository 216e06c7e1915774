"""Checks for parts of a model that are not compatible."""

from collections.abc import Iterator

from attn_core.attention.settings import AdditiveSettings, AttentionSettings, WindowSettings
from attn_core.models.composition import Composition
from attn_core.models.settings import (
    AttendThenUpdateSettings,
    GNMTSettings,
    RNNSettings,
    TransformerDecoderSettings,
    TransformerEncoderSettings,
    UpdateThenAttendSettings,
)


def conflicts(config: Composition) -> Iterator[str]:
    """An error message, with advice, for each conflict between the parts of a config."""
    encoder, attention, decoder = config.encoder, config.attention, config.decoder
    if isinstance(decoder, TransformerDecoderSettings):
        yield from _of_transformer(config)
    if config.source_eos and (encoder.reverse or (attention and attention.window.is_local)):
        yield "source_eos needs window=global and reverse=false: positions and S do not count </s>"
    if config.padding != "masked" and (encoder.reverse or attention is None or attention.window.is_local):
        yield f"padding={config.padding} needs attention with window=global, and reverse=false"
    if config.padding == "read" and not isinstance(encoder, RNNSettings):
        yield "padding=read needs a recurrent encoder: set encoder=rnn"
    if attention is None:
        yield from _without_attention(config)
    else:
        yield from _of_attention(config, attention)
    yield from _of_start(config)
    if isinstance(encoder, TransformerEncoderSettings) and config.embedding % encoder.heads:
        yield f"d_model must be a multiple of heads, not {config.embedding} with {encoder.heads} heads"
    if config.tied and config.output_reads != config.embedding:
        combine = decoder.combine
        what = {"state": "hidden", "concat": "hidden + context + embedding"}.get(combine, "attentional")
        yield (
            f"tied embeddings need an output layer with an input of size {config.embedding} (embedding), "
            f"not {config.output_reads} ({what}): change one of them, or set tied=false"
        )


def _without_attention(config: Composition) -> Iterator[str]:
    decoder = config.decoder
    if isinstance(decoder, GNMTSettings | TransformerDecoderSettings):
        yield f"order {decoder.name} needs attention: set a score, or choose another order"
    encoder = config.encoder
    if isinstance(decoder, AttendThenUpdateSettings) and isinstance(encoder, RNNSettings) and encoder.bidirectional:
        yield "RNNencdec, the model without attention, has a one-directional encoder: set bidirectional=false"


def _of_attention(config: Composition, attention: AttentionSettings) -> Iterator[str]:
    if config.decoder.combine == "state" and isinstance(config.decoder, UpdateThenAttendSettings):
        yield "combine=state ignores the context, so it needs a decoder without attention: set score=none"
    if isinstance(attention.score, AdditiveSettings) and attention.score.normed and config.init == "bahdanau2015":
        yield "normed divides v_a by its norm, which is 0 with init=bahdanau2015: choose another init"
    transformer = isinstance(config.decoder, TransformerDecoderSettings)
    if attention.heads > 1 and attention.head_size is None and config.hidden % attention.heads and not transformer:
        yield f"hidden must be a multiple of heads, not {config.hidden} with {attention.heads} heads; or set head_size"


def _of_transformer(config: Composition) -> Iterator[str]:
    """Conflicts of a Transformer decoder with other parts."""
    attention = config.attention
    if attention is None:
        return
    if attention.score.name not in ("scaled_dot", "dot"):
        yield f"setting score of a Transformer must be one of scaled_dot, dot, not {attention.score.name!r}"
    fixed = {"type": "soft", "values": None, "head_size": None, "normalizer": "softmax"}
    for name, value in fixed.items():
        if getattr(attention, name) != value:
            label = "attention.type" if name == "type" else name
            yield f"a Transformer needs {label}={str(value).lower()}, not {getattr(attention, name)}"
    if attention.window != WindowSettings("global"):
        yield f"a Transformer needs window=global, not {attention.window.name}"
    if config.padding != "masked":
        yield f"a Transformer needs padding=masked, not {config.padding}"
    if config.memory != config.embedding:
        yield (
            f"a Transformer has a single size, d_model: encoder states must have {config.embedding} units "
            f"(embedding), not {config.memory}"
        )
    if config.embedding % attention.heads:
        yield f"d_model must be a multiple of heads, not {config.embedding} with {attention.heads} heads"


def _of_start(config: Composition) -> Iterator[str]:
    """Conflicts between the decoder's initial state and the encoder."""
    encoder, decoder = config.encoder, config.decoder
    if isinstance(decoder, TransformerDecoderSettings):
        return
    start = getattr(decoder, "start", "copy")
    if start == "mean":
        return
    if not isinstance(encoder, RNNSettings):
        yield f"the encoder {encoder.name} has no last state: set start=mean"
        return
    if start != "copy":
        return
    cells = {"gnmt": "lstm", "attend-then-update": encoder.cell}
    cell = cells.get(decoder.name, getattr(decoder, "cell", ""))
    states = {"lstm": 2, "gru": 1, "torch-gru": 1}
    other = "mean" if decoder.name == "gnmt" else "both-ends"
    if states[encoder.cell] != states.get(cell, 1):
        yield (
            f"the decoder starts from the encoder's states, so both need the same cell, not {encoder.cell} and {cell}: "
            f"change encoder.cell, or set start={other}"
        )
    if encoder.layers != getattr(decoder, "layers", 1) and not isinstance(decoder, AttendThenUpdateSettings):
        yield (
            "the decoder starts from the encoder's states, layer by layer, so both need the same number of layers, not "
            f"{encoder.layers} and {getattr(decoder, 'layers', 1)}: change layers, or set start={other}"
        )
    size = encoder.hidden if isinstance(decoder, AttendThenUpdateSettings) else config.memory
    if size != config.hidden:
        yield (
            "the decoder starts from the encoder's states, so hidden must equal encoder.hidden times the number of "
            f"directions, {size}, not {config.hidden}"
        )
