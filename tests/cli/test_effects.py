"""Options without effect: the table of effects.py covers every option, and every condition in it is refused."""

from collections import Counter

import pytest
from typer.main import get_command

from attn_core import cli, translate
from attn_core.decoding.effects import ALWAYS, BY_MODEL, EVERYWHERE, RULES, without_effect
from attn_core.decoding.translate import n_best
from attn_core.evaluation.evaluate import evaluate
from tests.cli.test_cli_bad_input import folder  # noqa: F401  a fixture
from tests.helpers.support import VARIANTS, tiny
from tests.helpers.terminal import files_under, run

TWO = "--source two --reference two"
TEXT = "train luong-dot-global --out new --train good --valid good"
TASK = "train luong-dot-global --out new --task reverse"
SERIES = "train series --out new"
# For each rule, as (command, option, reason): a call that breaks it. The reason is its beginning.
CASES = {
    ("translate", "--normalise", "greedy"): "translate local --normalise length",
    ("translate", "--alpha", "greedy"): "translate local --alpha 1",
    ("translate", "--alpha", "--alpha has no"): "translate local --beam 2 --normalise none --alpha 1",
    ("translate", "--prefer-finished", "greedy"): "translate local --prefer-finished --beam 1",
    ("translate", "--prefer-finished", "with --max-length"): (
        "translate local --prefer-finished --beam 2 --max-length 3"
    ),
    ("translate", "--traces", "--n-best"): "translate local --beam 2 --n-best 2 --traces new",
    ("translate", "--table", "--n-best"): "translate local --beam 2 --n-best 2 --table new",
    ("translate", "--traces", "--table"): "translate local --traces new --table newer",
    ("translate", "--replace-unk", "--n-best"): "translate local --beam 2 --n-best 2 --replace-unk",
    ("translate", "--shift", "--shift has no"): "translate local --shift 0",
    ("translate", "--replace-unk", "{MODEL} has no attention"): "translate fixed --replace-unk --shift 1",
    ("translate", "--sigma", "with D = 0"): "translate local --window local-m --half-width 0 --sigma 1",
    ("align", "--sigma", "with D = 0"): (
        "align local --source two --target two --window local-m --half-width 0 --sigma 1"
    ),
    ("evaluate", "--sigma", "with D = 0"): f"evaluate local {TWO} --window local-m --half-width 0 --sigma 1",
    ("evaluate", "--normalise", "greedy"): f"evaluate local {TWO} --normalise wu",
    ("evaluate", "--alpha", "greedy"): f"evaluate local {TWO} --alpha 0.5",
    ("evaluate", "--alpha", "--alpha has no"): f"evaluate local {TWO} --beam 2 --normalise none --alpha 0.5",
    ("evaluate", "--cased", "--cased is for raw"): f"evaluate local {TWO} --tokenized --cased",
    ("evaluate", "--cased", "{MODEL} outputs"): f"evaluate cased {TWO} --cased",
    (
        "faithfulness",
        "--sigma",
        "with D = 0",
    ): "faithfulness local --source two --window local-m --half-width 0 --sigma 1",
    ("faithfulness", "--gold", "--gold needs"): "faithfulness local --source two --gold gold-zero",
    ("align", "--gold-base", "--gold-base and"): "align local --source two --target two --gold-base 0",
    ("align", "--gold-as", "--gold-base and"): "align local --source two --target two --gold-as marked",
    ("align", "--layer", "--layer and --head name"): "align heads --source two --target two --layer 0",
    ("align", "--head", "--layer and --head name"): "align heads --source two --target two --head 0",
    ("align", "--layer", "{MODEL} has a single"): "align local --source two --target two --layer 0 --head 0",
    ("align", "--head", "{MODEL} has a single"): "align local --source two --target two --layer 0 --head 0",
    ("attribute", "--sigma", "with D = 0"): ("attribute local --source two --window local-m --half-width 0 --sigma 1"),
    ("attribute", "--quantity", "this method"): "attribute local --source two --quantity log_prob",
    ("attribute", "--against", "this method"): "attribute local --source two --method norms --against n",
    ("train", "--allow-rounding", "--allow-rounding"): f"{TASK} --allow-rounding",
    ("train", "--teacher", "--teacher works"): f"{TASK} --teacher local",
    ("train", "--exclude", "--exclude works"): f"{TASK} --exclude good",
    ("train", "--examples", "--examples needs"): f"{TEXT} --examples 9",
    ("train", "--length", "--length needs"): f"{TEXT} --length 3",
    ("train", "--hub-config", "--hub-config needs"): f"{TEXT} --hub-config x",
    **{
        ("train", option, "{PRESET} generates"): f"{SERIES} {option} {value}"
        for option, value in {
            **dict.fromkeys(("--train", "--valid", "--exclude"), "good"),
            "--source-lang": "de",
            "--target-lang": "en",
            "--hub": "x",
            "--hub-config": "x",
            "--task": "reverse",
            "--name": "x",
            "--data": "x",
            "--teacher": "local",
            "--tokenized": "",
            "--examples": 9,
            "--length": 3,
        }.items()
    },
    **{
        ("train", option, "--task generates"): f"{TASK} {option} {value}"
        for option, value in {
            **dict.fromkeys(("--train", "--valid"), "good"),
            "--hub": "x",
            "--data": "x",
            "--source-lang": "de",
            "--target-lang": "en",
            "--tokenized": "",
        }.items()
    },
    **{
        ("measure", option, "--lengths, --beam"): f"measure local {option} {value}"
        for option, value in {"--lengths": "5", "--beam": "1", "--constraint": "none"}.items()
    },
    **{
        ("card", option, "without --source"): f"card local {option} {value}"
        for option, value in {"--tokenized": "", "--beam": "5", "--test-set": "x", "--also": ""}.items()
    },
    ("settings", "PRESET", "--presets lists"): "settings bahdanau --presets",
    ("settings", "--set", "--presets lists"): "settings --presets --set dropout=0.1",
    ("settings", "PRESET", "--page writes"): "settings --page bahdanau",
    ("settings", "--set", "--page writes"): "settings --page --set dropout=0.1",
    ("settings", "--presets", "--page writes"): "settings --page --presets",
    ("settings", "--json", "--page writes"): "settings --page --json",
    ("app", "--port", "the options for"): "app --port 8600 -- --server.port 8601",
}


def options_of(command: str) -> set[str]:
    group = get_command(cli._app(command))
    params = group.commands[command].params if hasattr(group, "commands") else group.params
    return {max(one.opts, key=len) for one in params if one.param_type_name == "option" and one.name != "help"}


@pytest.mark.parametrize("command", [one.name for one in cli.COMMANDS])
def test_every_option_is_in_the_table_of_effects(command):
    """As always effective, as refused by the model, or with its conditions; and the table has no other option."""
    conditional = {rule.option for rule in RULES if command in rule.commands}
    there = options_of(command)
    known = {*ALWAYS[command], *conditional, *BY_MODEL, *EVERYWHERE}
    assert there - known == set()
    assert set(EVERYWHERE) - there == set()
    assert (set(ALWAYS[command]) | (conditional - {"--seed", "PRESET"})) - there == set()
    assert not set(ALWAYS[command]) & conditional


def test_every_rule_of_a_command_has_a_case():
    commands = {one.name for one in cli.COMMANDS}
    rules = Counter(
        (command, rule.option, rule.why)
        for rule in RULES
        for command in rule.commands
        if command in commands and rule.option != "--seed"
    )
    assert max(rules.values()) == 1
    for command, option, why in rules:
        assert [case for case in CASES if case[:2] == (command, option) and why.startswith(case[2])], (option, why)
    assert len(CASES) == len(rules)


@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_an_option_without_effect_is_refused_with_its_reason(case, folder, monkeypatch):  # noqa: F811
    """Also if it was given with its default value."""
    command, option, why = case
    monkeypatch.chdir(folder)
    before = files_under(folder)
    found = run(*CASES[case].split(), text="a b\n")
    assert (found.status, found.out, found.err.count("\n")) == (2, "", 1)
    assert files_under(folder) == before
    (rule,) = [one for one in RULES if one.option == option and command in one.commands and one.why.startswith(why)]
    words = CASES[case].split()
    reason = rule.why.replace("{MODEL}", words[1]).replace("{PRESET}", words[1])
    assert f"{reason}; omit " in found.err
    assert option in found.err.partition("; omit ")[2]


def test_options_that_have_an_effect_are_accepted(folder, monkeypatch):  # noqa: F811
    monkeypatch.chdir(folder)
    for line in (
        "translate local --beam 2 --normalise wu --alpha 0.5 --prefer-finished",
        "translate local --replace-unk --shift 1 --max-length 3",
        "translate local --window local-m --half-width 1 --sigma 1 --max-length 3",
        "align heads --source two --target two --layer 0 --head 0",
        "align local --source two --target two --gold gold-zero --gold-base 0 --gold-as sure",
        "attribute local --source two --method occlusion-unk --quantity log_prob --against n --json",
        "attribute heads --source two --set layer=0 --set head=2",
        "settings --presets --json",
        "settings --page",
        "settings bahdanau --set dropout=0.1",
    ):
        found = run(*line.split(), text="a b\n")
        assert (found.status, found.err if "gold" not in line else "") == (0, ""), line


def test_a_default_that_was_not_given_is_no_mistake():
    values = {"--beam": 1, "--normalise": "length", "--alpha": 1.0, "--prefer-finished": False, "--max-length": None}
    assert without_effect("translate", values, ()) is None
    assert "omit --normalise, --alpha" in str(without_effect("translate", values, ("--alpha", "--normalise")))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0.5}, "length normalisation needs beam 2 or more; omit alpha"),
        ({"normalise": "wu"}, "greedy search ranks no hypotheses"),
        ({"temperature": 1.0, "normalise": "none"}, "omit normalise"),
        ({"beam": 2, "normalise": "none", "alpha": 0.5}, "alpha has no effect with normalise none; omit alpha"),
        ({"prefer_finished": True}, "omit prefer_finished"),
        ({"beam": 2, "prefer_finished": True, "max_length": 3}, "with max_length every hypothesis ends"),
        ({"unk_shift": 1}, "unk_shift has no effect without replace_unk; omit unk_shift"),
        ({"seed": 3}, "seed has no effect without temperature; omit seed"),
        ({"window": "local-m", "half_width": 0, "sigma": 1.0}, "omit sigma"),
    ],
)
def test_functions_refuse_arguments_without_effect(options, message):
    model = tiny(**VARIANTS["local-p"]) if "local-p" in VARIANTS else tiny(score="general", window="local-p")
    with pytest.raises(ValueError, match=message):
        translate(model, "a b", tokenized=True, **options)
    if options.keys() <= {"beam", "normalise", "alpha", "window", "half_width", "sigma"}:
        with pytest.raises(ValueError, match=message):
            evaluate(model, ["a"], ["n"], tokenized=True, **options)


def test_unknown_words_cannot_be_replaced_without_attention():
    model = tiny(**VARIANTS["fixed-vector"])
    with pytest.raises(ValueError, match="tiny has no attention, so no source word could replace <unk>; omit replace_"):
        translate(model, "a b", tokenized=True, replace_unk=True)


def test_a_list_of_the_best_refuses_them_too():
    model = tiny(**VARIANTS["fixed-vector"])
    with pytest.raises(ValueError, match="omit alpha"):
        n_best(model, "a b", 1, beam=2, normalise="none", alpha=0.5, tokenized=True)
