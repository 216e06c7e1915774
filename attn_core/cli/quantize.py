"""`quantize`: store a translator with weights in 8 bits, if its BLEU stays about the same."""

import json
import shutil
from pathlib import Path
from typing import Annotated

import torch
import typer
from safetensors.torch import save_file

from attn_core.cli.evaluate import Reference
from attn_core.cli.failing import naming_bad_pair
from attn_core.cli.options import Force, Model, Source, Threads, Tokenized, named_folder, use_threads
from attn_core.cli.progress import bar
from attn_core.cli.streams import LOSSY, print_status
from attn_core.cli.warnings import note_form
from attn_core.data.corpus import read_parallel
from attn_core.data.joined import join_lines
from attn_core.data.vocabulary_files import share
from attn_core.evaluation.evaluate import evaluate
from attn_core.files import check_folder, replacing_folder
from attn_core.messages import print_error
from attn_core.models.checkpoint import OF_TRANSLATORS, load, read_config
from attn_core.models.ensemble import Ensemble
from attn_core.models.folders import TRANSLATOR, find, read_record
from attn_core.models.own_files import foreign_in_model
from attn_core.models.quantization import packed, unpacked
from attn_core.models.translator import Translator
from attn_core.training.course import METRICS
from attn_core.training.snapshots_file import FILE as SNAPSHOTS

STORED = "8 bits (with a scale for each row)"  # how the weights are stored, in config.json


def quantize(
    model: Model,
    out: Annotated[
        Path, typer.Option("--out", parser=named_folder, metavar="DIR", help="Folder for the smaller model.")
    ],
    source: Source,
    reference: Reference,
    tokenized: Tokenized = False,
    loss: Annotated[float, typer.Option("--loss", min=0, max=100, help="Largest loss of BLEU.")] = 0.3,
    threads: Threads = None,
    force: Force = False,
) -> None:
    """Store a translator with 8-bit weights, a scale for each row, if it loses at most 0.3 BLEU on a test set.

    Nothing is written if it loses more. BLEU is that of greedy search, computed as by `evaluate`; a model that was
    trained on joined sentences is tested on joined sentences. The scores in the model's config.json are left out: see
    `card`.
    """
    use_threads(threads)
    whole = load(model)
    if isinstance(whole, Ensemble):
        raise ValueError(f"{whole.name} is an ensemble: give one model")
    if (out / "config.json").exists() and not force:
        raise ValueError(f"{out} already holds a model; give another folder, or replace it with --force")
    check_folder(out, foreign_in_model, force)
    folder = find(model)
    record = read_record(folder, TRANSLATOR)
    if record["about"].get("weights") == STORED:
        raise ValueError(f"{model} is already stored in 8 bits")
    joined = read_config(folder)["train"].join  # tested in the condition that it was trained for, as by `card`
    sources, references = join_lines(*read_parallel(source, reference), joined)
    if tokenized:
        note_form(whole.source, source, sources)
        note_form(whole.target, reference, references, "; BLEU compares them in this form")
    copies = OF_TRANSLATORS.copies(whole.config)
    weights = packed({name: weight for name, weight in whole.state_dict().items() if name not in copies})

    def bleu(which: Translator, what: str) -> float:
        named = naming_bad_pair(which, (source, reference), (sources, references), tokenized, joined)
        with named, bar(what, len(sources)) as on_progress, torch.inference_mode():
            return evaluate(which, sources, references, tokenized=tokenized, on_progress=on_progress).bleu.score

    before = bleu(whole, "translating in full precision")
    read = unpacked(weights)
    whole.load_state_dict(read | {name: read[other] for name, other in copies.items()})
    after = bleu(whole, "translating in 8 bits")
    scores = f"BLEU {before:.2f}, in 8 bits {after:.2f}"
    if before - after > loss:
        print_error(f"{scores}: it loses more than {loss:g}, so nothing was written")
        raise typer.Exit(LOSSY)
    for measured in ("valid", "test", "alignment"):  # those of the model in full precision
        record["about"].pop(measured, None)
    record["about"]["weights"] = STORED
    with replacing_folder(out, foreign_in_model, force) as part:
        save_file(weights, part / "model.safetensors")
        OF_TRANSLATORS.write(whole, part)
        share(part)
        for kept in ("browser.json", METRICS, SNAPSHOTS):
            if (folder / kept).is_file():
                shutil.copyfile(folder / kept, part / kept)
        (part / "config.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
    sizes = [(path / "model.safetensors").stat().st_size / 1e6 for path in (folder, out)]
    print_status(f"{scores}; {sizes[0]:.1f} MB, in 8 bits {sizes[1]:.1f} MB; saved in {out}")
