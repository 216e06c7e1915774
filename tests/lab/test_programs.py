"""The code that pages show: the package's parts as they are in its files, and programs that compute the same."""

import inspect

import pytest
import torch

from app.lab.heads.page import PAGE as HEADS
from app.lab.kit import described
from app.lab.kit.evidence import ALONE
from app.lab.kit.source import PACKAGE, listing, source
from app.lab.paths.page import PAGE as PATHS
from app.lab.pointer.page import PAGE as POINTER
from app.lab.score import data as scores
from app.lab.window.page import PAGE as WINDOW
from app.site.lab import lab_page
from attn_core.attention.attention import Attention
from attn_core.attention.multihead import MultiHead
from attn_core.attention.settings import SCORES, WINDOWS
from attn_core.attention.windows import Local
from attn_core.models import scripts
from attn_core.synthetic.pointer import PointerConfig, PointerNet
from tests.helpers.scripts import COSINE, forgotten, script
from tests.helpers.support import both_sides, close, tiny

CODES = [code for page in (WINDOW, HEADS, PATHS, POINTER) for section in page.sections for code in section.code]
LISTINGS = {one.title: one for one in (*scores.listings(), *(listing(*code) for code in CODES))}
LONGEST = 40  # lines that a reader still takes in at once
WORDS, TARGET = torch.tensor([[4, 5, 6, 7, 8]]), (5, 7, 6)
N, S = 6, 5


def program(title, *sizes, kind=torch.float32):
    """The class of a listing's program, built with nothing but the text of the program."""
    space = {}
    exec(LISTINGS[title].program, space)
    (made,) = (one for one in space.values() if isinstance(one, type) and one.__module__ == "builtins")
    return made(*sizes).to(kind)


@pytest.fixture
def given():
    torch.manual_seed(5)
    return torch.randn(N), torch.randn(S, N)


def own(attention, query, states, t=0):
    """The weights and the context vector that the package computes."""
    memory = attention.memory(states[None], torch.ones(1, S, dtype=torch.bool))
    if isinstance(attention, MultiHead):
        looks, context = attention.looks(query[None, None], memory, t)
        return torch.stack([look.weights[0, 0] for look in looks]), context[0, 0]
    look = attention(query[None, None], memory, t)
    return look.weights[0, 0], look.context[0, 0]


def same(made, found):
    for one, other in zip(made, found, strict=True):
        close(one, other)


def test_every_score_and_every_local_window_can_be_read():
    local = {name for name in WINDOWS if issubclass(WINDOWS[name], Local)}
    assert {one.title for one in scores.listings()} == set(SCORES)
    assert {code.title for section in WINDOW.sections for code in section.code} == local


@pytest.mark.slow
def test_a_score_of_a_script_is_listed_by_its_source_alone(tmp_path):
    with forgotten():
        scripts.load_script(script(tmp_path, COSINE, "cosine.py"))
        *others, cosine = scores.listings()
        place, page = next((place, page) for place, page in described.pages() if page.title == "Score lab")
        body = lab_page(place, page, {card.slug: "" for card in page.cards}, {}, {}).body
    assert [one.title for one in others] == [*SCORES]
    (part,) = cosine.parts
    assert (cosine.title, part.heading, cosine.program) == ("cosine", "cosine.py: Cosine", "")
    assert part.code.splitlines()[-1].strip() == (
        "return super().forward(F.normalize(queries, dim=-1), F.normalize(keys, dim=-1))"
    )
    assert "latex" not in part.code
    assert body.count("cosine.py: Cosine") == 1
    assert body.count(ALONE) == len(others)


def test_a_listing_has_what_the_class_calls():
    parts = {one.title: [part.heading.partition(": ")[2] for part in one.parts] for one in scores.listings()}
    assert parts["scaled_dot"] == ["ScaledDot", "Dot.forward"]
    assert parts["additive"] == ["Additive", "_collapse"]
    assert parts["location"] == [f"Location.{name}" for name in ("__init__", "keys", "forward", "beyond")]


@pytest.mark.parametrize("title", LISTINGS)
def test_a_part_is_short_and_a_program_is_shorter_than_a_screen(title):
    for part in LISTINGS[title].parts:
        assert len(part.code.splitlines()) <= LONGEST
        file, place = part.heading.split(": ")
        assert (PACKAGE.parent / file).is_file()
        assert part.code.startswith(("class ", "def "))
        assert place.split(".")[-1] in part.code.splitlines()[0]
    assert len(LISTINGS[title].program.splitlines()) <= LONGEST
    assert "noqa" not in LISTINGS[title].program


@pytest.mark.parametrize(
    ("name", "options", "sizes"),
    [
        ("dot", {}, ()),
        ("scaled_dot", {}, ()),
        ("general", {}, (N, N)),
        ("additive", {"hidden": 4}, (N, N, 4)),
        ("concat", {"hidden": 4}, (N, N, 4)),
        ("location", {"width": 9}, (N, 9)),
    ],
)
def test_a_score_gives_the_same_as_its_program(given, name, options, sizes):
    score = SCORES.build(name, N, N, **options)
    if name == "additive":
        torch.nn.init.normal_(score.v_a)  # it starts at zero, with equal weights for any score
    alone = program(name, *sizes)
    alone.load_state_dict(score.state_dict())
    with torch.no_grad():
        same(alone(*given), own(Attention(score, WINDOWS.build("global", N)), *given))


@pytest.mark.parametrize("t", [0, 2, 4, 7])
def test_a_local_window_gives_the_same_as_its_program(given, t):
    score = SCORES.build("general", N, N)
    for name in ("local-m", "local-p"):
        window = WINDOWS.build(name, N, half_width=1)
        alone = program(name, N, N, 1)
        alone.load_state_dict(score.state_dict() | window.state_dict())
        arguments = (*given, t) if name == "local-m" else (given[0] * t, given[1])
        with torch.no_grad():
            found = own(Attention(score, window), *arguments[:2], t)
            same(alone(*arguments), found)
        assert 0 < int((found[0] > 0).sum()) <= 3


def test_several_heads_give_the_same_as_their_program(given):
    many, size = 3, N // 3
    some = [Attention(SCORES.build("scaled_dot", size, size), None) for _ in range(many)]
    multi = MultiHead(some, WINDOWS.build("global", N), query=N, memory=N, size=size)
    alone = program("Multi-head attention", N, many)
    joined = {
        f"{name}.weight": torch.cat([getattr(head, name).weight for head in multi.heads])
        for name in ("W_q", "W_k", "W_v")
    }
    alone.load_state_dict(joined | {"W_o.weight": multi.W_o.weight})
    with torch.no_grad():
        same(alone(*given), own(multi, *given))


def forced(model):
    """Of TARGET as the model decodes it: weights and input of the output layer at each step, and what each step read.

    That is: the first states with what is fed at first, the words' embeddings, and the states of the source words.
    """
    words = torch.tensor([TARGET])
    with torch.no_grad():
        memory, carry = model.encode(WORDS, torch.ones_like(WORDS, dtype=torch.bool))
        step, _ = model.decoder(words, carry, memory)
        embedded = model.decoder.embed(words)[0]
    states = [part[0] for part in (*carry.state, carry.fed)]
    return step.looks[0].weights[0], step.attentional[0], states, embedded, memory.states[0]


def test_the_step_of_bahdanau_gives_the_same_as_its_program():
    torch.manual_seed(3)
    model = tiny(
        order="attend-then-update",
        **{"encoder.cell": "gru"},
        update="groundhog",
        score="additive",
        **{"attention.score.hidden": 4},
    )
    decoder, config = model.decoder, model.config
    torch.nn.init.normal_(decoder.attention.score.v_a)
    weights, read, (s, _fed), words, h = forced(model)
    sizes = config.embedding, config.hidden, config.memory, 4, config["attentional"]
    alone = program("Attend, then update", *sizes, kind=torch.float64)
    parts = {name.split(".")[-2]: part for name, part in decoder.state_dict().items() if name.endswith("weight")}
    wanted = {name: name.split(".")[0] for name in alone.state_dict() if name.endswith("weight")}
    biases = {f"{name}.bias": getattr(decoder, name).bias for name in ("U_o", "W")}
    alone.load_state_dict(
        {name: parts[one] for name, one in wanted.items()} | biases | {"v_a": decoder.attention.score.v_a}
    )
    c = None
    with torch.no_grad():
        for i, y in enumerate(words):
            if c is not None:
                s = alone.update(s, y, c)
            found, c, t = alone.attend(s, y, h)
            same((found, t), (weights[i], read[i]))


def test_the_step_of_luong_gives_the_same_as_its_program():
    torch.manual_seed(3)
    model = tiny(order="update-then-attend", score="general", feeding=True, **both_sides(layers=1))
    decoder, config = model.decoder, model.config
    weights, read, (h_t, cell, fed), words, h = forced(model)
    sizes = config.embedding, config.hidden, config.memory, config["attentional"]
    alone = program("Update, then attend", *sizes, kind=torch.float64)
    rnn = {f"rnn.{name.removesuffix('_l0')}": part for name, part in decoder.rnn.state_dict().items()}
    thin = {"W_a.weight": decoder.attention.score.W_a.weight, "W_c.weight": decoder.W_c.weight}
    alone.load_state_dict(rnn | thin)
    state = (h_t[-1], cell[-1])
    with torch.no_grad():
        for t, y in enumerate(words):
            found, fed, state = alone(y, fed, state, h)
            same((found, fed), (weights[t], read[t]))


def test_a_pointer_network_gives_the_same_as_its_program():
    torch.manual_seed(3)
    net = PointerNet(PointerConfig(hidden=5, align_hidden=4))
    for parameter in net.parameters():
        torch.nn.init.normal_(parameter)
    alone = program("Pointer network", 2, 5, 4)
    score = net.attention.score.state_dict()
    own = net.state_dict()
    given = {name: own[name] for name in own if name.startswith("encoder.") or name in ("stop", "start")}
    given |= {f"decoder.{name.removesuffix('_l0')}": part for name, part in net.decoder.state_dict().items()}
    # U_a of the package multiplies the memory, W_a the query (eq. 3 calls them W_1 and W_2).
    given |= {"W_1.weight": score["U_a.weight"], "W_2.weight": score["W_a.weight"], "v": score["v_a"]}
    alone.load_state_dict(given)
    points, pointed = torch.rand(6, 2), [3, 1, 6, 0]
    with torch.no_grad():
        steps = net.steps(points[None], torch.tensor([pointed]))
        e, state = alone.encode(points)
        read = alone.start
        for t, place in enumerate(pointed):
            weights, state = alone(read, e, state)
            close(weights, steps.looks[0].weights[0, t])
            close(weights.log(), net.log_probs(steps)[0, t])
            read = points[max(place - 1, 0)]


def test_the_source_is_that_of_the_installed_class_without_what_describes_it():
    file = PACKAGE / "attention" / "scores.py"
    shown = source(file, "General")
    whole = inspect.getsource(SCORES["general"])
    assert "def latex" in whole
    assert "latex" not in shown
    assert "classmethod" not in shown
    assert [line for line in shown.splitlines() if line not in whole.splitlines()] == []
    assert shown.splitlines()[-1].strip() == "return scores if self.g is None else self.g * scores"
    assert source(file, "General.keys").startswith("def keys(self, states")


@pytest.mark.parametrize("place", ["Sharp", "General.sharpen", "General.W_a", "math"])
def test_a_place_that_is_not_there_is_named(place):
    with pytest.raises(ValueError, match=rf"scores\.py has no {place}"):
        listing("general", "attention/scores.py", (place,), PACKAGE, "General")
