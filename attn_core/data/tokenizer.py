"""Text to tokens to ids, and back.

Raw text is tokenised by Moses (`attn_core.data.moses`). Models read these tokens and figures show them; entities such
as `&apos;` stay escaped until `detokenize`.
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

from attn_core.data.form import AS_WRITTEN, Form, encodable, form_of
from attn_core.data.subwords import SPECIALS, WORD_START
from attn_core.data.truecase import NO_TRUECASER, Truecaser
from attn_core.data.unspaced import UNSPACED, characters_apart, counts_of_characters
from attn_core.data.vocabulary_files import read_vocabulary
from attn_core.files import CheckpointError, replacing
from attn_core.messages import _, meant
from attn_core.registry import load

if TYPE_CHECKING:
    from attn_core.data.moses import Moses

PAD, UNK, BOS, EOS = 0, 1, 2, 3
KINDS = ("word", "bpe")
FORMAT = "attn_core.tokenizer"
VERSION = 1
NO_LANGUAGE = "zxx"  # ISO 639 code for "no linguistic content", such as the symbols of a synthetic task


class Tokenizer:
    """A vocabulary of one language over Moses tokens: whole words, or byte-pair pieces (Sennrich 2016).

    Chinese has no spaces between words. There a vocabulary of words has characters, and byte-pair pieces are learned
    from whole clauses, as raw text has them.

    Ids 0 to 3 are `<pad>`, `<unk>`, `<s>`, `</s>`. Text never produces the ids 0, 2 and 3: a typed `</s>` is an unknown
    word, not the end of the sentence. `form` is the form of the text that the vocabulary was built from, such as lower
    case; all text is brought to it, and `truecaser` restores capitals in running text. Instances are immutable, so
    threads may share them.
    """

    pad, unk, bos, eos = PAD, UNK, BOS, EOS

    def __init__(
        self,
        model: tokenizers.Tokenizer,
        lang: str,
        kind: str,
        form: Form,
        sentences: bool = False,
        truecaser: Truecaser = NO_TRUECASER,
    ):
        """Called by `train` and `load`; use those."""
        vocabulary = model.get_vocab()
        self._tokens = tuple(sorted(vocabulary, key=vocabulary.__getitem__))
        self._ids = {token: i for token, i in vocabulary.items() if token not in SPECIALS}
        self._model = model
        self.lang = lang
        self.kind = kind
        self.form = form
        self.sentences = sentences
        self.truecaser = truecaser

    @cached_property
    def moses(self) -> "Moses":
        """The Moses preprocessing of the language, imported on first use."""
        return load("attn_core.data.moses:Moses")(self.lang, self.sentences, self.form)

    @classmethod
    def train(
        cls, lines: Iterable[str], lang: str, kind: str = "word", min_frequency: int = 2, size: int | None = None
    ) -> Self:
        """Build a vocabulary from tokenised `lines`: words (or merges) that occur at least `min_frequency` times.

        Its form is that of these lines: without capitals if no word of the vocabulary has one.

        `size` is the largest size, including the four special tokens; by default words are unlimited and BPE has 8,000
        pieces, or more if the text has more characters. Raises ValueError if `kind` is unknown, `size` is too small for
        a token (BPE: for each character), or `lines` contain no words (none that is frequent enough).
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
        """Build a vocabulary from word counts; see `train`."""
        _check(kind, size)
        form = _form(counts, lang)
        counts = _added((form.of(one).replace(WORD_START, "_"), n) for one, n in counts.items() if one not in SPECIALS)
        if not counts:
            raise ValueError("cannot build a vocabulary: the text has no words")
        if kind == "word":
            counts = counts_of_characters(counts) if lang in UNSPACED else counts
            ranked = sorted((-count, word) for word, count in counts.items() if count >= min_frequency)
            if not ranked:
                raise ValueError(
                    f"cannot build a vocabulary ({lang}): no word occurs {min_frequency} times; give more text, or set "
                    "min_frequency=1"
                )
            words = [*SPECIALS, *(word for _, word in ranked)][:size]
            return cls(_model({"vocab": {word: i for i, word in enumerate(words)}}, kind), lang, kind, form)
        model = tokenizers.Tokenizer(models.BPE(unk_token="<unk>"))
        model.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
        trainer = trainers.BpeTrainer(
            vocab_size=size or 8_000, min_frequency=min_frequency, special_tokens=list(SPECIALS), show_progress=False
        )
        with _one_thread():
            model.train_from_iterator(_repeated(counts), trainer)
        if size is not None and (least := model.get_vocab_size()) > size:  # there are no merges then
            raise ValueError(
                f"cannot build a vocabulary ({lang}) of {size} pieces: the characters of the text and the special "
                f"tokens are {least:,}; set vocabulary={least} or more"
            )
        return cls(_model(json.loads(model.to_str())["model"], kind), lang, kind, form)

    def speaking(self, lang: str) -> Self:
        """The same vocabulary with another language code, without the capitals of this language."""
        return type(self)(self._model, lang, self.kind, self.form, self.sentences)

    def by_sentence(self) -> Self:
        """A tokenizer with the same vocabulary that tokenises each sentence of a raw text separately; see `Moses`."""
        return type(self)(self._model, self.lang, self.kind, self.form, True, self.truecaser)

    def with_truecaser(self, truecaser: Truecaser) -> Self:
        """The same vocabulary, whose running text gets the capitals of `truecaser`."""
        return type(self)(self._model, self.lang, self.kind, self.form, self.sentences, truecaser)

    def shares(self, other: Self) -> bool:
        """Whether `other` has the same tokens with the same ids."""
        return self._tokens == other._tokens

    def tokens(self, text: str, tokenized: bool = False) -> list[str]:
        """The tokens of raw `text`, or of `tokenized` text, which is split at whitespace and brought to `form`.

        Unknown words keep their spelling; `unknown` returns their positions.
        """
        return self._tokens_and_words(text, tokenized)[0]

    def word_numbers(self, text: str, tokenized: bool = False) -> list[int]:
        """The index, from 0, of the word that each of the tokens of `text` belongs to.

        The words of `tokenized` text are those between its spaces, also of Chinese text, whose characters are tokens.
        Those of raw text are the words that Moses makes of it, in a Chinese vocabulary of words the characters.
        """
        return self._tokens_and_words(text, tokenized)[1]

    def _tokens_and_words(self, text: str, tokenized: bool) -> tuple[list[str], list[int]]:
        """The tokens of a text, and the index of the word of each."""
        line = self.form.of(encodable(text)).replace(WORD_START, "_") if tokenized else self.separated(self.moses(text))
        words = line.split()
        if self.kind == "word":
            parts = [self.separated(word).split() for word in words] if self.of_characters else [[one] for one in words]
            return [token for part in parts for token in part], [i for i, part in enumerate(parts) for _ in part]
        marked = [WORD_START + word for word in words]
        coded = self._model.encode(marked, is_pretokenized=True, add_special_tokens=False)
        numbers = cast(list[int], coded.word_ids)
        return [marked[i][lo:hi] for i, (lo, hi) in zip(numbers, coded.offsets, strict=True)], numbers

    @property
    def of_characters(self) -> bool:
        """Whether the words of this vocabulary are single characters, as in Chinese."""
        return self.kind == "word" and self.lang in UNSPACED

    def separated(self, line: str) -> str:
        """A tokenised line with spaces between words; in a Chinese vocabulary of words, between characters.

        A typed word-start marker, which would make a word look like a piece, is replaced by "_".
        """
        line = line.replace(WORD_START, "_")
        return characters_apart(line) if self.of_characters else line

    def ids(self, tokens: Sequence[str]) -> list[int]:
        """The id of each token; that of `<unk>` for unknown tokens and for special tokens typed as text."""
        return [self._ids.get(token, UNK) for token in tokens]

    def id_of(self, token: str) -> int:
        """The id of a token, special tokens included: the inverse of `token`. Raises ValueError for any other text."""
        if token in SPECIALS:
            return SPECIALS.index(token)
        if token not in self._ids:
            message = _("{token!r} is not a token of the vocabulary{hint}")
            raise ValueError(message.format(token=token, hint=meant(token, self._tokens)))
        return self._ids[token]

    def unknown(self, tokens: Sequence[str]) -> list[int]:
        """The positions of the tokens that the model reads as `<unk>`."""
        return [i for i, token in enumerate(tokens) if token not in self._ids]

    def merges(self) -> dict[tuple[str, str], int]:
        """The pairs of pieces that byte-pair encoding merges, numbered in its order; empty for words."""
        pairs = json.loads(self._model.to_str())["model"].get("merges", [])
        return {(first, second): rank for rank, (first, second) in enumerate(pairs)}

    def token(self, id: int) -> str:
        """The token with this `id`. Raises IndexError if there is none."""
        if not 0 <= id < len(self._tokens):
            raise IndexError(f"token id must be from 0 to {len(self._tokens) - 1}, not {id}")
        return self._tokens[id]

    def text(self, tokens: Sequence[str]) -> str:
        """The tokenised line: pieces joined into words, without `<pad>`, `<s>` and `</s>`.

        `<unk>` is kept: the model produced it, and BLEU should count it as an error.
        """
        kept = [token for token in tokens if token not in ("<pad>", "<s>", "</s>")]
        if self.kind == "word":
            return " ".join(kept)
        return " ".join("".join(kept).replace(WORD_START, " ").split())

    def detokenize(self, tokens: Sequence[str]) -> str:
        """The tokens as running text, in which pieces are joined and words have their capitals; see `Moses`."""
        return self.moses.detokenize(self.truecaser.restored(self.text(tokens).split()))

    def same(self, other: "Tokenizer") -> bool:
        """Whether `other` has the same language and form, splits text into the same tokens, and has the same ids."""
        return self.identity() == other.identity()

    def identity(self) -> list[Any]:
        """A JSON value that tokenizers with the same tokens, ids, language and rules share."""
        return [self.lang, self.sentences, self.form.to_json(), self._model.to_str()]

    def __len__(self) -> int:
        """The number of tokens in the vocabulary, special tokens included."""
        return len(self._tokens)

    def __repr__(self) -> str:
        return f"Tokenizer(lang={self.lang!r}, kind={self.kind!r}, {len(self)} tokens)"

    def save(self, path: str | os.PathLike, beside: str | None = None) -> None:
        """Write a JSON file: language, kind, form, the library's JSON as `tokenizer`; `sentences`, `truecase` if set.

        `beside` is the name of a file in the same folder with the same vocabulary: it is written instead of the JSON.
        """
        record: dict[str, Any] = {"format": FORMAT, "version": VERSION, "lang": self.lang, "kind": self.kind}
        record["form"] = self.form.to_json()
        record |= {"sentences": True} if self.sentences else {}
        record |= {"truecase": self.truecaser.to_json()} if self.truecaser.spellings else {}
        record["tokenizer"] = beside or json.loads(self._model.to_str())
        with replacing(Path(path)) as part:
            part.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | os.PathLike) -> Self:
        """Load a tokenizer that `save` wrote.

        Raises FileNotFoundError if the file does not exist, ValueError if it is damaged or not a tokenizer.
        """
        try:
            record = read_vocabulary(Path(path))
            if record.get("format") != FORMAT:
                raise ValueError(_("expected a JSON object with format {format!r}").format(format=FORMAT))
            if record.get("version") != VERSION:
                message = _("expected version {version}, not {found!r}")
                raise ValueError(message.format(version=VERSION, found=record.get("version")))
            lang, kind = record.get("lang"), record.get("kind")
            if not isinstance(lang, str) or kind not in KINDS:
                message = _("expected a language code and a kind of {kinds}, not {lang!r} and {kind!r}")
                raise ValueError(message.format(kinds=", ".join(KINDS), lang=lang, kind=kind))
            inner = record.get("tokenizer")
            model = _model(inner.get("model") if isinstance(inner, dict) else None, kind)
            if not isinstance(sentences := record.get("sentences", False), bool):
                raise ValueError(_("sentences must be true or false, not {found!r}").format(found=sentences))
            form = Form.from_json(record.get("form"))
            truecaser = Truecaser.from_json(record["truecase"]) if "truecase" in record else NO_TRUECASER
            return cls(model, lang, kind, form, sentences, truecaser)
        except CheckpointError:
            raise
        except (ValueError, RecursionError) as error:
            message = _("{path}: not a tokenizer file, or a damaged one ({reason})")
            raise ValueError(message.format(path=path, reason=error)) from error


def save_both(source: Tokenizer, target: Tokenizer, folder: Path) -> None:
    """Write source.json and target.json to `folder`; a shared vocabulary is written once."""
    source.save(folder / "source.json")
    target.save(folder / "target.json", "source.json" if source.same(target.speaking(source.lang)) else None)


def _check(kind: str, size: int | None) -> None:
    if kind not in KINDS:
        raise ValueError(f"tokenizer kind must be one of {', '.join(KINDS)}, not {kind!r}")
    if size is not None and size <= len(SPECIALS):
        raise ValueError(f"vocabulary size must be more than the {len(SPECIALS)} special tokens, not {size}")


def _form(counts: Mapping[str, int], lang: str) -> Form:
    """The form of a text with these words or pieces. The symbols of a synthetic task have no other form."""
    spelled = _added((word.replace(WORD_START, ""), n) for word, n in counts.items() if word not in SPECIALS)
    return AS_WRITTEN if lang == NO_LANGUAGE else form_of(spelled)


def _repeated(counts: Mapping[str, int]) -> Iterator[str]:
    """Each word repeated by its count, because the library's trainer counts words itself."""
    for word, count in counts.items():
        for start in range(0, count, 1000):
            yield " ".join([WORD_START + word] * min(1000, count - start))


@contextmanager
def _one_thread() -> Iterator[None]:
    """Disable the threads of the tokenizers library: with threads, version 0.23.3 hangs on some texts."""
    name = "TOKENIZERS_PARALLELISM"
    before = os.environ.get(name)
    os.environ[name] = "false"
    try:
        yield
    finally:
        os.environ.pop(name)
        if before is not None:
            os.environ[name] = before


def _added(counts: Iterable[tuple[str, int]]) -> Counter[str]:
    """The sum of the counts of each word."""
    found: Counter[str] = Counter()
    for word, count in counts:
        found[word] += count
    return found


def _model(record: Any, kind: str) -> tokenizers.Tokenizer:
    """The tokenizers library's object from the `model` field of its JSON.

    It is built from checked fields, not by the library's own reader, which maps a typed `</s>` to the control token and
    aborts the process on some damaged files. Raises ValueError if the fields do not form a vocabulary.
    """
    try:
        vocabulary, merges = dict(record["vocab"]), record["merges"] if kind == "bpe" else []
        ids = sorted(vocabulary.values())
        if set(map(type, ids)) != {int} or ids != list(range(len(ids))) or [*map(vocabulary.get, SPECIALS)] != ids[:4]:
            message = _("expected ids 0, 1, 2 ... starting with {specials}")
            raise ValueError(message.format(specials=" ".join(SPECIALS)))
        "".join(vocabulary).encode()  # fails on lone surrogates, for which the library would raise a TypeError
        pairs = [(first, second) for first, second in merges]
        unknown = [pair for pair in pairs if not {*pair, "".join(pair)} <= vocabulary.keys()]
        if unknown:
            raise ValueError(_("merge {pair} is not in the vocabulary").format(pair=unknown[0]))
    except (KeyError, TypeError) as error:
        raise ValueError(_("the vocabulary is missing or invalid: {reason}").format(reason=error)) from error
    if kind == "bpe":
        model = tokenizers.Tokenizer(models.BPE(vocabulary, pairs, unk_token="<unk>"))
    else:
        model = tokenizers.Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    model.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return model
