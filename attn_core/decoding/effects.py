"""Options without effect: one table of the settings in which an option changes nothing, and why.

The commands refuse such an option instead of ignoring it, and so do the functions of the same name (`translate`,
`n_best`, `evaluate`). Every option of every command is in this table: in RULES, EVERYWHERE, ALWAYS or BY_MODEL.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from attn_core.models.folders import find, kind_of

OWN_DATA = "own data"  # of a call of `train`: whether the preset needs no text
NO_QUANTITY = "no quantity"  # of a call of `attribute`: whether the method attributes none
Values = Mapping[str, Any]  # the options of a call by flag, its arguments by metavar, and "model" once it is loaded


@dataclass(frozen=True)
class Rule:
    """An option of some commands that has no effect where `idle` holds, for the reason `why`.

    `why` may name arguments, as in {PRESET}. Rules `of_model` need the loaded model.
    """

    option: str
    commands: tuple[str, ...]
    idle: Callable[[Values], bool]
    why: str
    of_model: bool = False


def _greedy(values: Values) -> bool:
    return values["--beam"] == 1


def _own_data(values: Values) -> bool:
    return bool(values[OWN_DATA])


def _no_quantity(values: Values) -> bool:
    return bool(values[NO_QUANTITY])


def _no_pointers(values: Values) -> bool:
    return kind_of(find(values["MODEL"])) != "pointer"


def _members(values: Values) -> list[Any]:
    """The models of an ensemble, or the model."""
    return list(getattr(values["model"], "members", [values["model"]]))


def _no_attention(values: Values) -> bool:
    return all(one.config.attention is None for one in _members(values))


def _outputs_capitals(values: Values) -> bool:
    return values["--against"] is None and not values["model"].target.form.lower


def _single_head(values: Values) -> bool:
    attention = [one.config.attention for one in _members(values)]
    layers = [one.config.decoder.attention_layers for one in _members(values)]
    return sum(one.heads * n for one, n in zip(attention, layers, strict=True) if one is not None) == 1


def _width_of_one_word(values: Values) -> bool:
    windows = [one.config.attention.window for one in _members(values) if one.config.attention]
    return all(
        one.is_local
        and getattr(one, "half_width", None) == 0
        and (one.whole_centers or one.gaussian != "after_softmax")
        for one in windows
    )


def _rules(options: Iterable[str], commands: tuple[str, ...], idle: Callable[[Values], bool], why: str) -> list[Rule]:
    return [Rule(option, commands, idle, why) for option in options]


_BEAM = ("translate", "n_best", "evaluate")
_RANKED = ("--normalise", "--alpha")
_TEXT = ("--train", "--valid", "--hub", "--data", "--source-lang", "--target-lang", "--tokenized")
_OF_TRANSLATORS = (
    *("--train", "--valid", "--source-lang", "--target-lang", "--hub", "--hub-config", "--task", "--name", "--data"),
    *("--exclude", "--teacher", "--tokenized", "--examples", "--length"),
)

RULES: tuple[Rule, ...] = (
    # Decoding.
    *_rules(_RANKED, _BEAM, _greedy, "greedy search ranks no hypotheses: length normalisation needs --beam 2 or more"),
    Rule("--alpha", _BEAM, lambda v: v["--normalise"] == "none", "--alpha has no effect with --normalise none"),
    Rule(
        "--prefer-finished",
        ("translate", "n_best"),
        _greedy,
        "greedy search has a single hypothesis, so there is none to prefer: it needs --beam 2 or more",
    ),
    Rule(
        "--prefer-finished",
        ("translate", "n_best"),
        lambda v: v["--max-length"] is not None,
        "with --max-length every hypothesis ends with </s>, so none is cut off",
    ),
    *_rules(
        ("--traces", "--table", "--replace-unk"),
        ("translate",),
        lambda v: v.get("--n-best") is not None,
        "--n-best cannot be combined with --traces, --table or --replace-unk",
    ),
    Rule("--traces", ("translate",), lambda v: v.get("--table") is not None, "--table contains the traces"),
    Rule("--shift", ("translate",), lambda v: not v["--replace-unk"], "--shift has no effect without --replace-unk"),
    Rule(
        "--replace-unk",
        ("translate",),
        _no_attention,
        "{MODEL} has no attention, so no source word could replace <unk>",
        of_model=True,
    ),
    Rule(
        "--sigma",
        ("translate", "align", "attribute", "faithfulness", "evaluate"),
        _width_of_one_word,
        "with D = 0 one word is in view, and its weight is 1 whatever sigma is",
        of_model=True,
    ),
    Rule("--seed", ("translate",), lambda v: v["--temperature"] is None, "--seed has no effect without --temperature"),
    # Evaluation.
    Rule("--cased", ("evaluate",), lambda v: v["--tokenized"], "--cased is for raw text: the tokens have no case"),
    Rule("--cased", ("evaluate",), _outputs_capitals, "{MODEL} outputs text with capitals", of_model=True),
    # Alignment.
    *_rules(
        ("--gold-base", "--gold-as"),
        ("align",),
        lambda v: v["--gold"] is None,
        "--gold-base and --gold-as describe the file of --gold",
    ),
    Rule(
        "--gold",
        ("faithfulness",),
        lambda v: v["--target"] is None,
        "--gold needs --target: it aligns --source with --target",
    ),
    *_rules(
        ("--layer", "--head"),
        ("align",),
        lambda v: v["--layer"] is None or v["--head"] is None,
        "--layer and --head name a head together: give both",
    ),
    Rule("--layer", ("align",), _single_head, "{MODEL} has a single attention head", of_model=True),
    Rule("--head", ("align",), _single_head, "{MODEL} has a single attention head", of_model=True),
    # Attribution.
    *_rules(
        ("--quantity", "--against"),
        ("attribute",),
        _no_quantity,
        "this method attributes no quantity",
    ),
    # Training.
    Rule("--allow-rounding", ("train",), lambda v: not v["--resume"], "--allow-rounding needs --resume"),
    *_rules(_OF_TRANSLATORS, ("train",), _own_data, "{PRESET} generates its own data"),
    *_rules(_TEXT, ("train",), lambda v: bool(v["--task"]), "--task generates its own text"),
    Rule("--teacher", ("train",), lambda v: bool(v["--task"]), "--teacher works with text only"),
    Rule("--exclude", ("train",), lambda v: bool(v["--task"] or v["--hub"]), "--exclude works with text files only"),
    Rule("--examples", ("train",), lambda v: not v["--task"], "--examples needs --task"),
    Rule("--length", ("train",), lambda v: not v["--task"], "--length needs --task"),
    Rule("--hub-config", ("train",), lambda v: not v["--hub"], "--hub-config needs --hub"),
    # Other commands.
    *_rules(
        ("--lengths", "--beam", "--constraint"),
        ("measure",),
        _no_pointers,
        "--lengths, --beam and --constraint are for pointer networks only",
    ),
    *_rules(
        ("--tokenized", "--beam", "--test-set", "--also"),
        ("card",),
        lambda v: v["--source"] is None and v["--reference"] is None,
        "without --source nothing is translated",
    ),
    *_rules(
        ("PRESET", "--set"),
        ("settings",),
        lambda v: bool(v["--presets"]),
        "--presets lists the names of all presets, not the settings of one",
    ),
    *_rules(
        ("PRESET", "--set", "--presets", "--json"),
        ("settings",),
        lambda v: bool(v["--page"]),
        "--page writes Markdown with the settings of all parts, whatever the preset",
    ),
    Rule(
        "--port",
        ("app",),
        lambda v: any(one.startswith("--server.port") for one in v["OPTIONS"] or ()),
        "the options for `streamlit run` set the port too",
    ),
)

# Changes of the window and the attention type: the model refuses those that it cannot be run with, see with_window.
BY_MODEL = ("--window", "--half-width", "--sigma", "--attention-type")

EVERYWHERE = ("--load",)  # options of every command, which always have an effect

_MACHINE = ("--precision", "--device", "--threads")
# By command, the options that always have an effect. `build --dry-run` lists what the same command line would train,
# and `train --resume` continues with the same options, so neither leaves the others without effect.
ALWAYS: dict[str, tuple[str, ...]] = {
    "models": ("--json",),
    "translate": ("--beam", "--tokenized", "--max-length", "--min-length", "--n-best", *_MACHINE, "--force"),
    "align": ("--source", "--target", "--tokenized", "--shift", "--gold", "--reverse", "--threads"),
    "faithfulness": ("--source", "--target", "--tokenized", "--method", "--json", "--threads"),
    "attribute": ("--source", "--target", "--tokenized", "--method", "--set", "--json", "--threads"),
    "truecase": ("--text",),
    "evaluate": ("--source", "--reference", "--tokenized", "--beam", "--join", "--against", "--json", *_MACHINE),
    "quantize": ("--out", "--source", "--reference", "--tokenized", "--loss", "--threads", "--force"),
    "train": ("--out", "--set", "--resume", "--export", *_MACHINE),
    "build": ("--data", "--work", "--jobs", "--dry-run", "--force"),
    "measure": ("--examples", "--card", "--json", "--threads", "--force"),
    "settings": ("--page",),
    "card": ("--source", "--reference", "--data", "--hardware", "--note", "--threads", "--force"),
    "export": ("--to", "--out", "--force"),
    "handout": ("--out", "--text", "--address", "--title", "--force"),
    "app": ("--training", "--model"),
}


def without_effect(command: str, values: Values, given: Collection[str], model: Any = None) -> str | None:
    """Why options that were `given` have no effect on `command`, and that they should be omitted; None if all have one.

    With a loaded `model`, only the rules that need one are applied; without, only the others.
    """
    known = values if model is None else {**values, "model": model}
    for rule in RULES:
        if not _applies(rule, command, known, given, model is not None):
            continue
        same = [one for one in RULES if one.why == rule.why]
        options = [one.option for one in same if _applies(one, command, known, given, model is not None)]
        why = re.sub(r"\{(\w+)\}", lambda found: str(values[found[1]]), rule.why)
        return f"{why}; omit {', '.join(options)}"
    return None


def _applies(rule: Rule, command: str, values: Values, given: Collection[str], of_model: bool) -> bool:
    here = command in rule.commands and rule.option in given and rule.of_model is of_model
    return here and rule.idle(values)


def check_arguments(function: str, arguments: Mapping[str, Any], defaults: Mapping[str, Any], model: Any) -> None:
    """Raise ValueError for an argument of a function that has no effect; `unk_shift` is `--shift`.

    An argument counts as given if it is not the default.
    """
    flags = {name: "--shift" if name == "unk_shift" else f"--{name.replace('_', '-')}" for name in arguments}
    names = {flag: name for name, flag in flags.items()}
    values = {flags[name]: value for name, value in arguments.items()} | {"MODEL": model.name}
    given = {flags[name] for name, value in arguments.items() if value != defaults[name]}
    for loaded in (None, model):
        if why := without_effect(function, values, given, loaded):
            raise ValueError(re.sub(r"--[a-z][a-z-]*", lambda found: names.get(found[0], found[0]), why))
