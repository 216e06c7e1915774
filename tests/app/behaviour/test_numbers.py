"""The numbers of the page are those that the model computes, and each can be taken apart."""

import re
from math import exp

import pytest
from playwright.sync_api import expect

from attn_core import translate
from tests.helpers.explorer import ExplorerPage, Name, Says, as_shown, number

TEXT = "Ein Junge hebt einen gelben Ball auf."
VIEWS = {
    "additive": ({"model": "bahdanau"}, {}),
    "global": ({"model": "luong-general-global"}, {}),
    "local-m": ({"model": "luong-general-local-m"}, {}),
    "local-p": ({"model": "luong-general-local-p"}, {}),
    "narrow": ({"model": "luong-general-local-p", "D": "1", "sigma": "0.7"}, {"half_width": 1, "sigma": 0.7}),
    "D = 0": ({"model": "luong-general-local-p", "D": "0"}, {"half_width": 0}),
    "feeding": ({"model": "luong-general-global-feed"}, {}),
    "beam": ({"model": "luong-concat-local-p", "beam": "5"}, {"beam": 5}),
}


@pytest.mark.parametrize("view", VIEWS)
def test_the_tables_have_the_numbers_of_the_trace(explorer: ExplorerPage, model, view):
    link, settings = VIEWS[view]
    own = model(link["model"])
    trace = translate(own, TEXT, **settings)
    wanted, last = as_shown(trace), len(trace.target) - 1
    explorer.open({"text": TEXT, **link})
    explorer.expect_translated(own, trace)
    explorer.show_tables()
    explorer.expect_matrix(wanted)
    for step in (0, last // 2, last):
        explorer.go_to(step)
        explorer.expect_step_table(wanted, step)
        explorer.expect_next_words(wanted, step)


def test_a_model_without_attention_has_next_words_only(explorer: ExplorerPage, model):
    own = model("fixed-vector")
    trace = translate(own, TEXT)
    explorer.open({"text": TEXT, "model": "fixed-vector"})
    explorer.expect_translated(own, trace)
    expect(explorer.player.get_by_text(Says.FIXED_VECTOR)).to_be_visible()
    expect(explorer.window).to_be_hidden()
    explorer.show_tables()
    explorer.expect_next_words(as_shown(trace), 0)
    expect(explorer.player.get_by_role("table")).to_have_count(1)


def test_each_head_of_a_transformer_has_its_numbers_and_the_mean_is_theirs(explorer: ExplorerPage, model):
    trace = translate(model("transformer"), TEXT)
    wanted = as_shown(trace)
    explorer.open({"text": TEXT, "model": "transformer", "head": "mean"})
    explorer.expect_translated(model("transformer"), trace)
    looks = wanted["steps"][0]["looks"]
    expect(explorer.head).to_be_in_viewport()  # not below the player, where it is hard to find
    explorer.show_tables()
    explorer.expect_step_table(wanted, 0, head=None)
    mean = [[sum(weights) / len(looks) for weights in zip(*_rows(step), strict=True)] for step in wanted["steps"]]
    explorer.expect_rows(wanted["target"], mean)
    for head in (0, len(looks) - 1):
        layer, number = looks[head]["layer"], looks[head]["head"]
        explorer.choose(Name.HEAD, f"layer {layer}, head {number}")
        explorer.expect_matrix(wanted, head=head)
        explorer.expect_step_table(wanted, 0, head)
        explorer.expect_in_link(layer=str(layer), head=str(number))
    expect(explorer.options(Name.HEAD)).to_have_count(len(looks) + 1)


def _rows(step: dict) -> list[list[float]]:
    return [look["weights"] for look in step["looks"]]


def test_the_heatmap_shows_the_alignment_and_can_leave_out_the_end(explorer: ExplorerPage, model):
    trace = translate(model("luong-general-local-p"), TEXT)
    wanted = as_shown(trace)
    explorer.open({"text": TEXT, "model": "luong-general-local-p"})
    explorer.show_tables()
    explorer.expect_matrix(wanted)
    explorer.open_tab(Name.HEATMAP)
    explorer.page.get_by_role("radio", name=Name.ALIGNMENT).check()
    explorer.show_tables()
    explorer.expect_matrix(wanted, "alignment")
    explorer.open_tab(Name.HEATMAP)
    explorer.checkbox(Name.END_ROW).uncheck()
    explorer.show_tables()
    explorer.expect_step(0, of=len(trace.target) - 1)
    rows = [step["looks"][0]["alignment"] for step in wanted["steps"]]
    explorer.expect_rows(wanted["target"][:-1], rows[:-1], "alignment")


def test_enter_takes_the_largest_weight_apart_and_the_path_leads_back(explorer: ExplorerPage, model):
    wanted = as_shown(translate(model("luong-general-local-p"), TEXT))
    look = wanted["steps"][2]["looks"][0]
    place = max(range(len(look["weights"])), key=look["weights"].__getitem__)
    explorer.open({"text": TEXT, "model": "luong-general-local-p", "step": "2"})
    explorer.press("Enter")
    panel, path = explorer.number, explorer.opened.get_by_role("listitem")
    expect(panel).to_contain_text(f"“{wanted['source'][place]}”, position {place} (from 0)")
    expect(path).to_have_count(1)
    assert _value(path.inner_text()) == pytest.approx(look["weights"][place], rel=5.1e-3)
    parts = panel.get_by_role("button", name=re.compile("alignment weight$|Gaussian$"))
    shown = [number(part.split()[0]) for part in parts.all_inner_texts()]
    assert shown == pytest.approx([look["alignment"][place], look["gaussian"][place]], rel=5.1e-3)
    panel.get_by_role("button", name=re.compile("alignment weight$")).click()
    expect(path).to_have_count(2)
    expect(path.last.get_by_role("button")).to_have_attribute("aria-current", "step")
    # The first part of a softmax is its largest score: that of this word.
    panel.get_by_role("table").get_by_role("button").first.click()
    expect(path).to_have_count(3)
    assert _value(path.last.inner_text()) == pytest.approx(look["scores"][place], rel=5.1e-3)
    path.first.get_by_role("button").click()
    expect(path).to_have_count(1)
    panel.press("Escape")
    expect(panel).to_be_hidden()
    expect(explorer.player).to_be_focused()


def _value(crumb: str) -> float:
    """The number at the end of an entry of the path."""
    return number(crumb.split()[-1])


def test_a_weight_leads_down_to_the_embedding_of_a_word(explorer: ExplorerPage, model):
    """At each number down to the embedding, what it was computed from is opened."""
    explorer.open({"text": TEXT, "model": "luong-general-global", "step": "2"})
    explorer.press("Enter")
    path = explorer.opened.get_by_role("listitem")
    expect(path).to_have_text([re.compile("^attention weight ")])
    largest = explorer.number.get_by_role("table").get_by_role("row").first.get_by_role("button")
    ways = [
        ("score", largest.first),
        ("Wa × encoder state", largest.last),  # the other factor of the largest product
        ("encoder state", largest.last),
        ("output gate", explorer.number.get_by_role("button", name=re.compile("output gate$"))),
        (
            "Wih × embedding of a source word",
            explorer.number.get_by_role("button", name=re.compile("embedding of a source word$")),
        ),
        ("embedding of a source word", largest.last),
    ]
    for depth, (name, way) in enumerate(ways, 2):
        way.click()
        expect(path).to_have_count(depth)
        expect(path.last).to_have_text(re.compile(f"^{name} "))
        if explorer.number.get_by_role("table").count():
            parts = explorer.number.get_by_role("table").inner_text().splitlines()
            values = [number(row.split("\t")[2]) for row in parts if row.count("\t") > 1]
            assert sum(values[:-1]) == pytest.approx(values[-1], abs=0.06)  # the last row is the sum
    said = explorer.number.get_by_text(re.compile("^The embedding of “"))
    word, place = re.match(r"The embedding of “(.+)”: .* element (\d+) of", said.inner_text()).groups()
    own = model("luong-general-global")
    row = own.encoder.embed.weight[own.source.ids([word])[0]]
    assert _value(path.last.inner_text()) == pytest.approx(row[int(place)].item(), rel=5.1e-3)


def test_a_click_on_a_next_word_takes_its_probability_apart_at_each_step(explorer: ExplorerPage, model):
    wanted = as_shown(translate(model("bahdanau"), TEXT))
    explorer.open({"text": TEXT, "model": "bahdanau"})
    word, log_prob = wanted["steps"][0]["top"][1]
    explorer.next_word.get_by_role("button", name=re.compile(f"^{word} ")).click()
    expect(explorer.number.get_by_role("heading")).to_contain_text(f"probability of “{word}”")
    crumb = explorer.opened.get_by_role("listitem")
    assert _value(crumb.inner_text()) == pytest.approx(exp(log_prob), rel=5.1e-3)
    explorer.button(Name.FORWARD).click()
    _word, log_prob = wanted["steps"][1]["top"][1]  # the second most probable word of the step on show

    def follows() -> None:
        assert _value(crumb.inner_text()) == pytest.approx(exp(log_prob), rel=5.1e-3)

    explorer.eventually(follows)
    explorer.number.get_by_role("button", name=Name.CLOSE).click()
    expect(explorer.number).to_be_hidden()


EQUATIONS = {
    "bahdanau": ["Encoder", "Score", "Window and weights", "Decoding step", "Output layer"],
    "luong-general-local-p": ["Encoder", "Score", "Window and weights", "Decoding step", "Output layer"],
    "fixed-vector": ["Encoder", "Decoding step", "Output layer"],
}


@pytest.mark.parametrize("name", EQUATIONS)
def test_the_equations_are_those_of_the_model(explorer: ExplorerPage, name):
    explorer.open({"text": TEXT, "model": name})
    part = explorer.unfold(Name.EQUATIONS)
    for title in EQUATIONS[name]:
        expect(part.get_by_role("heading", name=title, exact=True)).to_be_visible()
    with_attention = int(name != "fixed-vector")
    expect(part.get_by_role("heading", name="Score", exact=True)).to_have_count(with_attention)
    assert part.get_by_role("math").count() >= len(EQUATIONS[name])
    if name == "bahdanau":
        expect(part).to_contain_text("the paper has")  # where the model departs from it


def test_the_equations_follow_the_window(explorer: ExplorerPage):
    explorer.open({"text": TEXT, "model": "luong-general-local-p"})
    part = explorer.unfold(Name.EQUATIONS)
    for width in (4, 1):
        explorer.slider(Name.D).fill(str(width))
        expect(part.get_by_role("math").filter(has_text=re.compile(rf"D\s*=\s*{width}$"))).to_be_visible()


def test_the_spoken_step_has_the_word_and_the_largest_weight(explorer: ExplorerPage, model):
    wanted = as_shown(translate(model("bahdanau"), TEXT))
    explorer.open({"text": TEXT, "model": "bahdanau"})
    for step in (0, 4):
        explorer.go_to(step)
        one = wanted["steps"][step]
        weights = one["looks"][0]["weights"]
        best = max(range(len(weights)), key=weights.__getitem__)
        found = re.fullmatch(
            r"Step (\d+) of (\d+): (\S+), probability ([\d.]+); previous state compared with \d+ words; "
            r"largest weight ([\d.]+) on (\S+); context vector .+",
            explorer.picture.get_attribute("aria-label") or "",
        )
        assert found
        assert (found[1], found[2], found[3]) == (str(step + 1), str(len(wanted["target"])), wanted["target"][step])
        assert (float(found[4]), float(found[5])) == pytest.approx((exp(one["log_prob"]), weights[best]), abs=0.0051)
        assert found[6] == wanted["source"][best]


def test_the_mass_that_a_gaussian_removes_is_what_the_weights_lack(explorer: ExplorerPage, model):
    wanted = as_shown(translate(model("luong-general-local-p"), TEXT))
    explorer.open({"text": TEXT, "model": "luong-general-local-p"})
    said = re.compile(rf"{Says.REMOVED_MASS}\s*([\d.]+)")
    for step in (0, 3):
        explorer.go_to(step)
        look = wanted["steps"][step]["looks"][0]
        removed = sum(look["alignment"]) - sum(look["weights"])

        def check(removed: float = removed) -> None:
            found = said.search(explorer.window.inner_text())
            assert found
            assert float(found[1]) == pytest.approx(removed, abs=0.0051)

        explorer.eventually(check)


def test_pointing_at_the_picture_shows_exact_numbers_and_a_click_takes_one_apart(explorer: ExplorerPage, model):
    wanted = as_shown(translate(model("luong-general-local-p"), TEXT))
    explorer.open({"text": TEXT, "model": "luong-general-local-p"})
    tip = explorer.page.get_by_role("tooltip")
    found: dict[tuple[int, int], str] = {}
    places: dict[tuple[int, int], tuple[float, float]] = {}
    for shown, down in ((explorer.heatmap, 0.9), (explorer.picture, 0.6)):
        shown.scroll_into_view_if_needed()
        box = shown.bounding_box()
        for across in range(2, 20):
            place = box["x"] + box["width"] * across / 20, box["y"] + box["height"] * down
            explorer.page.mouse.move(*place)
            if tip.is_visible():
                said = tip.inner_text()
                n, s = map(int, re.search(r"step (\d+) of \d+, position (\d+) \(from 0\)", said).groups())
                found[s, n - 1], places[s, n - 1] = said, place
    assert len(found) > len(wanted["source"])  # cells of the map, and the bars of the step
    parts = {"score": "scores", "alignment weight": "alignment", "Gaussian": "gaussian", "attention weight": "weights"}
    for (s, t), said in found.items():
        look = wanted["steps"][t]["looks"][0]
        values = [number(re.search(rf"{name}\s+(\S+)", said)[1]) for name in parts]
        assert values == pytest.approx([look[name][s] for name in parts.values()], rel=6e-3)
        assert f"{wanted['target'][t]} ← {wanted['source'][s]}" in said
    explorer.page.mouse.click(*places[1, 0])
    expect(explorer.number).to_contain_text(f"“{wanted['source'][1]}”, position 1 (from 0)")
