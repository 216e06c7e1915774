"""`handout`: one HTML file that contains models and translates, without a network."""

from pathlib import Path
from typing import Annotated, Any

import typer

from attn_core.browser import is_page
from attn_core.browser.limits import MOST_LETTERS, sentence_length
from attn_core.cli.options import Force, named_file, utf8
from attn_core.cli.streams import print_status
from attn_core.files import check_file, replacing
from attn_core.messages import print_warning
from attn_core.registry import load


def handout(
    models: Annotated[list[str], typer.Argument(metavar="MODEL...", help="Names or folders of translators.")],
    out: Annotated[Path, typer.Option("--out", parser=named_file, metavar="FILE", help="The HTML file to write.")],
    text: Annotated[
        str | None,
        typer.Option(
            "--text", callback=utf8, help="The sentence that the page opens with (default: one of our examples)."
        ),
    ] = None,
    address: Annotated[
        str,
        typer.Option(
            "--address", callback=utf8, metavar="URL", help="The live page, shown with its QR code (needs segno)."
        ),
    ] = "",
    title: Annotated[str | None, typer.Option("--title", callback=utf8, help="The heading of the page.")] = None,
    force: Force = False,
) -> None:
    """Write a page that translates what a reader types, with the player. It works from the file, without a network."""
    check_file(out, is_page, force)
    opened = load("attn_core.models.checkpoint:load")(models[0])
    if text is None:
        text = _example(opened.source.lang, opened.target.lang)
    _check_length(opened, text)
    trace = load("attn_core.decoding.translate:translate")(opened, text)
    if doubt := load("attn_core.data.language:doubt_of")(trace.source, opened.source, opened.target):
        print_warning(doubt)
    page = load("attn_core.browser:html")(trace, title, models=models, text=text, address=address)
    with replacing(out) as part:
        part.write_text(page, encoding="utf-8")
    print_status(f"wrote {out} ({len(page.encode()) / 1e6:.1f} MB)")


def _check_length(model: Any, text: str) -> None:
    """Raise BadParameter for a sentence that the page would refuse to translate."""
    if len(text) > MOST_LETTERS:
        raise typer.BadParameter(
            f"--text has {len(text)} characters; a page translates at most {MOST_LETTERS}, so shorten it"
        )
    tokens = model.source.tokens(text)
    words = model.source.text(tokens).split()
    length = sentence_length(len(words), len(tokens), of_characters=model.source.of_characters)
    if length["words"] > length["most"]:
        unit = "word pieces" if length["unit"] == "pieces" else length["unit"]
        raise typer.BadParameter(
            f"--text has {length['words']} {unit}; a page translates at most {length['most']}, so shorten it"
        )


def _example(source: str, target: str) -> str:
    """A sentence in the language `source`."""
    examples = load("attn_core.data.examples:examples")(source, target)
    if not examples:
        raise typer.BadParameter(f"there is no example sentence for {source} to {target}: give --text")
    return examples[0].source
