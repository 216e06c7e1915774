"""`truecase`: give a model of lower-cased text the capitals of a raw text."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from attn_core.cli.options import Model
from attn_core.cli.streams import print_status
from attn_core.data.corpus import stream_lines
from attn_core.data.moses import Moses
from attn_core.data.tokenizer import Tokenizer
from attn_core.data.truecase import Truecaser
from attn_core.data.vocabulary_files import set_truecase, share
from attn_core.evaluation.model_card import update
from attn_core.models.checkpoint import load
from attn_core.models.ensemble import Ensemble
from attn_core.models.own_files import is_card


def truecase(
    model: Model,
    text: Annotated[
        Path,
        typer.Option("--text", metavar="FILE", help="Raw text in the target language, with capitals; may be .gz."),
    ],
) -> None:
    """Store the usual capitals of words with a model of lower-cased text, which restores them in its translations.

    They are counted on raw text, best on the training text before it was lower-cased. A word gets its commonest
    spelling inside sentences, if that has a capital and occurs at least twice. The table is part of target.json; the
    weights and the tokens stay as they are, and so does BLEU that ignores case. `evaluate --cased` measures the gain.
    """
    loaded = load(model)
    if isinstance(loaded, Ensemble) or loaded.folder is None:
        raise ValueError(f"{loaded.name} is an ensemble: give one model")
    target, folder = loaded.target, loaded.folder
    if not target.form.lower:
        raise ValueError(f"{loaded.name} outputs text with capitals, so it has none to restore")
    truecaser = truecaser_of(text, target)
    if not truecaser.spellings:
        raise ValueError(f"{text} has no word that is mostly written with a capital inside sentences")
    set_truecase(folder / "target.json", truecaser.to_json())
    share(folder)
    if is_card(folder / "README.md"):
        update(folder, {})
    print_status(f"{len(truecaser.spellings):,} words get capitals; saved in {folder / 'target.json'}")


def truecaser_of(text: Path, vocabulary: Tokenizer) -> Truecaser:
    """The usual capitals of words in a raw text, which is tokenised as for this vocabulary."""
    moses = Moses(vocabulary.lang, sentences=True, form=replace(vocabulary.form, lower=False))
    return Truecaser.of_lines(map(moses, stream_lines(text)))
