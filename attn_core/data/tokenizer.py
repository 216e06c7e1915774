"""Text to tokens to ids, and back.

Raw text goes through Moses (`attn_core.data.moses`). The tokens that come out are what the models read and what every
figure shows; escaped entities such as `&apos;` stay as they are until `detokenize`.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

import tokenizers
from tokenizers import models, pre_tokenizers, trainers

from attn_core.data.subwords import SPECIALS, WORD_START
from attn_core.files import read_vocabulary, replacing
from attn_core.registry import load

if TYPE_CHECKING:
    from attn_core.data.moses import Moses

PAD, UNK, BOS, EOS = 0, 1, 2, 3
KINDS = ("word", "bpe")
FORMAT = "attn_core.tokenizer"
VERSION = 1
NO_LANGUAGE = "zxx"  # ISO 639: there is nothing linguistic in it; the symbols of a made-up task, say


class Tokenizer:
    """A vocabulary of one language over Moses tokens: whole words, or byte-pair pieces of them (Sennrich 2016).

    Ids 0 to 3 are `<pad>`, `<unk>`, `<s>`, `</s>`. Text can never produce the ids 0, 2 and 3: a user who types `</s>`
    gets an unknown word, not the end of the sentence. Nothing changes after construction, so threads may share one.
    """

    pad, unk, bos, eos = PAD, UNK, BOS, EOS

    def __init__(self, model: tokenizers.Tokenizer, lang: str, kind: str):
        """Wraps what `train` and `load` made; call those."""
        vocabulary = model.get_vocab()
        self._tokens = tuple(sorted(vocabulary, key=vocabulary.__getitem__))
        self._ids = {token: i for token, i in vocabulary.items() if token not in SPECIALS}
        self._model = model
        self.lang = lang
        self.kind = kind

    @cached_property
    def moses(self) -> "Moses":
        """What makes tokenised text of its language's raw text; imported when it is first asked for."""
        return load("attn_core.data.moses:Moses")(self.lang)

    @classmethod
    def train(
        cls, lines: Iterable[str], lang: str, kind: str = "word", min_frequency: int = 2, size: int | None = None
    ) -> Self:
        """A vocabulary from tokenised `lines`: tokens (or pairs to merge) seen `min_frequency` times, at most `size`.

        `size` counts the four special tokens; without it words are unlimited and BPE has 8,000 pieces.
        Raises ValueError when `kind` is unknown, `size` has no room for a token, or `lines` hold no word.
        """
        _check(kind, size)
        counts: Counter[str] = Counter()
        for line in lines:
            counts.update(encodable(line).split())
        return cls.of_counts(counts, lang, kind, min_frequency, size)

    @classmethod
    def of_counts(
        cls, counts: Mapping[str, int], lang: str, kind: str = "word", min_frequency: int = 2, size: int | None = None
    ) -> Self:
        """A vocabulary from how often each word of a text occurs; see `train`."""
        _check(kind, size)
        counts = {word: count for word, count in counts.items() if word not in SPECIALS}
        if not counts:
            raise ValueError("cannot train a tokenizer: the text has no words")
        if kind == "word":
            ranked = sorted((-count, word) for word, count in counts.items() if count >= min_frequency)
            words = [*SPECIALS, *(word for _, word in ranked)][:size]
            return cls(_model({"vocab": {word: i for i, word in enumerate(words)}}, kind), lang, kind)
        model = tokenizers.Tokenizer(models.BPE(unk_token="<unk>"))
        model.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
        trainer = trainers.BpeTrainer(
            vocab_size=size or 8_000, min_frequency=min_frequency, special_tokens=list(SPECIALS), show_progress=False
        )
        with _one_thread():
            model.train_from_iterator(_repeated(counts), trainer)
        return cls(_model(json.loads(model.to_str())["model"], kind), lang, kind)

    def speaking(self, lang: str) -> Self:
        """The same vocabulary for text of another language."""
        return type(self)(self._model, lang, self.kind)

    def shares(self, other: Self) -> bool:
        """Whether `other` gives every id to the same token."""
        return self._tokens == other._tokens

    def tokens(self, text: str, tokenized: bool = False) -> list[str]:
        """The tokens of raw `text`, or of text that is `tokenized` already (split at whitespace, else untouched).

        A word that the vocabulary lacks keeps its spelling; `unknown` tells which those are.
        """
        words = (encodable(text) if tokenized else self.moses(text)).split()
        if self.kind == "word":
            return words
        marked = [_marked(word) for word in words]
        coded = self._model.encode(marked, is_pretokenized=True, add_special_tokens=False)
        return [
            marked[word][lo:hi] for word, (lo, hi) in zip(cast(list[int], coded.word_ids), coded.offsets, strict=True)
        ]

    def ids(self, tokens: Sequence[str]) -> list[int]:
        """The id of each token; `<unk>`'s for one that the vocabulary lacks and for any spelled-out special token."""
        return [self._ids.get(token, UNK) for token in tokens]

    def unknown(self, tokens: Sequence[str]) -> list[int]:
        """The positions of the tokens that the model will read as `<unk>`."""
        return [i for i, token in enumerate(tokens) if token not in self._ids]

    def token(self, id: int) -> str:
        """The token of `id`. Raises IndexError outside 0 .. len - 1."""
        if not 0 <= id < len(self._tokens):
            raise IndexError(f"token id {id}: expected 0 to {len(self._tokens) - 1}")
        return self._tokens[id]

    def text(self, tokens: Sequence[str]) -> str:
        """The tokenised line: pieces joined to words, `<pad>`, `<s>` and `</s>` dropped.

        `<unk>` stays: it is a word that the model said, and BLEU should count it as the miss it is.
        """
        kept = [token for token in tokens if token not in ("<pad>", "<s>", "</s>")]
        if self.kind == "word":
            return " ".join(kept)
        return " ".join("".join(kept).replace(WORD_START, " ").split())

    def detokenize(self, tokens: Sequence[str]) -> str:
        """The tokens as running text, see `Moses.detokenize`."""
        return self.moses.detokenize(self.text(tokens).split())

    def same(self, other: "Tokenizer") -> bool:
        """Whether `other` splits every text alike and gives every token the same id."""
        return self.lang == other.lang and self._model.to_str() == other._model.to_str()

    def __len__(self) -> int:
        """The number of tokens in the vocabulary, special tokens included."""
        return len(self._tokens)

    def __repr__(self) -> str:
        return f"Tokenizer(lang={self.lang!r}, kind={self.kind!r}, {len(self)} tokens)"

    def save(self, path: str | os.PathLike, beside: str | None = None) -> None:
        """Writes one JSON file: language, kind, and the tokenizers library's own JSON under `tokenizer`.

        `beside` names a file in the same folder that holds the same vocabulary: its name is written in place of it.
        """
        record = {"format": FORMAT, "version": VERSION, "lang": self.lang, "kind": self.kind}
        record["tokenizer"] = beside or json.loads(self._model.to_str())
        with replacing(Path(path)) as part:
            part.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | os.PathLike) -> Self:
        """The tokenizer that `save` wrote.

        Raises FileNotFoundError when there is no such file, ValueError when it is damaged or something else.
        """
        try:
            record = read_vocabulary(Path(path))
            if record.get("format") != FORMAT:
                raise ValueError(f"expected a JSON object whose format is {FORMAT!r}")
            if record.get("version") != VERSION:
                raise ValueError(f"it has version {record.get('version')!r}; this program reads version {VERSION}")
            lang, kind = record.get("lang"), record.get("kind")
            if not isinstance(lang, str) or kind not in KINDS:
                raise ValueError(f"language {lang!r}, kind {kind!r}; expected a code and one of {', '.join(KINDS)}")
            inner = record.get("tokenizer")
            return cls(_model(inner.get("model") if isinstance(inner, dict) else None, kind), lang, kind)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{path}: not a tokenizer file, or a damaged one ({error})") from error


def encodable(text: str) -> str:
    """`text` with half surrogates (which no file can hold) replaced by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def save_both(source: Tokenizer, target: Tokenizer, folder: Path) -> None:
    """The vocabularies of a model as source.json and target.json in `folder`; one that both share is written once."""
    source.save(folder / "source.json")
    target.save(folder / "target.json", "source.json" if source.same(target.speaking(source.lang)) else None)


def _check(kind: str, size: int | None) -> None:
    if kind not in KINDS:
        raise ValueError(f"tokenizer kind {kind!r} is unknown; expected one of {', '.join(KINDS)}")
    if size is not None and size <= len(SPECIALS):
        raise ValueError(f"vocabulary size {size}: expected more than the {len(SPECIALS)} special tokens")


def _repeated(counts: Mapping[str, int]) -> Iterator[str]:
    """Each word as often as it occurs: the library's trainer counts for itself."""
    for word, count in counts.items():
        for told in range(0, count, 1000):
            yield " ".join([_marked(word)] * min(1000, count - told))


@contextmanager
def _one_thread() -> Iterator[None]:
    """The tokenizers library without its threads: with them, 0.23.3 stands still for ever on some texts."""
    name = "TOKENIZERS_PARALLELISM"
    before = os.environ.get(name)
    os.environ[name] = "false"
    try:
        yield
    finally:
        os.environ.pop(name)
        if before is not None:
            os.environ[name] = before


def _marked(word: str) -> str:
    return WORD_START + word.replace(WORD_START, "_")  # typed by a user, the mark would split the word in `text`


def _model(record: Any, kind: str) -> tokenizers.Tokenizer:
    """The tokenizers library's object from the model part of its JSON.

    Built from checked parts, not by the library's own reader, for two reasons: its list of added tokens would read a
    typed `</s>` as the control token, and some damaged files make it abort the process.
    Raises ValueError when the parts do not make a vocabulary.
    """
    try:
        vocabulary, merges = dict(record["vocab"]), record["merges"] if kind == "bpe" else []
        ids = sorted(vocabulary.values())
        if set(map(type, ids)) != {int} or ids != list(range(len(ids))) or [*map(vocabulary.get, SPECIALS)] != ids[:4]:
            raise ValueError(f"expected ids 0, 1, 2 ... that begin with {' '.join(SPECIALS)}")
        "".join(vocabulary).encode()  # half a surrogate is no text; the library would fail on it with a TypeError
        pairs = [(first, second) for first, second in merges]
        strangers = [pair for pair in pairs if not {*pair, "".join(pair)} <= vocabulary.keys()]
        if strangers:
            raise ValueError(f"its merge {strangers[0]} is not of its vocabulary")
    except (KeyError, TypeError) as error:
        raise ValueError(f"its vocabulary is missing or mistyped: {error}") from error
    if kind == "bpe":
        model = tokenizers.Tokenizer(models.BPE(vocabulary, pairs, unk_token="<unk>"))
    else:
        model = tokenizers.Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    model.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return model
