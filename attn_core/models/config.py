"""What a model is: a frozen dataclass, stored beside the weights."""

from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Self, get_args

from attn_core.aliases import renamed
from attn_core.models.checks import BY_ORDER, check
from attn_core.registry import offered


@dataclass(frozen=True)
class Config:
    """Base: from and to plain JSON values, with errors that name the field."""

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """The config of a JSON object. Raises ValueError for an unknown field or a value of the wrong type."""
        return cls().set(values)

    def set(self, values: dict[str, Any]) -> Self:
        """A copy with `values` in place of its own; strings are read as the field's type (`--set dropout=0.2`)."""
        known = {field.name: field.type for field in fields(self)}
        read = {}
        for name, value in renamed(values).items():
            if name not in known:
                raise ValueError(f"unknown setting {name!r}{offered(name, known)}")
            read[name] = _as(known[name], value, name)
        return replace(self, **read)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def _as(kind: Any, value: Any, name: str) -> Any:
    kinds = get_args(kind) or (kind,)
    if type(None) in kinds and value in (None, "none", "None", ""):
        return None
    kind = next(k for k in kinds if k is not type(None))
    try:
        if kind is bool:
            return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}[str(value).lower()]
        if kind is int and float(value) != int(float(value)):
            raise ValueError
        return kind(float(value)) if kind is int else kind(value)
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"setting {name} must be of type {kind.__name__}, not {value!r}") from error


@dataclass(frozen=True)
class ModelConfig(Config):
    """A point of the product space, with sizes."""

    # The mechanism.
    score: str | None = "general"  # a key of SCORES; none: no attention, one vector for the sentence
    window: str | None = "global"  # a key of WINDOWS
    half_width: int = 10  # D in words; the paper's 10
    sigma: float | None = None  # the Gaussian's width in words; none: D / 2 for local-p, no Gaussian for local-m
    attention_type: str = "soft"  # a key of ATTENTION_TYPES
    # Luong; "attend-then-update": Bahdanau; "gnmt": the bottom layer of several looks; "transformer": self-attention
    order: str = "update-then-attend"
    feeding: bool = False  # input feeding of the attentional vector (Luong 2015, section 3.3)
    # Rows of W_v, where other vectors are read than are compared; none: the states themselves.
    values: int | None = None
    heads: int = 1  # looks at a time, each with projections of its own; of a Transformer: in every layer
    head_size: int | None = None  # d_k = d_v; none: hidden / heads, and with one head no projections

    # Sizes.
    embedding: int = 144  # m
    encoder_hidden: int = 128  # of each direction
    hidden: int = 256  # n, the decoder's
    align_hidden: int = 256  # n', rows of W_a in `additive` and `concat`
    location_width: int = 50  # rows of W_a in `location`: the longest source
    rank: int | None = None  # of W_a in `general`, then U_a^T V_a; none: full
    attentional: int = 144  # what the output layer reads: h~ (Luong), the l maxout units (Bahdanau)
    layers: int = 1
    bidirectional: bool = True
    tied: bool = True  # the output layer's weights are the target embeddings
    shared: bool = False  # one vocabulary and one matrix of embeddings for both languages
    feedforward: int = 512  # d_ff, the inner units of a Transformer's layers

    # Regularisation and the start.
    dropout: float = 0.3  # on embeddings and between layers
    output_dropout: float = 0.3  # on what the output layer reads
    init: str = "glorot"  # "bahdanau2015", "luong2015"; "none": the weights come from elsewhere

    # Where the papers' text, their authors' code (GroundHog, nmt.matlab) and others disagree.
    center_rule: str = "floor"  # nmt.matlab; "real": |s - p_t| <= D, as Luong 2015, section 3.2, can be read
    local_m_rule: str = "clamp"  # nmt.matlab, p_t = min(t, S - 1), from 0; "text": p_t = t
    one_based: bool = False  # p_t of local-p as nmt.matlab counts, with words from 1
    gaussian: str = "after_softmax"  # Luong 2015, eq. 10; "on_scores": nmt.matlab's normLocalAttn; "renorm": no source
    identity_source: bool = False  # concat without a source matrix: nmt.matlab
    unmasked_fixed: bool = False  # location over all slots, beyond the sentence too: nmt.matlab of August 2015
    reverse: bool = False  # read the source from its end: nmt.matlab
    source_eos: bool = False  # the encoder reads </s> and the decoder may look at it: Luong 2015's text, not his code
    biases: bool = True  # of the LSTMs and the output layer; nmt.matlab has none
    readout: str = "s_prev"  # Bahdanau 2015, A.2.2, and GroundHog; "s_cur": eq. 4
    update: str = "groundhog"  # "printed": Bahdanau 2015, section 3.1
    reset: str = "before"  # Bahdanau 2015, A.1.1; "after": torch's GRU
    first_word: str = "bos"  # "zero": Bahdanau 2015, which has no start symbol
    positions: str = "sinusoidal"  # "learned", up to `longest` (Vaswani 2017, table 3, row E)
    longest: int = 256
    norm: str = "post"  # "pre": before each sublayer of a Transformer, not after it

    # What tutorials and toolkits do; attn_core/models/variants/ says which does what.
    normalizer: str = "softmax"  # "sparsemax"
    score_bias: bool = False  # in general, additive, concat and location
    score_scale: bool = False  # general times a learned number
    normed: bool = False  # additive with g v_a / |v_a|
    query: str | None = None  # what looks; none: the state; "word-and-state", "previous": see decoders.py, gnmt.py
    combine: str | None = None  # what the output layer reads; none: as the order's paper has it; see decoders.py
    combine_bias: bool = False  # beside W_c
    dropout_once: bool = False  # h~ is dropped out before it is fed, as the output layer reads it; not for each anew
    start: str | None = None  # the decoder's first state; none: as the order's paper has it; see decoders.py
    cell: str = "lstm"  # of order update-then-attend, and of its encoder; "gru": torch's
    recurrent: bool = True  # false: s_i is made from the word and the context alone
    input_layer: bool = False  # the GRU reads relu(W_x [E y; c])
    directions: str = "concat"  # "sum": both directions' states are added up
    padding: str = "masked"  # "zero", "read": places after a shorter sentence are looked at too; see model.py

    def __post_init__(self) -> None:
        check(self)

    @property
    def memory(self) -> int:
        """Size of one encoder state."""
        return self.encoder_hidden * (2 if self.bidirectional and self.directions == "concat" else 1)

    @property
    def context(self) -> int:
        """Size of what the decoder gets of a look."""
        return self.values or self.memory

    @property
    def looks_with(self) -> int:
        """Size of a query."""
        return self.hidden + (self.embedding if self.query == "word-and-state" else 0)

    @property
    def output_reads(self) -> int:
        """Size of what the output layer reads."""
        own = {"state": self.hidden, "concat": self.hidden + self.context + self.embedding}
        return own.get(self.chosen("combine"), self.attentional)

    @property
    def start_reads(self) -> int:
        """Size of what the decoder's first state is made from."""
        if self.order != "attend-then-update":
            return self.memory
        return self.encoder_hidden * (2 if self.bidirectional and self.chosen("start") == "both-ends" else 1)

    def through(self, window: str | None = None, half_width: int | None = None, sigma: float | None = None) -> Self:
        """These settings with another window; what is None is as here, but a new D brings its own sigma = D / 2."""
        changed = {
            "window": window or self.window,
            "half_width": self.half_width if half_width is None else half_width,
            "sigma": self.sigma if sigma is None and half_width is None else sigma,
        }
        return self.set(changed)

    def chosen(self, name: str) -> str:
        """`query`, `combine` or `start` in force: where none is set, that of the order's paper."""
        return getattr(self, name) or BY_ORDER[self.order][name][0]

    @property
    def projected(self) -> bool:
        """Whether what is compared and read are heads' projections; a Transformer's are in its layers."""
        return self.order != "transformer" and (self.heads > 1 or self.head_size is not None)
