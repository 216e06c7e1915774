"""The Explorer, run by AppTest."""

import json
from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from app.explorer.controls import lowest
from app.service.catalogue import Shipped
from app.service.decode import made
from attn_core import load
from attn_core.data.captions import captions
from attn_core.models import folders
from tests.app.test_explorer import EXAMPLE, LOCAL_P, ROOT, asked
from tests.helpers.shipped import rewritten, ship


@pytest.fixture
def page(models):
    """Open the page at a link; it must not show an exception."""

    def visit(**query: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app" / "dashboard.py"), default_timeout=60)
        for name, value in query.items():
            app.query_params[name] = value
        return run(app)

    return visit


def run(app: AppTest) -> AppTest:
    app.run()
    assert not app.exception
    return app


def shown(app: AppTest) -> dict | None:
    """The player's trace."""
    players = [c.proto for c in app.get("bidi_component") if c.proto.component_name.endswith("attention_player")]
    assert len(players) <= 1
    return json.loads(players[0].bytes)["trace"] if players else None


def address(app: AppTest) -> dict[str, str]:
    """The query parameters in the address bar."""
    (link,) = [c.proto for c in app.get("bidi_component") if c.proto.component_name.endswith("view_link")]
    return dict(parse_qsl(json.loads(link.json)["query"]))


def named(widgets, name: str):
    """The widget `name`, whatever the number after its name."""
    (found,) = [w for w in widgets if str(w.key).rpartition("_")[0] == name]
    return found


def box(app: AppTest, name: str):
    return named(app.selectbox, name)


def pills(app: AppTest, axis: str):
    return named(app.get("button_group"), f"axis_{axis}")


def axes(app: AppTest) -> list[str]:
    return [g.key.rpartition("_")[0] for g in app.get("button_group")]


def test_the_first_visit_shows_the_first_example(page, models):
    app = page()
    assert shown(app) == json.loads(made(load(models[LOCAL_P].folder), asked(EXAMPLE)).trace)
    assert address(app) == {"text": EXAMPLE, "model": LOCAL_P}
    assert not app.warning
    assert not app.info


def test_a_link_is_followed(page):
    app = page(text="Ein Hund.", model="luong-general-global", beam="3", unk="replace", window="local-m", D="1")
    trace = shown(app)
    assert trace["source"] == ["ein", "hund", "."]
    assert (trace["settings"]["window"], trace["settings"]["half_width"]) == ("local-m", 1)
    assert (trace["settings"]["beam"], trace["settings"]["replace_unk"]) == (3, True)
    assert trace["settings"]["intervention"] is True
    assert address(app)["D"] == "1"
    box(app, "model").select("bahdanau")
    trace = shown(run(app))
    assert trace["settings"]["intervention"] is False  # another model looks as it was trained
    assert "D" not in address(app)


def test_what_a_link_cannot_mean_is_said_until_the_next_choice(page):
    app = page(beam="77", D="x")
    assert len(app.warning) == 1
    assert "beam in the link" in app.warning[0].value
    assert "D in the link" in app.warning[0].value
    box(app, "beam").select(2)
    assert not run(app).warning
    assert address(app)["beam"] == "2"


def test_axes_lead_to_models_and_what_moved_is_said(page):
    app = page()
    assert pills(app, "score").value == "general"
    pills(app, "score").set_value("additive")
    run(app)
    assert box(app, "model").value == "bahdanau"
    assert (pills(app, "window").value, pills(app, "order").value) == ("global", "attend-then-update")
    (said,) = [c.value for c in app.caption if "No model has that combination" in c.value]
    assert "**Window** is now global" in said
    assert "**Order** is now attend → update" in said
    assert shown(app)["model"] == "bahdanau"
    pills(app, "score").set_value("none")
    run(app)
    assert box(app, "model").value == "fixed-vector"
    assert axes(app) == ["axis_score", "axis_size"]


def test_a_widget_whose_value_the_server_changes_is_a_new_one(page):
    """A browser that has yet to draw the value would otherwise send the old one back with its next message."""
    app = page()

    def keys() -> dict[str, str]:
        return {"model": box(app, "model").key, **{name: pills(app, name).key for name in ("score", "window", "order")}}

    def changed() -> set[str]:
        before = keys()
        run(app)
        return {name for name, key in keys().items() if before[name] != key}

    assert changed() == set()
    pills(app, "score").set_value("additive")  # and with it the model, its window and its order
    assert changed() == {"model", "window", "order"}
    box(app, "model").select("luong-general-local-m")
    assert changed() == {"score", "window", "order"}


def test_a_window_that_the_next_choice_takes_away_is_said(page):
    app = page(model="bahdanau", window="local-m", D="1")
    pills(app, "score").set_value("general")
    (said,) = [c.value for c in run(app).caption if "The window was reset to the trained one." in c.value]
    assert "No model has that combination" in said
    box(app, "model").select("fixed-vector")
    assert not any("was reset" in c.value for c in run(app).caption)


def test_the_formulas_are_those_of_the_choice(page):
    app = page(model="luong-dot-global")
    assert r"h_t^\top \bar h_s" in app.latex[0].value
    box(app, "model").select(LOCAL_P)
    formulas = " ".join(line.value for line in run(app).latex)
    for part in (r"h_t^\top W_a \bar h_s", r"\tanh(W_p h_t)", r"2\sigma^2", r"\tilde h_t"):
        assert part in formulas
    box(app, "model").select("fixed-vector")
    assert "softmax" not in " ".join(line.value for line in run(app).latex)
    box(app, "model").select("bahdanau")
    assert "s_i = f(s_{i-1}, y_i, c_i)" in " ".join(line.value for line in run(app).latex)
    assert any("the paper has $y_{i-1}$" in c.value for c in app.caption)


@pytest.mark.slow
def test_the_formulas_are_those_of_the_window_in_force(page):
    """Not those of the trained window, which is named beside them."""

    def said(**query: str) -> str:
        app = page(**query)
        return " ".join(line.value for line in (*app.latex, *app.caption, *app.markdown))

    assert r"D = 2" in (trained := said())
    assert "as trained" in trained
    assert r"\sigma = D/2 = 1" in trained
    moved = said(D="3")
    assert r"D = 3" in moved
    assert r"\sigma = D/2 = 1.5" in moved
    assert "Now: local-p, D = 3, σ = 1.5" in moved
    assert "trained with local-p, D = 2, σ = 1" in moved
    assert r"\sigma = 0.5" in said(sigma="0.5")
    given = said(model="luong-general-global", window="local-m", D="1", read="hard-argmax")
    assert r"p_t = \min(t, S - 1)" in given
    assert "Now: local-m, D = 1, hard (argmax) attention" in given
    assert "trained with global, soft attention" in given
    assert "as trained" in said(D="2")


def test_the_lowest_score_is_not_left_without_a_word(models):
    """Of the model that Luong's Table 4 has as its best, and where it is the lowest here; else there is nothing odd."""

    def scored(name: str, bleu: float) -> Shipped:
        return replace(models[name], about={"test": {"bleu": bleu, "mean_source_length": 12.1}})

    low = {name: scored(name, 40.0) for name in (LOCAL_P, "bahdanau")} | {LOCAL_P: scored(LOCAL_P, 39.0)}
    low["fixed-vector"] = scored("fixed-vector", 30.0)  # no attention
    assert "Weakest attention model on these short captions (12 words on average)" in lowest(low, low[LOCAL_P])
    assert lowest(low, low["bahdanau"]) == ""
    high = low | {LOCAL_P: scored(LOCAL_P, 41.0)}
    assert [lowest(high, model) for model in high.values()] == [""] * 3
    alike = low | {LOCAL_P: scored(LOCAL_P, 40.0)}
    assert lowest(alike, alike[LOCAL_P]) == ""
    assert lowest(models, models[LOCAL_P]) == ""  # no scores


def test_a_trained_model_has_hard_attention_without_training(page):
    """The control, address, trace and formula agree; sampling again gives another sample."""
    app = page(model="luong-general-global")
    assert pills(app, "attention_type").value == "soft"
    pills(app, "attention_type").set_value("hard-sample")
    first = shown(run(app))
    assert (first["settings"]["attention_type"], first["settings"]["trained_attention_type"]) == ("hard-sample", "soft")
    assert address(app)["attention_type"] == "hard-sample"
    assert r"\sim a" in " ".join(line.value for line in app.latex)
    app.button(key="draw_again").click()
    second = shown(run(app))
    assert [step["looks"][0]["weights"] for step in second["steps"]] != [
        step["looks"][0]["weights"] for step in first["steps"]
    ]
    assert address(app)["draw"] == "1"
    pills(app, "attention_type").set_value("soft")
    assert shown(run(app))["settings"]["attention_type"] == "soft"
    assert "attention_type" not in address(app)


def test_an_attention_type_that_does_not_fit_the_next_model_is_given_up(page):
    app = page(model="luong-general-global", read="hard-sample", draw="4")
    assert shown(app)["settings"]["attention_type"] == "hard-sample"
    box(app, "model").select(LOCAL_P)
    assert shown(run(app))["settings"]["attention_type"] == "soft"
    assert pills(app, "attention_type").options == ["soft", "hard (argmax)"]
    box(app, "model").select("fixed-vector")
    assert "axis_attention_type" not in axes(run(app))


def test_settings_that_no_model_can_have_are_said_plainly(page, tmp_path, monkeypatch):
    ship(tmp_path, LOCAL_P, "bahdanau")
    rewritten(tmp_path / LOCAL_P, lambda record: record["model"]["attention"]["window"].update(name="round"))
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    app = page()
    said = app.warning[0].value.replace("\\", "")
    assert f"The model in {LOCAL_P} cannot be read (unknown window 'round'" in said
    assert shown(app)["model"] == "bahdanau"
    assert not app.error


def test_an_example_is_one_click_away(page):
    app = page(beam="77", step="2")
    app.menu_button(key="example").click(captions()[3].de)
    assert shown(run(app))["source"] == list(captions()[3].de_tokens)
    assert address(app)["text"] == captions()[3].de
    assert not app.warning, "what was said of the link is not true of the example"


@pytest.mark.quick(3)
@pytest.mark.parametrize("text", ["", "?!", "x " * 3000, "wort " * 61])
def test_odd_sentences_get_a_plain_word_and_no_player(page, text):
    app = page(text=text.encode("utf-8", "replace").decode())
    assert len(app.info) == 1
    assert shown(app) is None
    assert not app.error


@pytest.mark.parametrize("text", ["Blimblam Quxquax", "</s> <pad>", "`$x$` **b** \ud800"])
def test_a_sentence_of_unknown_words_is_decoded_with_a_warning(page, text):
    app = page(text=text.encode("utf-8", "replace").decode())
    assert "outside the vocabulary" in app.warning[0].value
    assert shown(app)
    assert not app.error


def test_unknown_words_are_named(page):
    app = page(text="Ein Blimblam tanzt im Schnee.")
    assert shown(app)["unknown"] == [1]
    assert any("blimblam" in caption.value for caption in app.caption)


def test_english_gets_a_warning_above_the_player(page):
    app = page(text=captions()[0].en)
    assert "looks like English" in app.warning[0].value.replace("\\", "")
    assert shown(app)


def test_without_models_the_page_says_how_to_make_one(page, tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    app = page()
    assert "no trained model" in app.info[0].value
    assert "make train NAME=luong-general-local-p TRAIN=PREFIX VALID=PREFIX" in app.info[0].value
    assert shown(app) is None


def test_damaged_weights_are_said_plainly(page, tmp_path, monkeypatch):
    ship(tmp_path, LOCAL_P, "bahdanau")
    (tmp_path / LOCAL_P / "model.safetensors").write_bytes(b"not weights")
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    app = page()
    assert "cannot be used" in app.info[0].value.replace("\\", "")
    box(app, "model").select("bahdanau")
    assert shown(run(app))


def test_a_model_that_has_gone_gives_way(page, tmp_path, monkeypatch):
    ship(tmp_path, LOCAL_P, "bahdanau")
    monkeypatch.setenv("ATTN_PRETRAINED", str(tmp_path))
    app = page(model="bahdanau")
    (tmp_path / "bahdanau" / "config.json").unlink()
    run(app)
    assert "no longer available" in app.warning[0].value.replace("\\", "")
    assert shown(app)["model"] == LOCAL_P


def test_the_figure_is_drawn_only_when_it_is_looked_at(page):
    app = page()
    assert not app.get("vega_lite_chart")
    app.session_state.figure = True
    assert len(run(app).get("vega_lite_chart")) == 1


@pytest.mark.slow
def test_a_transformers_figure_shows_the_head_that_is_chosen(page):
    app = page(model="transformer")
    app.session_state.figure = True
    chosen = run(app).selectbox(key="figure_look")
    assert chosen.options == ["mean of 4 heads", *(f"layer {i}, head {j}" for i in (1, 2) for j in (1, 2))]
    assert app.session_state.shown.look is None
    chosen.select_index(3)
    assert "layer 2, head 1" in run(app).get("vega_lite_chart")[0].proto.spec
    assert app.session_state.shown.look == 2
    box(app, "model").select(LOCAL_P)
    run(app)
    assert app.session_state.shown.look is None
    assert "figure_look" not in [box.key for box in app.selectbox]


def test_a_failure_is_said_plainly(page, monkeypatch, caplog):
    monkeypatch.setattr(folders, "PRETRAINED", None)
    monkeypatch.delenv("ATTN_PRETRAINED")
    app = page()
    assert "Something went wrong" in app.error[0].value
    assert "the Explorer failed" in caplog.text
