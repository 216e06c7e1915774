"""`train`, which trains a translator on text files, and `configured_run`, the run of a preset of any kind of model."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from attn_core.data.corpus import Files, side
from attn_core.devices import AUTO
from attn_core.files import real_path
from attn_core.models.own_files import check_name
from attn_core.models.presets import configure
from attn_core.models.scripts import loaded
from attn_core.training.corpus_task import CorpusTask
from attn_core.training.distributed import join
from attn_core.training.loop import fit
from attn_core.training.prepare import Texts
from attn_core.training.run_state import Progress
from attn_core.training.task import Event, OnProgress, Run


def train(
    preset: str,
    train_prefix: str,
    valid_prefix: str,
    source_lang: str,
    target_lang: str,
    out: str | Path,
    *,
    tokenized: bool = False,
    settings: dict[str, Any] | None = None,
    name: str | None = None,
    about: dict[str, Any] | None = None,
    resume: bool = False,
    on_event: Callable[[Event], None] = lambda event: None,
    device: str = AUTO,
) -> Progress:
    """Train `preset` on PREFIX.LANG (or .gz) files, one sentence per line, and write the model to the folder `out`.

    Raw text is tokenised by Moses; `tokenized` text is only split at spaces. `settings` override fields of the preset's
    ModelConfig and TrainConfig by name. `resume` continues from out/state.safetensors, with the epochs that the run
    began with unless `settings` have others. `on_event` is called after every update and every epoch. `device` is
    "auto" (a GPU if there is one), "cpu", "cuda" or "cuda:1". Under torchrun all processes make the same call and train
    one model.

    Raises CorpusError for text that cannot be used, CheckpointError if `out` already holds a model (or, with `resume`,
    none), ValueError for an unknown preset or setting, loop.Interrupted after Ctrl-C.
    """
    training, validation = (
        Files(side(prefix, source_lang), side(prefix, target_lang)) for prefix in (train_prefix, valid_prefix)
    )
    text = {"train": Path(train_prefix).name, "valid": Path(valid_prefix).name}
    about = {"data": text} | (about or {})
    run = configured_run(preset, settings or {}, out, name=name, about=about, resume=resume, on_event=on_event)
    langs = source_lang, target_lang
    with join(device) as world, run.begin(world) as begun:
        return fit(CorpusTask(begun, lambda: Texts(training, validation), langs, tokenized=tokenized))


def configured_run(
    preset: str,
    settings: Mapping[str, Any],
    out: str | Path,
    configured: Callable[[str, dict[str, Any]], tuple[Any, Any]] = configure,
    *,
    name: str | None = None,
    about: dict[str, Any] | None = None,
    resume: bool = False,
    on_event: Callable[[Event], None] = lambda event: None,
    on_progress: OnProgress = lambda what, lines: None,
) -> Run:
    """The run of a `preset` with `settings` of config and recipe by name; call `begin` on it next.

    `configured` returns config and recipe for both; it raises ValueError for an unknown preset or setting. Raises
    ValueError for a name that is not UTF-8 or could be a path.
    """
    config, recipe = configured(preset, dict(settings))
    values = recipe.to_json()
    chosen = {key: values[key] if key in values else config[key] for key in settings}
    scripts = {"load": [path.name for path in loaded()]} if loaded() else {}
    about = {"preset": preset, "settings": chosen} | scripts | (about or {})
    title = name or real_path(out).name
    _check_utf8(str(out), title, *map(str, about.get("data", {}).values()), *about.get("load", ()))
    if name is not None:
        check_name(name, "the model's name")
    return Run(config, recipe, Path(out), title, about, resume, on_event=on_event, on_progress=on_progress)


def _check_utf8(*names: str) -> None:
    """Raise ValueError for a name that is not UTF-8, as that of a file may be: the model's files cannot contain it."""
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError as error:
            raise ValueError(
                f"the name {name!r} is not UTF-8: rename the file or folder, or give another one"
            ) from error
