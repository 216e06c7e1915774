"""Which parts of a model do not go together, and what to do then."""

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
    """Why the parts of a config do not go together, each with what to do."""
    encoder, attention, decoder = config.encoder, config.attention, config.decoder
    if isinstance(decoder, TransformerDecoderSettings):
        yield from _of_transformer(config)
    if config.source_eos and (encoder.reverse or (attention and attention.window.is_local)):
        yield "source_eos needs window=global and reverse=false: positions and S count words, and </s> is none"
    if config.padding != "masked" and (encoder.reverse or attention is None or attention.window.is_local):
        yield "padding that is attended to needs window=global and reverse=false"
    if config.padding == "read" and not isinstance(encoder, RNNSettings):
        yield "padding=read is for a recurrent encoder"
    if attention is None:
        yield from _without_attention(config)
    else:
        yield from _of_attention(config, attention)
    yield from _of_start(config)
    if isinstance(encoder, TransformerEncoderSettings) and config.embedding % encoder.heads:
        yield f"d_model must be a multiple of heads, not {config.embedding} with {encoder.heads} heads"
    if config.tied and config.output_reads != config.embedding:
        combine = getattr(decoder, "combine", "state")
        what = {"state": "hidden", "concat": "hidden + context + embedding"}.get(combine, "attentional")
        yield (
            f"tied embeddings need an output layer that reads {config.embedding} numbers (embedding), "
            f"and this one reads {config.output_reads} ({what}): set one of them, or tied=false"
        )


def _without_attention(config: Composition) -> Iterator[str]:
    decoder = config.decoder
    if isinstance(decoder, GNMTSettings | TransformerDecoderSettings):
        yield f"order {decoder.name} needs attention: set a score, or another order"
    encoder = config.encoder
    if isinstance(decoder, AttendThenUpdateSettings) and isinstance(encoder, RNNSettings) and encoder.bidirectional:
        yield "the fixed-vector model is RNNencdec, whose encoder reads in one direction: set bidirectional=false"


def _of_attention(config: Composition, attention: AttentionSettings) -> Iterator[str]:
    if getattr(config.decoder, "combine", "") == "state" and isinstance(config.decoder, UpdateThenAttendSettings):
        yield "combine=state leaves the context out, so it is for a decoder without attention"
    if isinstance(attention.score, AdditiveSettings) and attention.score.normed and config.init == "bahdanau2015":
        yield "normed divides v_a by its length, and init bahdanau2015 makes it 0: take another init"
    transformer = isinstance(config.decoder, TransformerDecoderSettings)
    if attention.heads > 1 and attention.head_size is None and config.hidden % attention.heads and not transformer:
        yield f"hidden must be a multiple of heads, not {config.hidden} with {attention.heads} heads; or set head_size"


def _of_transformer(config: Composition) -> Iterator[str]:
    """What a Transformer's decoder needs of the others."""
    attention = config.attention
    if attention is None:
        return
    if attention.score.name not in ("scaled_dot", "dot"):
        yield f"setting score of a Transformer must be one of scaled_dot, dot, not {attention.score.name!r}"
    fixed = {"type": "soft", "values": None, "head_size": None, "normalizer": "softmax"}
    for name, value in fixed.items():
        if getattr(attention, name) != value:
            yield f"a Transformer needs {name}={str(value).lower()}, not {getattr(attention, name)}"
    if attention.window != WindowSettings("global"):
        yield f"a Transformer needs window=global, not {attention.window.name}"
    if config.padding != "masked":
        yield f"a Transformer needs padding=masked, not {config.padding}"
    if config.memory != config.embedding:
        yield (
            f"a Transformer has one size, d_model: its encoder's states need {config.embedding} units (embedding), "
            f"not {config.memory}"
        )
    if config.embedding % attention.heads:
        yield f"d_model must be a multiple of heads, not {config.embedding} with {attention.heads} heads"


def _of_start(config: Composition) -> Iterator[str]:
    """What the decoder's first state is made from, and whether it fits."""
    encoder, decoder = config.encoder, config.decoder
    if isinstance(decoder, TransformerDecoderSettings):
        return
    start = getattr(decoder, "start", "copy")
    if start == "mean":
        return
    if not isinstance(encoder, RNNSettings):
        yield f"a {encoder.name} encoder has no last state: set start=mean"
        return
    if start != "copy":
        return
    cells = {"gnmt": "lstm", "attend-then-update": encoder.cell}
    cell = cells.get(decoder.name, getattr(decoder, "cell", ""))
    states = {"lstm": 2, "gru": 1, "torch-gru": 1}
    if states[encoder.cell] != states.get(cell, 1):
        yield (
            f"the decoder starts from the encoder's states, so both need the same cell, not {encoder.cell} and {cell}: "
            "set encoder.cell, or start=both-ends"
        )
    if encoder.layers != getattr(decoder, "layers", 1) and not isinstance(decoder, AttendThenUpdateSettings):
        yield (
            "the decoder starts from the encoder's states, layer by layer, so both need as many layers, not "
            f"{encoder.layers} and {getattr(decoder, 'layers', 1)}: set layers, or start=both-ends"
        )
    size = encoder.hidden if isinstance(decoder, AttendThenUpdateSettings) else config.memory
    if size != config.hidden:
        yield (
            "the decoder starts from the encoder's states, so hidden must equal encoder.hidden times its "
            f"directions: {size}, not {config.hidden}"
        )
