"""Pointer networks: equation 3 compared with a slow loop, constraints, errors, and training."""

import itertools
import json
import math

import pytest
import torch

from attn_core.files import CheckpointError
from attn_core.models.checkpoint import load as load_translator
from attn_core.synthetic import pointer
from attn_core.synthetic.pointer import (
    CONSTRAINTS,
    PointerConfig,
    PointerNet,
    beam_search,
    forced,
    greedy,
    point,
    pointed,
)
from attn_core.synthetic.pointer.net import Examples
from attn_core.synthetic.pointer.problems import PROBLEMS
from attn_core.synthetic.pointer.training import draw_batch
from attn_core.trace import Focus, Trace, dump
from attn_core.trace.reading import parse
from tests.browser import traces
from tests.helpers.support import close

SIZES = {"hidden": 7, "align_hidden": 5, "shortest": 3, "longest": 6}


def net(seed: int = 0, std: float = 0.7, **settings) -> PointerNet:
    model = PointerNet(PointerConfig(**SIZES | settings), "tiny").eval().requires_grad_(False)
    dice = torch.Generator().manual_seed(seed)
    for parameter in model.parameters():
        parameter.normal_(std=std, generator=dice)
    return model


def inputs(n: int, b: int = 3, d: int = 2, seed: int = 1) -> torch.Tensor:
    return torch.rand(b, n, d, generator=torch.Generator().manual_seed(seed))


def test_the_distribution_is_equation_3():
    """p(C_i = j) = softmax_j v . tanh(W_1 e_j + W_2 d_i), in loops; e_0 is the end; e and d from torch's LSTMs."""
    model, given = net(), inputs(4, b=1)
    chosen = torch.tensor([[3, 1, 0]])
    found = forced(model, given, chosen)
    e, state = model.encoder(given)
    e = [model.stop, *e[0]]
    d, _ = torch.nn.LSTM.forward(
        model.decoder, torch.stack([model.start, given[0, 2], given[0, 0]]).unsqueeze(0), state
    )
    score = model.attention.score
    for i in range(3):
        u = [float(score.v_a @ torch.tanh(score.U_a.weight @ e[j] + score.W_a.weight @ d[0, i])) for j in range(5)]
        total = sum(math.exp(x) for x in u)
        close(found.steps.looks[0].weights[0, i], [math.exp(x) / total for x in u])
        close(found.log_probs[0, i], [x - math.log(total) for x in u], atol=1e-5)


def test_teacher_forcing_gives_the_steps_of_decoding():
    model, given = net(), inputs(5)
    found = greedy(model, given)
    together = model.steps(given, found.chosen)
    close(together.looks[0].scores, found.steps.looks[0].scores, atol=1e-5)
    close(forced(model, given, found.chosen).log_probs, found.log_probs, atol=1e-5)


def test_the_loss_is_the_mean_over_the_targets():
    model, given = net(), inputs(4, b=2)
    pointed_at = torch.tensor([[2, 1, 3, 0], [4, 0, -1, -1]])
    log_probs = model.log_probs(model.steps(given, pointed_at.clamp(min=0)))
    parts = [log_probs[0, t, c] for t, c in enumerate([2, 1, 3, 0])] + [
        log_probs[1, t, c] for t, c in enumerate([4, 0])
    ]
    close(model.loss(Examples(given, pointed_at)), -sum(parts) / 6)


@pytest.mark.parametrize("constraint", CONSTRAINTS)
@pytest.mark.parametrize("width", [1, 3])
def test_outputs_obey_the_constraint(constraint, width):
    """For many models: positions exist, occur once if constrained, and the end comes only where it is allowed."""
    repeated = early = 0
    for seed in range(8):
        model, given = net(seed, std=1.5), inputs(5, b=4, seed=seed)
        search = beam_search(model, given, width, constraint) if width > 1 else greedy(model, given, constraint)
        weights = search.steps.looks[0].weights
        close(weights.sum(-1), torch.ones(weights.shape[:2]), atol=1e-5)
        for row in search.outputs():
            assert set(row) <= set(range(5))
            repeated += len(set(row)) < len(row)
            early += len(row) < 5
    assert (repeated == 0) is (constraint != "none")
    assert (early == 0) is (constraint == "permutation")


@pytest.mark.parametrize("constraint", CONSTRAINTS)
def test_a_wide_beam_finds_the_most_probable_of_all_sequences(constraint):
    """With three inputs all sequences can be enumerated."""
    model, given = net(3, std=1.2), inputs(3, b=1)
    sequences = set()
    for path in itertools.product(range(4), repeat=4):
        end = path.index(0) if 0 in path else 4
        sequences.add((*path[:end], *([0] * (4 - end))))
    paths = torch.tensor(sorted(sequences))
    chosen = forced(model, given.expand(len(paths), -1, -1), paths, constraint).log_probs.gather(2, paths.unsqueeze(2))
    best = {}
    for path, log_probs in zip(sorted(sequences), chosen.squeeze(2).tolist(), strict=True):
        best[path] = sum(log_probs[: path.index(0) + 1 if 0 in path else 4])
    found = beam_search(model, given, 200, constraint)
    wanted = max(best, key=best.__getitem__)
    row = found.chosen[0].tolist()
    assert tuple(row + [0] * (4 - len(row))) == wanted


def test_a_beam_of_one_is_greedy():
    model, given = net(5), inputs(6, b=7)
    assert beam_search(model, given, 1).outputs() == greedy(model, given).outputs()


def test_a_trace_holds_the_choices_and_weights_of_the_model():
    model = net(2)
    points = inputs(4)[0].tolist()
    trace = point(model, points, constraint="distinct")
    found = greedy(model, torch.tensor([points]), "distinct")
    assert trace.source == ("</s>", "1", "2", "3", "4")
    assert pointed(trace) == found.outputs()[0]
    assert [trace.source[place] for place in trace.settings["pointed"]] == list(trace.target)
    close(trace.weights(), found.steps.looks[0].weights[0, : len(trace.words)])
    for word in trace.words:
        assert word.top[0] == (word.token, pytest.approx(word.log_prob))
        assert word.log_prob == pytest.approx(
            math.log(word.step.looks[0].weights[trace.source.index(word.token)]), abs=1e-5
        )
    assert dump(parse(dump(trace))) == dump(trace)


def test_a_trace_keeps_the_positions_excluded_by_the_constraint():
    trace = point(net(2), inputs(5)[0].tolist(), constraint="permutation")
    views = [[focus.inside.tolist() for focus in focuses(one)] for one in (trace, parse(dump(trace)))]
    chosen: set[int] = set()
    for here, there, focus, word in zip(*views, focuses(trace), trace.words, strict=True):
        assert here == there == [len(chosen) == 5, *(place not in chosen for place in range(1, 6))]
        assert focus.gaussian.tolist() == here
        chosen.add(trace.source.index(word.token))


def focuses(trace: Trace) -> list[Focus]:
    return [word.step.looks[0].focus for word in trace.words]


def test_numbers_are_named_by_their_value():
    trace = point(net(problem="sort"), [[0.5], [0.25]], constraint="permutation")
    assert trace.source == ("</s>", "0.500", "0.250")
    assert sorted(pointed(trace)) == [0, 1]


@pytest.mark.parametrize("output", ["pointer", "vocabulary"])
def test_excluded_positions_have_no_weight_and_no_probability(output):
    """The other weights equal a separate softmax of the same scores; the context is the weighted mean of the memory."""
    model, given = net(4, output=output), inputs(4)
    chosen = torch.tensor([[2, 4, 1, 3, 0]] * 3)
    free, ruled = (forced(model, given, chosen, constraint) for constraint in ("none", "permutation"))
    (one,), (look,) = free.steps.looks, ruled.steps.looks
    close(look.scores, one.scores, atol=1e-5)
    assert one.focus.inside.all()
    for t in range(5):
        left = [place for place in (2, 4, 1, 3) if place not in chosen[0, :t]] or [0]
        left.sort()
        assert look.focus.inside[0, t].nonzero().flatten().tolist() == left
        weights = torch.zeros(3, 5)
        weights[:, left] = one.scores[:, t, left].softmax(-1)
        close(look.weights[:, t], weights, atol=1e-5)
        close(look.context[:, t], torch.einsum("bs,bsm->bm", weights, ruled.memory.states), atol=1e-5)
        close(ruled.log_probs[:, t, left].exp().sum(-1), torch.ones(3), atol=1e-5)


def test_a_vocabulary_has_no_word_beyond_its_longest():
    model = net(output="vocabulary")
    assert greedy(model, inputs(4)).log_probs.shape[-1] == 5
    with pytest.raises(ValueError, match="words for 6 positions, not 7; give fewer inputs"):
        point(model, inputs(7)[0].tolist())
    assert len(greedy(net(), inputs(7)).outputs()) == 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: PointerConfig(problem="tsp"), "unknown problem 'tsp'; choose one of: sort, hull"),
        (lambda: PointerConfig(shortest=2), "needs 3 <= shortest <= longest, not 2 and 10"),
        (lambda: PointerConfig(output="words"), "one of pointer, vocabulary"),
        (lambda: PointerConfig(hidden=0), "hidden must be at least 1"),
        (lambda: point(net(), [[0.1, 0.2]] * 2), "needs at least 3 inputs of 2 number"),
        (lambda: point(net(), [[0.1]] * 4), "not 4 of 1"),
        (lambda: point(net(), []), "list of points"),
        (lambda: point(net(), [[0.1, 0.2], [0.3]]), "list of points with equally many finite numbers"),
        (lambda: greedy(net(), inputs(5) * math.nan), "inputs must be finite numbers"),
        (
            lambda: beam_search(net(), inputs(5) / 0),
            "inputs must be finite numbers, found NaN or infinity",
        ),
        (lambda: greedy(net(), inputs(5)[:0]), "with at least 1 example, not 0 x 5 x 2"),
        (
            lambda: forced(net(), inputs(5), torch.tensor([[1, 6]] * 3)),
            r"0 \(the end\) to 5 \(the last input\), not 1 to 6",
        ),
        (lambda: forced(net(), inputs(5), torch.zeros(3, 0, dtype=torch.long)), "shape 3 x steps .*, not 3 x 0"),
        (lambda: pointer.measure(net(), 5, 0), "examples must be at least 1, not 0"),
        (lambda: pointer.measure(net(), 0), "n must be at least 1 point, not 0"),
        (lambda: pointed(traces.make("global")), "luong-general-global is not a pointer network"),
        (lambda: point(net(), [[math.nan, 1.0]] * 3), "finite"),
        (lambda: point(net(), [[0.1, 0.2]] * 3, constraint="once"), "one of none, distinct, permutation"),
        (lambda: point(net(), [[0.1, 0.2]] * 3, beam=0), "beam must be a whole number from 1 to 200, not 0"),
        (lambda: point(net(), [[0.1, 0.2]] * 3, top=0), "top must be at least 1 choice"),
        (
            lambda: pointer.learn("pointer-tsp", "nowhere"),
            r"unknown preset 'pointer-tsp' \(did you mean 'pointer-sort'\?\)",
        ),
        (lambda: pointer.learn("pointer-hull", "nowhere", settings={"beam": 3}), "unknown setting 'beam'"),
    ],
)
def test_errors_name_the_input_and_what_was_expected(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("problem", PROBLEMS)
def test_a_batch_holds_the_answers(problem):
    config = PointerConfig(problem=problem, shortest=4, longest=6)
    lengths = set()
    for seed in range(20):
        batch = draw_batch(config, 3, seed)
        lengths.add(batch.inputs.size(1))
        for one, row in zip(batch.inputs.tolist(), batch.pointed.tolist(), strict=True):
            answer = PROBLEMS[problem]().answer(one)
            assert row[: len(answer) + 1] == [*(i + 1 for i in answer), 0]
            assert set(row[len(answer) + 1 :]) <= {-1}
    assert lengths == {4, 5, 6}


@pytest.fixture(scope="module")
def sorter(tmp_path_factory):
    """A network that has learnt to sort two numbers, and its folder."""
    folder = tmp_path_factory.mktemp("pointer") / "sorter"
    settings = {"hidden": 24, "align_hidden": 16, "shortest": 2, "longest": 2, "epochs": 1, "batch": 32}
    settings |= {"rate": 0.02, "warmup": 10, "updates": 200}
    pointer.learn("pointer-sort", folder, settings=settings)
    return folder


def test_a_network_learns_to_sort_and_comes_back_from_disk(sorter):
    (line,) = map(json.loads, (sorter / "metrics.jsonl").read_text().splitlines())
    assert line["accuracy@2"] > 0.8
    model = pointer.load(sorter)
    assert model.name == "sorter"
    assert pointer.measure(model, 2, 200)["accuracy"] > 0.8
    assert pointer.measure(model, 2, 200) == pointer.measure(model, 2, 200)
    assert not any(parameter.requires_grad for parameter in model.parameters())
    assert pointed(point(model, [[0.9], [0.1]])) == [1, 0]


def test_a_resumed_training_equals_an_uninterrupted_one(tmp_path, monkeypatch):
    monkeypatch.setattr(pointer.training, "EXAMPLES", 5)
    settings = SIZES | {"updates": 3, "epochs": 2, "schedule": "constant", "batch": 4}
    pointer.learn("pointer-hull", tmp_path / "whole", settings=settings)
    pointer.learn("pointer-hull", tmp_path / "parts", settings=settings | {"epochs": 1})
    with pytest.raises(CheckpointError, match="already holds a model"):
        pointer.learn("pointer-hull", tmp_path / "parts", settings=settings)
    pointer.learn("pointer-hull", tmp_path / "parts", settings=settings, resume=True)
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "parts")]
    assert weights[0] == weights[1]
    with pytest.raises(CheckpointError, match="rate was"):
        pointer.learn("pointer-hull", tmp_path / "parts", settings=settings | {"rate": 1.0}, resume=True)


@pytest.mark.parametrize(
    ("name", "n", "least"),
    [("pointer-sort", 5, 0.9), ("pointer-sort", 10, 0.6), ("pointer-hull", 5, 0.7), ("plain-hull", 5, 0.6)],
)
def test_shipped_models_solve_their_problem(name, n, least):
    assert pointer.measure(pointer.load(name), n, 200)["accuracy"] > least


def test_a_pointer_network_is_no_translator(sorter):
    with pytest.raises(CheckpointError, match="sorter is a model of kind pointer; expected kind translator"):
        load_translator(sorter)


def test_a_damaged_folder_raises_a_checkpoint_error(sorter, tmp_path):
    folder = tmp_path / "broken"
    folder.mkdir()
    record = json.loads((sorter / "config.json").read_text())
    (folder / "model.safetensors").write_bytes((sorter / "model.safetensors").read_bytes())
    (folder / "config.json").write_text(json.dumps(record | {"model": record["model"] | {"hidden": 25}}))
    with pytest.raises(CheckpointError, match="its files are inconsistent"):
        pointer.load(folder)
    (folder / "config.json").write_text(json.dumps(record | {"format": 9}))
    with pytest.raises(CheckpointError, match="format 9"):
        pointer.load(folder)
