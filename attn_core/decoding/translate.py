"""Translate text into Traces; used by the dashboard, the notebooks and the command line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack, cast, overload

from attn_core.data.tokenizer import Tokenizer
from attn_core.decoding.alignment import align_from_weights
from attn_core.decoding.beam import beam_search, check_beam
from attn_core.decoding.edits import Edit, Edits, read_edits
from attn_core.decoding.effects import check_arguments
from attn_core.decoding.search import BATCH, Result, by_length, forced, greedy, retraced, sample, seed_of
from attn_core.decoding.traces import trace_of
from attn_core.messages import _
from attn_core.models.translator import Translator
from attn_core.trace import Trace


class _SharedOptions(TypedDict, total=False):
    """Options of both `translate` and `force`."""

    window: str | None
    half_width: int | None
    sigma: float | None
    live: Mapping[str, float | None] | None
    attention_type: str | None
    centers: Mapping[int, float] | None
    keep_states: bool
    tokenized: bool
    top: int
    edits: Sequence[Edit]


class _SearchOptions(_SharedOptions, total=False):
    """Options of `translate`."""

    beam: int
    replace_unk: bool
    unk_shift: int
    max_length: int | None
    min_length: int
    normalise: str
    alpha: float
    prefer_finished: bool
    temperature: float | None
    seed: int


@overload
def translate(model: Translator, text: str, **options: Unpack[_SearchOptions]) -> Trace: ...
@overload
def translate(
    model: Translator, text: list[str] | tuple[str, ...], **options: Unpack[_SearchOptions]
) -> list[Trace]: ...
def translate(
    model: Translator,
    text: str | Sequence[str],
    *,
    beam: int = 1,
    window: str | None = None,
    half_width: int | None = None,
    sigma: float | None = None,
    live: Mapping[str, float | None] | None = None,
    attention_type: str | None = None,
    centers: Mapping[int, float] | None = None,
    keep_states: bool = False,
    tokenized: bool = False,
    replace_unk: bool = False,
    unk_shift: int = 0,
    max_length: int | None = None,
    min_length: int = 0,
    normalise: str = "length",
    alpha: float = 1.0,
    prefer_finished: bool = False,
    temperature: float | None = None,
    seed: int = 0,
    top: int = 8,
    edits: Sequence[Edit] = (),
) -> Trace | list[Trace]:
    """Translate `text`, one sentence or a list of them; a Trace records every step of each translation.

    Decoding is greedy by default. `beam` above 1 selects beam search (`normalise`, `alpha`: see search.normalised; a
    hypothesis that is cut off at the limit counts as finished unless `prefer_finished`: see beam.search_beam); a
    `temperature` samples words, with `seed`. `window`, `half_width` (D), `sigma` and `live` (settings of a registered
    window, by name) and `attention_type` replace what the model was trained with: see Translator.with_window. `centers`
    replaces p_t of some steps, counted from 0: see Translator.with_centers. `edits` set weights, context vectors and
    words of a single sentence by hand, as a reader of the page does: see edits.py. `tokenized` text is split at
    whitespace and, as raw text is, brought to the form of the model's text (`Tokenizer.form`), such as lower case.
    `replace_unk` replaces each `<unk>` by the source word with the largest attention weight in the same step or, with
    `unk_shift` 1, in the next step: see replace_unknown.

    With `keep_states` the words and decoder states are those of `model`, in whose window and attention type the
    sentence is decoded; each step is then computed again from the state before it, in the window and with the type of
    this call. What follows from these within a step is in the trace: weights, context vector, log probabilities.

    Lengths count tokens of the model's vocabulary: words, or pieces of words if its subword unit is smaller. A
    translation has at least `min_length` and at most `max_length` tokens, </s> not counted: </s> cannot be chosen
    earlier, and nothing else later. Without a `max_length` it is cut off after 3 * source length + 10 tokens (or
    `min_length` + 1, if that is more). In any case it is cut off after the decoder's last learned position.
    `half_width` and `sigma` count source tokens, too. `top` is the number of most probable tokens kept for each step.

    Raises ValueError for text without a word, for options out of range, for options without effect (effects.py) and for
    edits that do not fit, TypeError for a name instead of a model.
    """
    if isinstance(model, str):
        raise TypeError(f"translate expects a model, not a name: use translate(load({model!r}), ...)")
    view = model.with_window(window, half_width, sigma, attention_type, live).with_centers(centers)
    decoding = model if keep_states else view
    search = _Search(beam, max_length, min_length, normalise, alpha, prefer_finished, temperature, seed)
    more = {"replace_unk": replace_unk, "unk_shift": unk_shift, "sigma": sigma}
    check_arguments("translate", vars(search) | more, _DEFAULTS, view)
    texts = [text] if isinstance(text, str) else list(text)
    _check_single(text, edits)
    traces = [found[0] for found in _traces(decoding, texts, search, 1, tokenized, top)]
    plain = traces[0] if edits else None
    if plain is not None:
        traces = _traces(decoding, texts, search, 1, tokenized, top, read_edits(decoding, edits, plain))[0]
    found = traces
    if replace_unk:
        traces = [replace_unknown(trace, unk_shift) for trace in traces]
    if keep_states:
        sources = [source_tokens(model, one, tokenized) for one in texts]
        ids = [[model.target.id_of(token) for token in trace.target] for trace in found]  # <unk> not replaced
        traces = [
            _keeping_states(model, view, source, words, trace, plain, top)
            for source, words, trace in zip(sources, ids, traces, strict=True)
        ]
    return traces[0] if isinstance(text, str) else traces


def n_best(
    model: Translator,
    text: str,
    n: int,
    *,
    beam: int = 5,
    max_length: int | None = None,
    min_length: int = 0,
    normalise: str = "length",
    alpha: float = 1.0,
    prefer_finished: bool = False,
    tokenized: bool = False,
    top: int = 8,
) -> list[Trace]:
    """The `n` best translations of a sentence by beam search, best first; options as for `translate`.

    They are ranked by search.normalised(trace.log_prob, len(trace.words), normalise, alpha); with `prefer_finished`,
    all that end with </s> come before all that were cut off.
    Raises ValueError unless 1 <= `n` <= `beam`, and as `translate` does.
    """
    if not 1 <= n <= beam:
        raise ValueError(f"n must be from 1 to {beam}, the beam width, not {n}")
    search = _Search(beam, max_length, min_length, normalise, alpha, prefer_finished)
    check_arguments("n_best", vars(search), _DEFAULTS, model)
    return _traces(model, [text], search, n, tokenized, top)[0]


@dataclass(frozen=True)
class _Search:
    """The search for translations; options as for `translate`. Raises ValueError for options out of range."""

    beam: int = 1
    max_length: int | None = None
    min_length: int = 0
    normalise: str = "length"
    alpha: float = 1.0
    prefer_finished: bool = False
    temperature: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_beam(self.beam, self.normalise, self.alpha)
        if self.max_length is not None and self.max_length < 1:
            raise ValueError(f"max_length must be at least 1 token, not {self.max_length}")
        if not 0 <= self.min_length <= (self.max_length or self.min_length):
            raise ValueError(f"min_length must be from 0 to max_length, not {self.min_length}")
        if self.temperature is not None and self.beam > 1:
            raise ValueError("a temperature samples words and cannot be combined with a beam; give one of the two")

    def settings(self, number: int) -> dict[str, Any]:
        """The search's entries in the settings of the trace of sentence `number`.

        They give the same trace again if it has no edits.
        """
        more: dict[str, Any] = {"min_length": self.min_length} if self.min_length else {}
        more |= {"max_length": self.max_length} if self.max_length is not None else {}
        if self.temperature is not None:
            seed = seed_of(self.seed, number)
            return {"search": "sample", "beam": 1, "temperature": self.temperature, "seed": seed} | more
        if self.beam == 1:
            return {"search": "greedy", "beam": 1} | more
        more |= {"prefer_finished": True} if self.prefer_finished else {}
        return {"search": "beam", "beam": self.beam, "normalise": self.normalise, "alpha": self.alpha} | more

    def __call__(
        self, model: Translator, sentences: list[list[int]], numbers: list[int], edits: Edits | None = None
    ) -> Result:
        """The translations of sentences with these indices in the text."""
        least, most = self.min_length, self.max_length
        if self.temperature is not None:
            return sample(model, sentences, None, self.temperature, self.seed, least, most, numbers, edits)
        if self.beam == 1:
            return greedy(model, sentences, None, least, most, edits)
        return beam_search(
            model,
            sentences,
            self.beam,
            normalise=self.normalise,
            alpha=self.alpha,
            least=least,
            most=most,
            prefer_finished=self.prefer_finished,
            edits=edits,
        )


_DEFAULTS = vars(_Search()) | {"replace_unk": False, "unk_shift": 0, "sigma": None}


def _check_single(text: str | Sequence[str], edits: Sequence[Any]) -> None:
    """Raise ValueError if there are `edits` and `text` is not one sentence."""
    if edits and not isinstance(text, str):
        raise ValueError(f"edits are those of one sentence: give a string, not a list of {len(text)}")


def _traces(
    model: Translator,
    texts: list[str],
    search: _Search,
    n: int,
    tokenized: bool,
    top: int,
    edits: Edits | None = None,
) -> list[list[Trace]]:
    """The `n` best translations of each text."""
    _check_top(top)
    sources = [source_tokens(model, one, tokenized) for one in texts]
    traces: dict[int, list[Trace]] = {}
    for chosen in by_length(sources, BATCH):
        result = search(model, [model.source_ids(sources[i]) for i in chosen], chosen, edits)
        for row, i in enumerate(chosen):
            best = result.hypotheses[row][:n]
            how = search.settings(i) | ({} if tokenized else {"text": texts[i]})
            of_text = [trace_of(model, how, sources[i], result, row, found, top) for found in best]
            traces[i] = [edits.recorded(trace) for trace in of_text] if edits else of_text
    return [traces[i] for i in range(len(texts))]


def _check_top(top: int) -> None:
    """Raise ValueError unless at least one word is kept for each step."""
    if top < 1:
        raise ValueError(f"top must be at least 1 token, not {top}")


@overload
def force(model: Translator, source: str, target: str, **options: Unpack[_SharedOptions]) -> Trace: ...
@overload
def force(
    model: Translator,
    source: list[str] | tuple[str, ...],
    target: list[str] | tuple[str, ...],
    **options: Unpack[_SharedOptions],
) -> list[Trace]: ...
def force(
    model: Translator,
    source: str | Sequence[str],
    target: str | Sequence[str],
    *,
    window: str | None = None,
    half_width: int | None = None,
    sigma: float | None = None,
    live: Mapping[str, float | None] | None = None,
    attention_type: str | None = None,
    centers: Mapping[int, float] | None = None,
    keep_states: bool = False,
    tokenized: bool = False,
    top: int = 8,
    edits: Sequence[Edit] = (),
) -> Trace | list[Trace]:
    """Forced decoding (Luong 2015, section 5.4): the Trace of the model producing `target` for `source`.

    Options as for translate. Target words outside the vocabulary are fed and scored as `<unk>`; the trace keeps
    their spelling. Raises ValueError for text without a word, for lists of different lengths, for `top` below 1 and for
    edits that do not fit: as for translate, but words cannot be edited (change `target`).
    """
    _check_top(top)
    _check_single(source, edits)
    view = model.with_window(window, half_width, sigma, attention_type, live).with_centers(centers)
    decoding = model if keep_states else view
    single = isinstance(source, str)
    texts, wanted = cast(  # one source has one target
        tuple[list[str], list[str]], ([source], [target]) if single else (list(source), list(target))
    )
    if len(texts) != len(wanted):
        raise ValueError(
            _("{sources} sources and {targets} targets: each source needs its target").format(
                sources=len(texts), targets=len(wanted)
            )
        )
    sources = [source_tokens(model, one, tokenized) for one in texts]
    targets = [model.target.tokens(one, tokenized) for one in wanted]
    for one, tokens in zip(wanted, targets, strict=True):
        if not tokens:
            raise ValueError(_("the target {text!r} has no word").format(text=one))
    ids = [model.target.ids(tokens) for tokens in targets]
    how = {"search": "forced", "beam": 1}
    traces: dict[int, Trace] = {}
    for chosen in by_length(sources, BATCH):
        result = forced(decoding, [model.source_ids(sources[i]) for i in chosen], [ids[i] for i in chosen])
        for row, i in enumerate(chosen):
            spelt = (*targets[i], "</s>")
            traces[i] = trace_of(decoding, how, sources[i], result, row, result.found[row], top, spelt)
            words, plain = [*ids[i], Tokenizer.eos], traces[i] if edits else None
            if plain is not None:
                by_hand = read_edits(decoding, edits, plain)
                traces[i] = by_hand.recorded(_retrace(decoding, sources[i], words, plain, by_hand, top))
            if keep_states:
                traces[i] = _keeping_states(model, view, sources[i], words, traces[i], plain, top)
    return traces[0] if single else [traces[i] for i in range(len(texts))]


def _retrace(
    model: Translator,
    source: list[str],
    words: list[int],
    trace: Trace,
    edits: Edits | None,
    top: int,
    view: Translator | None = None,
) -> Trace:
    """`trace`, whose words are those of these ids, with each step computed again: see search.retraced."""
    result = retraced(model, model.source_ids(source), words, edits, view)
    again = trace_of(view or model, {}, source, result, 0, result.found[0], top, trace.target)
    shared = {name: value for name, value in trace.settings.items() if name not in trace.settings["trained_window"]}
    return replace(again, settings=shared | again.settings)  # the window is that of the view


def _keeping_states(
    model: Translator,
    view: Translator,
    source: list[str],
    words: list[int],
    trace: Trace,
    plain: Trace | None,
    top: int,
) -> Trace:
    """The `trace` of `model` with each step computed by `view`; if it has edits, `plain` is the trace without them."""
    by_hand = None if plain is None else read_edits(model, trace.settings["edits"], plain)
    again = _retrace(model, source, words, trace, by_hand, top, view)
    return replace(again, settings=again.settings | {"keep_states": True})


def replace_unknown(trace: Trace, shift: int = 0) -> Trace:
    """`trace` with each `<unk>` of the target replaced by the source word with the largest attention weight.

    With `shift` 1 the weights of the next step are used, as in Luong 2015 (footnote 14). The `</s>` that a model adds
    to its source never replaces an `<unk>`. A trace without attention stays as it is.
    """
    added = trace.source[-1:] == ("</s>",) and len(trace.source) - 1 not in trace.unknown  # a typed </s> is unknown
    n = len(trace.source) - added
    links = {j: i for i, j in align_from_weights(trace.weights()[:, :n], shift)}
    words = [
        replace(w, token=trace.source[links[w.t]]) if w.token == "<unk>" and w.t in links else w for w in trace.words
    ]
    settings = trace.settings | {"replace_unk": True, "unk_shift": shift}
    return replace(trace, settings=settings, words=tuple(words))


def text_of(model: Translator, trace: Trace, tokenized: bool = False) -> str:
    """The translation as running text or, if `tokenized`, as the line of tokens that BLEU is computed on."""
    words = [word for word in trace.target if word != "</s>"]
    return model.target.text(words) if tokenized else model.target.detokenize(words)


def source_tokens(model: Translator, text: str, tokenized: bool) -> list[str]:
    """The tokens of a source. Raises ValueError for text without a word."""
    tokens = model.source.tokens(text, tokenized)
    if not tokens:
        raise ValueError(_("the source {text!r} has no word").format(text=text))
    return tokens
