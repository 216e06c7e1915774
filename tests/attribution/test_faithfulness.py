"""Measures of faithfulness beside slow loops over forced decoding."""

import json
import math
import re
from itertools import combinations

import numpy as np
import pytest
import torch

from attn_core import force
from attn_core.attribution import METHODS, Case, attribution, build_method, faithfulness
from attn_core.attribution.faithfulness import MEASURES, Gold, count_links, methods_for, plain_orders, score, summary
from attn_core.attribution.quantities import read_quantity
from attn_core.cli import main
from attn_core.data.alignments import parse_alignment
from attn_core.models import checkpoint
from attn_core.models.recipe import TrainConfig
from tests.helpers.support import BAHDANAU, LUONG, TRANSFORMER, VARIANTS, tiny

SOURCE, TARGET = "a b c d e a c", "p r q p"
CHEAP = ("weights", "occlusion", "occlusion-unk")
MODELS = {
    "bahdanau": BAHDANAU,
    "with </s>": LUONG | {"source_eos": True},
    "transformer": TRANSFORMER,
}


def probability(model, source: list[str], t: int) -> float:
    return math.exp(force(model, " ".join(source), TARGET, tokenized=True).words[t].log_prob)


def case_of(model) -> Case:
    return Case.read(model, SOURCE, TARGET, tokenized=True)


@pytest.mark.parametrize("name", MODELS)
def test_what_is_lost_is_that_of_forced_decoding_of_what_is_left(name):
    model, words = tiny(std=0.5, **MODELS[name]), SOURCE.split()
    case, (methods, _refused) = case_of(model), methods_for(model, CHEAP)
    found = score(case, methods, seed=3)
    orders = {one: method(case).values for one, method in methods.items()} | plain_orders(5, 7, 3)
    assert found.words == 5
    assert [*found.sums] == [*CHEAP, "random", "nearest"]
    for method, values in orders.items():
        wanted = [0.0, 0.0]
        for t in range(5):
            row = values[t].tolist()[:7]
            order = sorted(range(7), key=lambda s: -row[s])
            for share in (0.01, 0.05, 0.1, 0.2, 0.5):
                first = order[: math.ceil(share * 7)]
                kept = [[words[s] for s in range(7) if (s in first) == alone] for alone in (False, True)]
                for i in (0, 1):
                    wanted[i] += (probability(model, words, t) - probability(model, kept[i], t)) / 5
        assert found.sums[method][:2] == pytest.approx(wanted, abs=1e-6), method


def test_soft_measures_drop_units_by_the_scaled_values(monkeypatch):
    monkeypatch.setattr(faithfulness, "DRAWS", 1)
    model = tiny(std=0.5, **BAHDANAU)
    case, (methods, _refused) = case_of(model), methods_for(model, ("weights",))
    found = score(case, methods, seed=9)
    values, sizes = methods["weights"](case).values, []
    noise = torch.rand(7, 5, generator=torch.Generator().manual_seed(9), dtype=torch.float64)
    wanted = [0.0, 0.0]
    for t, row in enumerate(values):
        scaled = ((row - row.min()) / (row.max() - row.min())).unsqueeze(1)
        for i, keep in enumerate((1 - scaled, scaled)):

            def masked(embedded, keep=keep):
                sizes.append(embedded.size(-1))
                return torch.where(noise < keep, embedded, torch.zeros_like(embedded))

            alone = case.values(case.source_ids.unsqueeze(0), masked)[0, t].exp()
            wanted[i] += float((case.attributed[t].exp() - alone).detach())
    assert {*sizes} == {5}
    assert found.sums["weights"][2:] == pytest.approx(wanted, abs=1e-6)
    assert wanted[0] != pytest.approx(wanted[1], abs=1e-3)


def test_with_one_word_left_out_no_order_beats_occlusion(monkeypatch):
    monkeypatch.setattr(faithfulness, "SHARES", (0.01,))
    model = tiny(std=0.5, **LUONG)
    sums = score(case_of(model), methods_for(model)[0]).sums
    assert all(sums["occlusion"][0] >= each[0] for each in sums.values())
    assert sums["occlusion"][0] > sums["random"][0]


def test_orders_that_know_nothing_of_the_model():
    random, nearest = (plain_orders(3, 4, 5)[name] for name in ("random", "nearest"))
    assert nearest.argsort(descending=True, stable=True).tolist() == [[0, 1, 2, 3], [1, 0, 2, 3], [2, 1, 3, 0]]
    assert torch.equal(random, plain_orders(3, 4, 5)["random"])
    assert not torch.equal(random, plain_orders(3, 4, 6)["random"])


def test_agreement_is_kendalls_tau_of_each_step():
    model = tiny(std=0.5, **VARIANTS["luong-heads"])
    case, (methods, _refused) = case_of(model), methods_for(model, ("weights", "norms"))
    rows = [method(case).values.tolist() for method in methods.values()]
    wanted = 0.0
    for one, other in zip(*rows, strict=True):
        signs = [[np.sign(row[i] - row[j]) for i, j in combinations(range(7), 2)] for row in (one, other)]
        wanted += np.dot(*signs) / math.sqrt(np.dot(signs[0], signs[0]) * np.dot(signs[1], signs[1]))
    found = {(one, other): (tau, steps) for one, other, tau, steps in score(case, methods).agreement}
    assert found["norms", "weights"] == (pytest.approx(wanted), 5)
    assert -5 < found["random", "norms"][0] < found["norms", "weights"][0]


def test_links_to_the_largest_value_are_counted_beside_gold():
    model = tiny(std=0.5, **BAHDANAU)
    case, (methods, _refused) = case_of(model), methods_for(model, ("weights",))
    largest = methods["weights"](case).values.argmax(1).tolist()
    gold = parse_alignment(f"{largest[0]}-0 {largest[1]}p1 {(largest[2] + 1) % 7}-2")
    found = score(case, methods, gold=Gold(gold, range(7), range(4)))
    assert found.links["weights"] == [4, 2, 1, 2]
    assert count_links(case, methods, Gold(gold, range(7), range(4))) == found.links
    assert summary([found])["measures"]["weights"]["aer"]["mean"] == pytest.approx(1 - 3 / 6)


def test_a_summary_has_the_mean_over_words_and_intervals_over_sentences():
    model = tiny(std=0.5, **BAHDANAU)
    methods, _refused = methods_for(model, CHEAP)
    texts = [("a b c", "p"), ("c d e a", "q r p"), ("b a", "r q")]
    scores = [score(Case.read(model, *pair, tokenized=True), methods, i) for i, pair in enumerate(texts)]
    found = summary(scores)
    assert (found["sentences"], found["words"]) == (3, 9)
    for i, measure in enumerate(MEASURES):
        of_method = {name: sum(one.sums[name][i] for one in scores) / 9 for name in scores[0].sums}
        for name, each in found["measures"].items():
            assert each[measure]["mean"] == pytest.approx(of_method[name])
            assert each[measure]["low"] <= each[measure]["mean"] <= each[measure]["high"]
        beside = found["beside_weights"]["occlusion"][measure]
        assert beside["mean"] == pytest.approx(of_method["occlusion"] - of_method["weights"])
    alike = summary(scores[:1] * 4)["measures"]["weights"]["comprehensiveness"]
    assert alike["low"] == pytest.approx(alike["mean"]) == pytest.approx(alike["high"])


def test_methods_that_a_model_cannot_have_are_named():
    found, refused = methods_for(tiny(**LUONG))
    assert [*found] == [name for name in METHODS if name != "rollout"]
    assert refused == {"rollout": "tiny has no self-attention to roll out: rollout is for Transformers"}
    with pytest.raises(ValueError, match="tiny can have none of the methods asked for: tiny has no self-attention"):
        methods_for(tiny(**LUONG), ("rollout",))
    with pytest.raises(ValueError, match="weight"):
        methods_for(tiny(**LUONG), ("weight",))


def test_scores_are_of_log_p_and_a_summary_needs_some():
    model = tiny(**LUONG)
    of_state = Case.read(model, SOURCE, TARGET, read_quantity(model, "state"), tokenized=True)
    with pytest.raises(ValueError, match="faithfulness is measured on log_prob, not on state"):
        score(of_state, {"weights": build_method("weights", model)})
    with pytest.raises(ValueError, match="weights attributes no quantity: omit quantity and against"):
        attribution(build_method("weights", model), of_state)
    with pytest.raises(ValueError, match="there are no scores to summarise"):
        summary([])


def test_a_source_of_one_word_is_refused():
    model = tiny(**LUONG)
    with pytest.raises(ValueError, match="a source of one word has no order of its words"):
        score(Case.read(model, "a", "p", tokenized=True), {"weights": build_method("weights", model)})


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "tiny"
    checkpoint.save(tiny(**BAHDANAU), TrainConfig(), folder, {})
    return folder


def files(folder, **texts: str) -> dict[str, str]:
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return {name: str(folder / name) for name in texts}


def test_the_command_prints_what_the_functions_find(saved, tmp_path, capsys):
    paths = files(tmp_path, x="a b c\na\nc d e a\n", y="p\nq\nq r p\n", gold="0-0\n\n0-0 2p1\n")
    call = ["faithfulness", str(saved), "--source", paths["x"], "--target", paths["y"], "--gold", paths["gold"]]
    assert main([*call, "--tokenized", "--method", "weights", "--method", "occlusion", "--json"]) == 0
    printed = capsys.readouterr()
    found, model = json.loads(printed.out), checkpoint.load(saved)
    methods, _refused = methods_for(model, ("weights", "occlusion"))
    pairs = {0: ("a b c", "p", "0-0", (3, 1)), 2: ("c d e a", "q r p", "0-0 2p1", (4, 3))}
    scores = [
        score(Case.read(model, x, y, tokenized=True), methods, i, Gold(parse_alignment(links), *map(range, sizes)))
        for i, (x, y, links, sizes) in pairs.items()
    ]
    assert found["measures"] == summary(scores)["measures"]
    assert "left out 1 sentence(s) with fewer than two source words" in printed.err
    assert main([*call, "--tokenized", "--method", "weights"]) == 0
    head, names, weights, *_more = capsys.readouterr().out.splitlines()
    assert head == "tiny: sentences 2, words 6"
    assert re.split(" {2,}", names.strip()) == [*(name.replace("_", " ") for name in MEASURES), "aer"]
    assert weights.split()[1] == f"{found['measures']['weights']['comprehensiveness']['mean']:.3f}"


BAD = {
    "no target": (["--gold", "{gold}"], "--gold needs --target: it aligns --source with --target; omit --gold"),
    "a short gold file": (["--target", "{y}", "--gold", "{short}"], "short has 1 lines and {x} has 2"),
    "a link beyond its pair": (["--target", "{y}", "--gold", "{gold}"], "gold, line 2: link 9-0: source position 9"),
    "no such method": (["--method", "weigths"], "weights"),
    "rollout of an RNN": (["--method", "rollout"], "tiny has no self-attention to roll out"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line(name, saved, tmp_path, capsys):
    paths = files(tmp_path, x="a b\nb c\n", y="p\nq\n", gold="0-0\n9-0\n", short="0-0\n")
    options, message = BAD[name]
    given = [option.format(**paths) for option in options]
    assert main(["faithfulness", str(saved), "--source", paths["x"], "--tokenized", *given]) != 0
    printed = capsys.readouterr()
    assert message.format(**paths) in printed.err
    assert printed.out == ""


def test_a_file_of_single_words_is_an_error(saved, tmp_path, capsys):
    paths = files(tmp_path, x="a\n\n")
    assert main(["faithfulness", str(saved), "--source", paths["x"], "--tokenized"]) != 0
    assert "has no sentence of two words or more" in capsys.readouterr().err
