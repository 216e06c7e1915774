"""Prepare text for training: tokenise it, build vocabularies and write word ids, once, for corpora of any size."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import compress
from pathlib import Path
from typing import Any, cast

import numpy as np

from attn_core.data.arrow_corpus import Store, distinct_words, write
from attn_core.data.corpus import Corpus, CorpusError, Files, Pairs, Text, blocks, check_even, encode_pairs, read_text
from attn_core.data.joined import Joined, join_lines
from attn_core.data.moses import Moses
from attn_core.data.text_files import Several, Without
from attn_core.data.tokenizer import Tokenizer, save_both
from attn_core.files import CheckpointError, making, parse_json, replacing, unfinished
from attn_core.models.config import ModelConfig
from attn_core.models.recipe import TrainConfig
from attn_core.training.task import OnProgress, Run


@dataclass(frozen=True)
class Texts:
    """Parallel text of a training.

    `taught`, the translations of a teacher, follows `training`. The vocabularies come from `training` alone: a model
    then has the vocabulary of one without a teacher, and can form an ensemble with it.
    """

    training: Text
    validation: Text
    taught: Text | None = None


@dataclass(frozen=True)
class Material:
    """Vocabularies, corpus and validation set of a training."""

    source: Tokenizer
    target: Tokenizer
    train: Corpus
    lines: int  # sentence pairs of the training text, including those that are skipped
    valid: Pairs
    references: list[str]  # target lines of the validation set, as they are in the text, joined if the pairs are
    excluded: int | None = None  # pairs left out of the training text for a held-out sentence; None: not asked for
    left_out: int = 0  # sources without a usable translation by the teacher


def prepare(
    run: Run,
    texts: Texts,
    langs: tuple[str, str],
    *,
    tokenized: bool,
    check: Callable[[Tokenizer, Tokenizer], None] = lambda source, target: None,
) -> Material:
    """Write the vocabularies and the corpus as ids to the run's folder, or reuse those of an earlier run if they fit.

    Raw text is tokenised by Moses. A resumed run keeps its vocabularies. Errors in the text leave no files in the
    folder. `run.on_progress(what, lines)` is called periodically. With `join` above 1 in the run's recipe, the
    texts are joined after tokenising. `check` may raise an error for the vocabularies.

    All that can be refused is refused before a teacher translates, which may take hours.

    Raises CorpusError for text that cannot be used, also for a validation pair that is too long for the model, and
    CheckpointError when a resumed run has no vocabularies.
    """
    config, out, recipe = run.config, run.out, cast(TrainConfig, run.recipe)
    read = valid_lines = read_text(texts.validation)
    if not tokenized:
        sources, targets = ([Moses(lang)(line) for line in lines] for lines, lang in zip(read, langs, strict=True))
        valid_lines = sources, targets
    full = [bool(source.strip() and target.strip()) for source, target in zip(*valid_lines, strict=True)]
    whole = [list(compress(lines, full)) for lines in read]
    valid_lines = join_lines(*valid_lines, recipe.join)
    references = join_lines(whole[0], whole[1], recipe.join)[1]
    made_from = _made_from(config, recipe, texts, langs, tokenized)
    path = out / "corpus" / "train.arrow"
    about = _description(path)
    fits = about.get("made_from") == made_from and about.get("vocabularies") == _digests(out)
    if not fits or (about["resumed"] and not run.resume):
        with making(path.parent), ExitStack() as stack:

            def prepare_text(text: Text) -> Text:
                """`text` as it is numbered."""
                text = stack.enter_context(_tokenize(text, langs, path.parent, tokenized, run.on_progress))
                return Joined(text, recipe.join) if recipe.join > 1 else text

            path.with_suffix(".json").unlink(missing_ok=True)
            text = prepare_text(texts.training)
            if run.resume:
                vocabularies = _load_vocabularies(out)
            else:
                vocabularies = _count_vocabularies(text, langs, recipe, config.shared, run.on_progress)
            check(*vocabularies)
            _encode_validation(valid_lines, vocabularies, config, recipe.join)
            lines = write(
                path,
                Several((text, prepare_text(texts.taught))) if texts.taught else text,
                vocabularies,
                recipe.max_length,
                config.source_eos,
                lambda lines: run.on_progress("numbering", lines),
            )
            if not run.resume:
                save_both(*vocabularies, out)
        # The vocabularies of a resumed run may come from another text.
        about = {"lines": lines, "made_from": made_from, "vocabularies": _digests(out), "resumed": run.resume}
        if isinstance(texts.training, Without):
            about["excluded"] = len(texts.training.left_out)
        if texts.taught:
            about["left_out"] = _length(texts.training) - _length(texts.taught)
        with replacing(path.with_suffix(".json")) as part:
            part.write_text(json.dumps(about, indent=1) + "\n", "utf-8")
    source, target = _load_vocabularies(out)
    valid = _encode_validation(valid_lines, (source, target), config, recipe.join)
    excluded, left_out = about.get("excluded"), about.get("left_out", 0)
    return Material(source, target, Store(path), about["lines"], valid, references, excluded, left_out)


def prepared(out: Path) -> Material:
    """The result of `prepare` in another process, without the validation set. Raises CorpusError if it is missing."""
    path = out / "corpus" / "train.arrow"
    if not path.exists():
        raise CorpusError(f"{path} not found; all machines need the same --out on a shared disk")
    return Material(*_load_vocabularies(out), Store(path), _description(path)["lines"], Pairs([], []), [])


def _length(text: Text) -> int:
    return sum(1 for _ in text.lines(0))


def _encode_validation(
    lines: tuple[list[str], list[str]], vocabularies: tuple[Tokenizer, Tokenizer], config: ModelConfig, join: int
) -> Pairs:
    """The validation set as ids. Raises CorpusError if no pair is left, and if one is too long for the model."""
    pairs = encode_pairs(*vocabularies, *lines, source_eos=config.source_eos)
    numbers = [number for number, pair in enumerate(zip(*lines, strict=True), 1) if all(map(str.strip, pair))]
    pair = "joined pair" if join > 1 else "pair"
    sides = ("source", pairs.lengths[0], config.limits[0]), ("target with <s>", pairs.lengths[1] + 1, config.limits[1])
    for side, lengths, limits in sides:
        for name, most in limits.items():
            if lengths.max() > most:
                longest = int(lengths.argmax())
                raise CorpusError(
                    f"{pair} {numbers[longest]} of the validation text has a {side} of {lengths[longest]} tokens, but "
                    f"{name} is {most}: increase {name}, or {'decrease join' if join > 1 else 'leave the pair out'}"
                )
    return pairs


def _made_from(
    config: ModelConfig, recipe: TrainConfig, texts: Texts, langs: tuple[str, str], tokenized: bool
) -> dict[str, Any]:
    """Everything that the ids of the corpus depend on."""
    settings = {name: getattr(recipe, name) for name in ("max_length", "min_frequency", "subword", "vocabulary")}
    text = {"text": texts.training.identity(), "langs": list(langs), "tokenized": tokenized}
    text |= {"taught": texts.taught.identity()} if texts.taught else {}
    text |= {"join": recipe.join} if recipe.join > 1 else {}
    return text | settings | {"source_eos": config.source_eos} | ({"shared": True} if config.shared else {})


def _description(path: Path) -> dict[str, Any]:
    """The description of the corpus at `path`; empty if the corpus is incomplete."""
    try:
        return dict(parse_json(path.with_suffix(".json").read_bytes(), finite=False)) if path.exists() else {}
    except (OSError, ValueError, TypeError):
        return {}


def _digests(out: Path) -> list[str]:
    paths = (out / "source.json", out / "target.json")
    return [sha256(path.read_bytes()).hexdigest() for path in paths if path.is_file()]


def _load_vocabularies(out: Path) -> tuple[Tokenizer, Tokenizer]:
    return _load_vocabulary(out / "source.json"), _load_vocabulary(out / "target.json")


def _load_vocabulary(path: Path) -> Tokenizer:
    try:
        return Tokenizer.load(path)
    except CheckpointError:  # a shared vocabulary is missing
        raise
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path} is missing or damaged, so training cannot continue ({error})") from error


def _count_vocabularies(
    text: Text, langs: tuple[str, str], recipe: TrainConfig, shared: bool, on_progress: OnProgress
) -> tuple[Tokenizer, Tokenizer]:
    """The vocabularies of both sides, or one shared vocabulary, from one pass over the text."""
    sides, lengths = [], []
    for side, lang in enumerate(langs):
        counts: Counter[str] = Counter()
        lines = 0
        for block in blocks(text.lines(side)):
            words, places, _ = distinct_words(block)
            counts.update(dict(zip(words, np.bincount(places, minlength=len(words)).tolist(), strict=True)))
            lines += len(block)
            on_progress(f"counting {lang} words", lines)
        lengths.append(lines)
        sides.append(counts)
    check_even(text, *lengths)
    how = recipe.subword, recipe.min_frequency, recipe.vocabulary
    if shared:
        source = Tokenizer.of_counts(sides[0] + sides[1], langs[0], *how)
        target = source.speaking(langs[1])
    else:
        source, target = (Tokenizer.of_counts(counts, lang, *how) for counts, lang in zip(sides, langs, strict=True))
    return (source.by_sentence(), target.by_sentence()) if recipe.join > 1 else (source, target)


@contextmanager
def _tokenize(
    text: Text, langs: tuple[str, str], folder: Path, tokenized: bool, on_progress: OnProgress
) -> Iterator[Text]:
    """`text` itself if tokenised; otherwise temporary files with its tokens, so that Moses runs once per line."""
    if tokenized:
        yield text
        return
    with ExitStack() as stack:
        parts = [
            stack.enter_context(unfinished(folder / f"{side}.{lang}"))
            for side, lang in zip(("source", "target"), langs, strict=True)
        ]
        lengths = []
        for side, (lang, part) in enumerate(zip(langs, parts, strict=True)):
            with part.open("w", encoding="utf-8") as file:
                lines, moses = 0, Moses(lang)
                for block in blocks(text.lines(side)):
                    file.writelines(moses(line) + "\n" for line in block)
                    lines += len(block)
                    on_progress(f"tokenising {lang}", lines)
            lengths.append(lines)
        check_even(text, *lengths)
        yield Files(*parts)
