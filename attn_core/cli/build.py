"""`build`: train, measure and store the models of a plan."""

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import IO, Annotated

import typer

from attn_core.cli.options import Force, at_least, named_folder
from attn_core.cli.plan import Planned, read_plan
from attn_core.cli.streams import LOSSY, print_report, print_status
from attn_core.data.corpus import CorpusError, Files, side
from attn_core.data.text_files import text_of
from attn_core.data.vocabulary_files import share
from attn_core.files import Foreign, check_file, check_folder, replacing, replacing_folder
from attn_core.messages import ERROR, offered, visible
from attn_core.models.own_files import MODEL_FILES, check_training, clear, foreign_in_model
from attn_core.models.scripts import load_options
from attn_core.program import INTERRUPTED
from attn_core.registry import load
from attn_core.training.course import METRICS
from attn_core.training.run_state import STATE

MOST_JOBS = 256
SMALL = "8-bits"  # in the folder of a training: the model with weights in 8 bits
LOG = "build.log"  # in the folder of a training
CAPITALS = "capitals"
TEXT = "text"  # in the folder of a training: test sentences that were taken from a text


def build(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="A TOML file, such as pretrained/models.toml.")],
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Only these of its models.")] = None,
    data: Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Folder of the corpora.")] = None,
    work: Annotated[
        Path, typer.Option("--work", parser=named_folder, metavar="DIR", help="Folder for trainings under way.")
    ] = Path("runs"),
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", callback=at_least(1, MOST_JOBS), metavar="N", help="Number of trainings at the same time."
        ),
    ] = 1,
    dry: Annotated[bool, typer.Option("--dry-run", help="Only list what would be trained or measured.")] = False,
    force: Force = False,
) -> None:
    """Train the models of a plan, measure them on their test sets, and store them beside the plan.

    Models that are already built with the plan's settings are not trained again; they get what they lack of the scores
    on test sets and of the capitals of translations. After an interruption the same command continues each training
    where it was. If its settings have changed since, a finished one whose model is stored is trained again from the
    start, and any other one is an error. The output of each training is in its folder, in build.log. A folder with a
    model's name that holds other files is an error too, unless --force is given, which keeps these files.
    """
    planned = read_plan(plan)
    for name in names or []:
        if name not in planned:
            raise ValueError(f"{plan} has no model {name!r}{offered(name, planned)}")
    wanted = [planned[name] for name in names or planned]
    missing = [one for one in wanted if not one.made(plan.parent / one.name)]
    lacking = {one.name: _lacking(one, plan.parent / one.name) for one in wanted if one not in missing}
    incomplete = [one for one in wanted if lacking.get(one.name)]
    for one in missing:
        check_folder(plan.parent / one.name, foreign_in_model, force)
        check_training(work / one.name)
        check_folder(work / one.name / SMALL, foreign_in_model)
    print_status(f"{len(wanted) - len(missing)} of {len(wanted)} models are already built")
    if incomplete:
        print_status(f"{len(incomplete)} of them lack scores on a test set of the plan, or capitals")
    if dry:
        print_report("".join(f"{visible(one.name)}\n" for one in missing))
        print_report("".join(f"{visible(one.name)}: {', '.join(lacking[one.name])}\n" for one in incomplete))
        return
    if data is None and (incomplete or any(one.corpus for one in missing)):
        raise typer.BadParameter("--data is missing: the folder of the corpora")
    for one in missing:
        _make_way(one, work / one.name, plan.parent / one.name)
    stop = threading.Event()
    with ThreadPoolExecutor(jobs) as pool:
        begun: dict[str, Future[bool]] = {}
        for one in missing:
            teachers = [begun[name] for name in one.teachers if name in begun]
            places = work / one.name, plan.parent / one.name
            begun[one.name] = pool.submit(_build, one, data, *places, stop, teachers, force)
        for one in incomplete:
            begun[one.name] = pool.submit(_complete, one, data, work / one.name, plan.parent / one.name, stop)
        try:
            failed = [name for name, done in begun.items() if not done.result()]
        except (KeyboardInterrupt, SystemExit) as ended:  # the latter by SIGTERM
            stop.set()
            pool.shutdown(cancel_futures=True)
            print_status("stopped; run the same command again to continue")
            if isinstance(ended, SystemExit):
                raise
            raise typer.Exit(INTERRUPTED) from None
    if begun:
        load("attn_core.evaluation.model_card:renew_cards")(plan.parent)
    if failed:
        raise ValueError(f"not built: {', '.join(failed)}; the reasons are in build.log in their folders in {work}")


def _make_way(model: Planned, run: Path, target: Path) -> None:
    """Remove the training in the folder `run` if it has other settings than the plan, and its model is in `target`.

    Raises ValueError if its model is not there: the training is unfinished, or at least not stored.
    """
    if not (run / STATE).exists() or model.resumes(run):
        return
    lines, stored = run / METRICS, target / METRICS
    if not (lines.is_file() and stored.is_file() and lines.read_bytes() == stored.read_bytes()):
        raise ValueError(
            f"{run} contains a run of {model.name} whose settings differ from the plan and whose model is not stored: "
            "delete that folder to start over, or restore the settings to resume the run"
        )
    clear(run)


def _build(
    model: Planned,
    data: Path | None,
    run: Path,
    target: Path,
    stop: threading.Event,
    teachers: Sequence[Future[bool]] = (),
    force: bool = False,
) -> bool:
    """Train, measure and store one model, until `stop` is set; returns whether it succeeded.

    `teachers` are the builds of its teachers, which began before. With `force`, files in `target` that are not of a
    model stay there; otherwise they are an error.
    """
    if not all(one.result() for one in teachers):
        print_status(f"{model.name}: not trained, since {model.teacher} is not built")
        return False
    run.mkdir(parents=True, exist_ok=True)
    check_file(run / LOG, lambda _path: True)
    _remove_small(run / SMALL)
    print_status(f"{model.name}: training in {run}")
    if not _run_all(model, _commands(model, data, run, target.parent), run, stop):
        return False
    check_folder(target, foreign_in_model, force)
    _store(_finished(run), target, foreign_in_model)
    print_status(f"{model.name}: stored in {target}")
    return True


def _lacking(model: Planned, folder: Path) -> list[str]:
    """What the stored model in `folder` lacks: capitals, and scores on the test sets of these names."""
    return [*([CAPITALS] if model.lacks_capitals(folder) else []), *model.unmeasured(folder)]


def _complete(model: Planned, data: Path | None, run: Path, target: Path, stop: threading.Event) -> bool:
    """Give a stored model the capitals and scores that it lacks; returns whether it succeeded."""
    assert data is not None
    run.mkdir(parents=True, exist_ok=True)
    check_file(run / LOG, lambda _path: True)
    print_status(f"{model.name}: adding {', '.join(_lacking(model, target))}")
    tests = _more_tests(model, data, run, target, model.unmeasured(target))
    if not _run_all(model, chain(_capitals(model, data, run, target), tests), run, stop):
        return False
    print_status(f"{model.name}: complete")
    return True


def _run_all(model: Planned, commands: Iterator[list[str]], run: Path, stop: threading.Event) -> bool:
    """Run commands of this program, with their output in build.log of the folder `run`, until one fails or `stop`.

    Returns whether all succeeded.
    """
    try:
        with (run / LOG).open("a", encoding="utf-8") as log:
            for words in commands:
                start = (run / LOG).stat().st_size
                log.write(f"$ {visible(' '.join(words))}\n")
                log.flush()
                status = _status([sys.executable, "-m", "attn_core", *words, *load_options()], log, stop)
                if stop.is_set():
                    return False
                if status == LOSSY and words[0] == "quantize":
                    print_status(f"{model.name}: stored as it was trained, since it loses too much BLEU in 8 bits")
                elif status:
                    reason = _error(run / LOG, start)
                    print_status(f"{model.name}: `{words[0]}` ended with status {status}{reason and f': {reason}'}")
                    return False
    except CorpusError as error:  # in a test set, which is read here if it is not a pair of files
        print_status(f"{model.name}: {error}")
        return False
    return True


def _status(call: list[str], log: IO[str], stop: threading.Event) -> int:
    """Run a command and return its exit status. When `stop` is set it gets SIGTERM: a training then saves its state."""
    with subprocess.Popen(call, stdout=log, stderr=subprocess.STDOUT) as process:
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.wait(timeout=1)
            if stop.is_set():
                process.terminate()


def _error(log: Path, start: int) -> str:
    """The last error message in a log after byte `start`; empty if there is none."""
    with log.open("rb") as file:
        file.seek(start)
        lines = file.read().decode("utf-8", "replace").splitlines()
    return next((line.removeprefix(ERROR) for line in reversed(lines) if line.startswith(ERROR)), "")


def _commands(model: Planned, data: Path | None, run: Path, built: Path) -> Iterator[list[str]]:
    """The arguments of the commands that make a model; its teachers are in the folder `built`."""
    corpus = model.corpus
    one_thread = ["--threads", "1"]
    train = ["train", model.preset, "--out", str(run), *one_thread]
    for name, value in model.settings.items():
        train += ["--set", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    if (run / STATE).exists():
        train.append("--resume")
    if corpus is None or data is None:
        yield train
        yield ["measure", str(run), "--card", *one_thread]
        return
    source, target = corpus.languages
    more_tests = corpus.more_test_names(data)
    tokenized = ["--tokenized"] if corpus.tokenized else []
    texts = {part: corpus.text_name(part, data) for part in ("train", "valid", "test")}
    train += ["--train", texts["train"], "--valid", texts["valid"], *tokenized]
    train += ["--exclude", "+".join([texts["valid"], texts["test"], *more_tests.values()])] if corpus.unseen else []
    train += ["--teacher", "+".join(str(built / name) for name in model.teachers)] if model.teacher else []
    yield [*train, "--source-lang", source, "--target-lang", target, "--data", str(model.data)]
    test = [str(path) for path in _sides(texts["test"], corpus.languages, run / TEXT / "test")]
    tested = ["--source", test[0], "--reference", test[1], *tokenized, *one_thread]
    if corpus.eight_bits:
        yield ["quantize", str(run), "--out", str(run / SMALL), *tested]
    yield from _capitals(model, data, run, _finished(run))
    note = ["--note", model.note] if model.note else []
    yield ["card", str(_finished(run)), *tested, "--test-set", corpus.test_set, *note]
    yield from _more_tests(model, data, run, _finished(run), list(more_tests))


def _capitals(model: Planned, data: Path, run: Path, folder: Path) -> Iterator[list[str]]:
    """The arguments of the command that adds capitals to the model in `folder`, if its corpus has a text for them."""
    if model.lacks_capitals(folder):
        assert model.corpus
        _, target = _sides(model.corpus.text_name("cased", data), model.corpus.languages, run / TEXT / "cased")
        yield ["truecase", str(folder), "--text", str(target)]


def _more_tests(model: Planned, data: Path, run: Path, folder: Path, names: Sequence[str]) -> Iterator[list[str]]:
    """The arguments of the commands that measure the model in `folder` on the `more_tests` of its corpus in `names`."""
    assert model.corpus
    texts = model.corpus.more_test_names(data)
    tokenized = ["--tokenized"] if model.corpus.tokenized else []
    for name in names:
        test = [str(path) for path in _sides(texts[name], model.corpus.languages, run / TEXT / name)]
        tested = ["--source", test[0], "--reference", test[1], *tokenized, "--threads", "1"]
        yield ["card", str(folder), *tested, "--test-set", name, "--also"]


def _sides(named: str, languages: tuple[str, str], prefix: Path) -> Iterator[Path]:
    """The path of a text in each language; a text that is not a pair of files is written to PREFIX.LANG."""
    text = text_of(named, languages)
    for place, language in enumerate(languages):
        if isinstance(text, Files):
            yield side(named, language)
        else:
            path = Path(f"{prefix}.{language}")
            with replacing(path) as part:
                part.write_text("".join(f"{line.strip()}\n" for line in text.lines(place)), "utf-8")
            yield path


def _finished(run: Path) -> Path:
    """The folder to store: the 8-bit model if there is one, otherwise `run`."""
    return run / SMALL if (run / SMALL / "config.json").is_file() else run


def _store(run: Path, target: Path, kept: Foreign = lambda _folder: []) -> None:
    """Copy the files of a finished model from the folder of its training, in place of an earlier model.

    `kept` returns the entries of the earlier model's folder that stay.
    """
    with replacing_folder(target, kept, force=True) as part:
        for name in sorted(MODEL_FILES):
            if (run / name).is_file():
                shutil.copy2(run / name, part / name)
        share(part)


def _remove_small(folder: Path) -> None:
    """Remove a model in 8 bits that an interrupted build has left. Raises Unreplaceable if other files are with it."""
    check_folder(folder, foreign_in_model)
    shutil.rmtree(folder, ignore_errors=True)
