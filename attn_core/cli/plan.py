"""A plan of models to train, such as pretrained/models.toml.

[corpora.multi30k]                           # names of texts, relative to the folder of the data
train = "multi30k/train.lc.norm.tok"         # .de and .en, or .de.gz and .en.gz; see --train of `train` for other names
valid = "multi30k/val.lc.norm.tok"
test = "multi30k/test_2016_flickr.lc.norm.tok"  # or a part of a text: pairs.txt:en,de[1::50] is every 50th pair
test_set = "test_2016_flickr"
more_tests = {test_2017_flickr = "multi30k/test_2017_flickr.lc.norm.tok"}  # other test sets, by name
languages = ["de", "en"]
tokenized = true
eight_bits = true                            # store the models with weights in 8 bits, see `quantize`
cased = "multi30k/train.raw"                 # `train` before it was lower-cased, for the capitals of translations
unseen = true                                # leave sentences of `valid` and `test` out of `train`

[models.luong-general-global-feed]           # without a corpus: a model of synthetic data
corpus = "multi30k"
preset = "luong-general-global"              # default: the model's name
settings = {feeding = true}
teacher = "one+other"                        # models above, whose translations of `train` it learns too; see --teacher
note = "It ..."                              # a sentence for its card, and for the page beside its scores
"""

import tomllib
from collections.abc import Iterable
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, get_origin

from attn_core.data.joined import joined_name
from attn_core.data.text_files import names_of
from attn_core.files import parse_json
from attn_core.messages import offered
from attn_core.models.about import tests_of
from attn_core.models.checkpoint import read_config
from attn_core.models.folders import kind_of
from attn_core.models.own_files import check_name
from attn_core.models.presets import configure
from attn_core.synthetic.models import every_preset, maker
from attn_core.training.run_state import recorded_settings


class PlanError(ValueError):
    """The plan cannot be read; the message names the file, the entry and the reason."""


@dataclass(frozen=True)
class Corpus:
    """Parallel text of a plan."""

    train: str
    valid: str
    test: str
    test_set: str
    languages: tuple[str, str]
    tokenized: bool = False
    eight_bits: bool = False
    unseen: bool = False
    cased: str = ""
    more_tests: dict[str, str] = field(default_factory=dict)  # by name of the test set

    def text_name(self, part: str, folder: Path) -> str:
        """The text for `part`, such as "train" or "cased", as `text_of` names it, with its files in `folder`."""
        return self._in_folder(getattr(self, part), folder)

    def more_test_names(self, folder: Path) -> dict[str, str]:
        """The texts of `more_tests` as `text_of` names them, with their files in `folder`, by name of the test set."""
        return {name: self._in_folder(text, folder) for name, text in self.more_tests.items()}

    def _in_folder(self, text: str, folder: Path) -> str:
        return "+".join(str(folder / one) for one in names_of(text, self.languages, folder))


@dataclass(frozen=True)
class Planned:
    """A model to train on the corpus called `data`, or on synthetic data."""

    name: str
    preset: str
    data: str | None = None
    corpus: Corpus | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    note: str | None = None
    teacher: str | None = None

    @property
    def teachers(self) -> tuple[str, ...]:
        return tuple(self.teacher.split("+")) if self.teacher else ()

    def configured(self) -> tuple[Any, Any]:
        """Config and recipe. Raises ValueError for an unknown preset or setting."""
        return configure(self.preset, self.settings, every_preset())

    def made(self, folder: Path) -> bool:
        """Whether `folder` holds this model, measured, with the config and the recipe of today's preset."""
        found = _config(folder)
        return found is not None and "test" in found["about"] and self._is(found)

    def unmeasured(self, folder: Path) -> list[str]:
        """The names of the corpus's `more_tests` for which the model in `folder` has no scores."""
        found = _config(folder)
        if found is None or self.corpus is None:
            return []
        measured = {(test.get("set"), test.get("tokenized")) for test in tests_of(found["about"])}
        joined = joined_name(found["train"].join)
        return [name for name in self.corpus.more_tests if (name + joined, self.corpus.tokenized) not in measured]

    def lacks_capitals(self, folder: Path) -> bool:
        """Whether the model in `folder` restores no capitals, although its corpus has a text to count them on."""
        if self.corpus is None or not self.corpus.cased:
            return False
        return "truecase" not in parse_json((folder / "target.json").read_bytes(), finite=False)

    def resumes(self, run: Path) -> bool:
        """Whether the training in the folder `run` began with this config and recipe, as far as it records them.

        Until its first epoch ends it does not record what a resumed run may change, except the number of epochs.
        """
        if (run / "config.json").exists():
            found = _config(run)
            return found is not None and self._is(found)
        config, recipe = self.configured()
        planned = {name: value for name, value in (config.flat() | recipe.flat()).items() if name != "precision"}
        return all(planned[name] == value for name, value in recorded_settings(run).items() if name in planned)

    def _is(self, found: dict[str, Any]) -> bool:
        """Whether this is the model of a config.json."""
        config, recipe = self.configured()
        as_here = replace(found["train"], precision=recipe.precision)  # `auto` stands for what the machine does best
        teacher = found["about"].get("data", {}).get("teacher")
        return (found["model"], as_here, teacher) == (config, recipe, self.teacher)


def _config(folder: Path) -> dict[str, Any] | None:
    """The contents of config.json; None if there is none, or a damaged one."""
    try:
        return read_config(folder, kind_of(folder))
    except ValueError:  # CheckpointError
        return None


def read_plan(path: Path) -> dict[str, Planned]:
    """The models of a plan by name. Raises PlanError for a damaged file and for names that do not exist."""
    try:
        plan = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise PlanError(f"{path} cannot be read: {error}") from error
    except RecursionError:
        raise PlanError(f"{path} cannot be read: it is nested too deeply") from None
    _check_keys(str(path), plan, ("corpora", "models"))
    entries = {part: plan.get(part, {}) for part in ("corpora", "models")}
    for part, found in entries.items():
        if not isinstance(found, dict):
            raise PlanError(f"{path}: {part} must be a table")
    corpora = {name: _corpus(f"{path}: corpora.{name}", entry) for name, entry in entries["corpora"].items()}
    planned: dict[str, Planned] = {}
    for name, entry in entries["models"].items():
        _check_name(name, f"{path}: the model")
        planned[name] = _planned(f"{path}: models.{name}", name, entry, corpora)
        _check_teachers(f"{path}: models.{name}", planned[name], planned)
    return planned


def _corpus(where: str, entry: Any) -> Corpus:
    _check_keys(where, entry, [one.name for one in fields(Corpus)])
    needed = [one.name for one in fields(Corpus) if one.default is MISSING and one.default_factory is MISSING]
    if missing := [name for name in needed if name not in entry]:
        raise PlanError(f"{where} lacks {', '.join(missing)}")
    kinds = {one.name: one.type for one in fields(Corpus)}
    for name, value in entry.items():
        if name == "languages":
            if not (isinstance(value, list) and len(value) == 2 and all(isinstance(code, str) for code in value)):
                raise PlanError(f'{where}: languages must be two language codes, such as ["de", "en"]')
        else:
            _check_type(where, name, value, get_origin(kinds[name]) or kinds[name])
    for name, text in entry.get("more_tests", {}).items():
        _check_name(name, f"{where}: the test set")
        _check_type(where, f"more_tests.{name}", text, str)
    for code in entry["languages"]:
        _check_name(code, f"{where}: the language")
    return Corpus(**entry | {"languages": tuple(entry["languages"])})


def _check_name(name: str, what: str) -> None:
    try:
        check_name(name, what)
    except ValueError as error:
        raise PlanError(str(error)) from error


def _planned(where: str, name: str, entry: Any, corpora: dict[str, Corpus]) -> Planned:
    _check_keys(where, entry, ("corpus", "preset", "settings", "teacher", "note"))
    for key, value in entry.items():
        _check_type(where, key, value, dict if key == "settings" else str)
    data = entry.get("corpus")
    if data is not None and data not in corpora:
        raise PlanError(f"{where}: unknown corpus {data!r}{offered(data, corpora)}")
    settings, note, teacher = entry.get("settings", {}), entry.get("note"), entry.get("teacher")
    planned = Planned(name, entry.get("preset", name), data, corpora.get(data), settings, note, teacher)
    try:
        planned.configured()
    except ValueError as error:
        raise PlanError(f"{where}: {error}") from error
    if (data is None) != (maker(planned.preset) is not None):
        raise PlanError(f"{where}: {planned.preset} needs {'a corpus' if data is None else 'no corpus'}")
    return planned


def _check_teachers(where: str, model: Planned, above: dict[str, Planned]) -> None:
    for name in model.teachers:
        if name == model.name or name not in above:
            raise PlanError(f"{where}: the teacher {name!r} must be a model above it")
        languages = [one.corpus and one.corpus.languages for one in (model, above[name])]
        if None in languages or languages[0] != languages[1]:
            raise PlanError(f"{where}: it and its teacher {name!r} must translate between the same languages")


def _check_type(where: str, name: str, value: Any, kind: Any) -> None:
    if not isinstance(value, kind):
        what = {bool: "true or false", str: "a string", dict: "a table"}[kind]
        raise PlanError(f"{where}: {name} must be {what}, not {value!r:.60}")


def _check_keys(where: str, entry: Any, known: Iterable[str]) -> None:
    if not isinstance(entry, dict):
        raise PlanError(f"{where} must be a table")
    for key in entry:
        if key not in known:
            raise PlanError(f"{where}: unknown key {key!r}{offered(key, known)}")
