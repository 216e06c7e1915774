"""`card`: evaluate a model on a test set and write its card."""

from pathlib import Path
from typing import Annotated, Any

import typer

from attn_core.cli.evaluate import report
from attn_core.cli.failing import naming_bad_pair
from attn_core.cli.options import Force, Model, Threads, Tokenized, beam_width, use_threads, utf8
from attn_core.cli.progress import bar
from attn_core.cli.streams import print_report, print_status
from attn_core.cli.warnings import note_form
from attn_core.data.corpus import read_parallel
from attn_core.data.joined import join_lines, joined_name
from attn_core.evaluation.evaluate import count_words, evaluate
from attn_core.evaluation.model_card import tested, update
from attn_core.evaluation.own_alignment import own_alignment
from attn_core.files import check_file
from attn_core.models.about import with_test
from attn_core.models.checkpoint import load, read_config
from attn_core.models.folders import find
from attn_core.models.own_files import is_card

BEAM = 5


def card(
    model: Model,
    source: Annotated[
        Path | None, typer.Option("--source", metavar="FILE", help="Test sentences, one per line; may be .gz.")
    ] = None,
    reference: Annotated[
        Path | None, typer.Option("--reference", metavar="FILE", help="Their reference translations.")
    ] = None,
    tokenized: Tokenized = False,
    beam: Annotated[
        int | None,
        typer.Option("--beam", callback=beam_width, metavar="K", help=f"Beam width of the test (default: {BEAM})."),
    ] = None,
    test_set: Annotated[
        str | None,
        typer.Option("--test-set", callback=utf8, metavar="NAME", help="Name of the test set (default: the file's)."),
    ] = None,
    also: Annotated[
        bool, typer.Option("--also", help="Keep the card's scores on other test sets, and add these.")
    ] = False,
    data: Annotated[
        str | None, typer.Option("--data", callback=utf8, metavar="NAME", help="Training corpus, such as multi30k.")
    ] = None,
    hardware: Annotated[
        str | None,
        typer.Option("--hardware", callback=utf8, metavar="TEXT", help="Training hardware (default: as recorded)."),
    ] = None,
    note: Annotated[
        str | None, typer.Option("--note", callback=utf8, metavar="TEXT", help="A sentence about the model.")
    ] = None,
    threads: Threads = None,
    force: Force = False,
) -> None:
    """Write a model's card (README.md) from its config.json.

    The alignment error rate on our own sentence pairs is measured, where there are some in its languages. With --source
    and --reference, the model is also evaluated: BLEU with a beam and greedy, and perplexity. The scores are written to
    config.json too.
    """
    use_threads(threads)
    if (source is None) != (reference is None):
        raise typer.BadParameter("give both --source and --reference, or neither")
    folder = find(model)
    check_file(folder / "README.md", is_card, force)
    before = read_config(folder)["about"]
    about: dict[str, Any] = {}
    if data and "task" in before.get("data", {}):
        raise typer.BadParameter(f"{folder.name} was trained on a synthetic task; omit --data")
    if data:
        about["data"] = before.get("data", {}) | {"corpus": data}
    if hardware:
        about["machine"] = before.get("machine", {}) | {"hardware": hardware}
    if note:
        about["note"] = note
    loaded = load(model)
    if aligned := own_alignment(loaded):
        about["alignment"] = aligned
    if source and reference:
        joined = read_config(folder)["train"].join  # tested in the condition that it was trained for
        sources, references = join_lines(*read_parallel(source, reference), joined)
        if tokenized:
            note_form(loaded.source, source, sources)
            note_form(loaded.target, reference, references, "; BLEU compares them in this form")
        results = []
        for width in (beam or BEAM, 1):
            named = naming_bad_pair(loaded, (source, reference), (sources, references), tokenized, joined)
            with named, bar(f"beam {width}", len(sources)) as on_progress:
                results.append(
                    evaluate(loaded, sources, references, beam=width, tokenized=tokenized, on_progress=on_progress)
                )
        every = (count_words(loaded.source, loaded.source.tokens(line, tokenized)) for line in sources)
        lengths = [length for length in every if length]
        set_name = (test_set or source.name.split(".")[0]) + joined_name(joined)
        test = tested(results[0], results[1], set_name, lengths)
        about |= with_test(before, test, also)
        print_report(report(results[0]))
    update(folder, about, force)
    print_status(f"wrote {folder / 'README.md'}")
