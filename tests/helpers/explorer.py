"""The Explorer as its readers have it: by role, accessible name, state, address and number.

No locator here knows a CSS class, a custom event, a function of the page or the order of its tags, so the tests that
use it hold for any implementation of the same page. The texts of the interface that serve as names stand once, in
`Name` and `Says`.
"""

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from html import unescape
from math import exp
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import Download, Locator, Page, expect

from attn_core.decoding.translate import text_of
from attn_core.models.translator import Translator
from attn_core.trace import Trace, dump
from tests.helpers.explorer_texts import Name, Says
from tests.helpers.numbers import number
from tests.helpers.visits import at_level, patience

CLOSE = 1.5e-4  # between a number on the page, with four decimals, and that of torch


def text(name: str) -> re.Pattern[str]:
    """The pattern of exactly this text."""
    return re.compile(f"^{re.escape(name)}$")


def shown_words(*sides: Sequence[str]) -> list[list[str]]:
    """The tokens of a trace as a page writes them: without escapes, and with a dot before a piece inside a word."""
    pieces = any(token.startswith("▁") for side in sides for token in side)

    def shown(token: str) -> str:
        word = unescape(token)
        if not pieces or re.fullmatch("<.+>|▁", word):
            return word
        return word.removeprefix("▁") if word.startswith("▁") else f"·{word}"

    return [[shown(token) for token in side] for side in sides]


def as_shown(trace: Trace) -> dict[str, Any]:
    """A trace as JSON, with the words as a page writes them."""
    found = json.loads(dump(trace))
    tops = [[token for token, _ in step["top"]] for step in found["steps"]]
    found["source"], found["target"], *tops = shown_words(found["source"], found["target"], *tops)
    for step, token, top in zip(found["steps"], found["target"], tops, strict=True):
        step |= {"token": token, "top": [[word, p] for word, (_, p) in zip(top, step["top"], strict=True)]}
    return found


class ExplorerPage:
    """A tab with the Explorer."""

    def __init__(self, page: Page, address: str):
        self.page = page
        self.address = address
        self.expected_errors: set[str] = set()  # parts of the console's error messages that a test provokes
        named = page.get_by_role
        self.heading = named("heading", level=1)
        self.notices = named("status", name=Name.NOTICES)
        self.sentence = named("combobox", name=Name.SENTENCE)
        self.translation = named("status", name=Name.TRANSLATION, exact=True)
        self.remarks = named("status", name=Name.REMARKS)
        self.player = named("group", name=Name.PLAYER)
        self.badge = named("status", name=Name.BADGE)
        self.step_slider = named("slider", name=Name.STEP)
        self.picture = self.player.get_by_role("img", name=re.compile(r"^Step \d+ of \d+: "))
        self.words = named("group", name=Name.WORDS).get_by_role("button")
        self.head = self.menu(Name.HEAD)
        self.window = named("region", name=Name.WINDOW_PANEL)
        self.next_word = named("region", name=Name.NEXT_WORD)
        self.heatmap = named("region", name=Name.HEATMAP).locator("canvas")
        self.editor = named("region", name=Name.EDITOR)
        self.edits = self.editor.get_by_role("list", name=Name.EDITS).get_by_role("listitem")
        self.before_and_after = named("region", name=Name.BEFORE_AND_AFTER)
        self.comparison = named("region", name=Name.COMPARISON)
        self.beam = named("region", name=Name.BEAM_PANEL)
        self.number = named("region", name=Name.NUMBER)
        self.opened = self.number.get_by_role("navigation", name=Name.OPENED)
        self.tour = named("navigation", name=Name.TOUR)
        self.stop = page.locator(".tour-stop")
        self.guesses = named("group", name=Name.GUESS)

    # Going somewhere.

    def open(self, query: Mapping[str, Any] | None = None, level: str | None = "workbench") -> "ExplorerPage":
        """Open a link, with all tools unless it says more, and wait until its translation is there."""
        view = at_level(query or {}, level)
        self.page.goto(f"{self.address}?{urlencode(view)}" if view else self.address)
        return self.settle()

    def settle(self) -> "ExplorerPage":
        """Wait until the page waits for no model and no translation."""
        expect(self.translation).to_be_attached()
        expect(self.page.locator("[aria-busy=true]")).to_have_count(0)
        return self

    def eventually(self, check: Callable[[], None]) -> None:
        """Repeat a check until it holds; its last AssertionError is raised if it does not in time."""
        until = time.monotonic() + patience() / 1000
        while True:
            try:
                return check()
            except AssertionError:
                if time.monotonic() > until:
                    raise
                self.page.wait_for_timeout(50)  # while Python sleeps, the address would stay as it was

    @property
    def link(self) -> dict[str, str]:
        """The view in the address."""
        return dict(parse_qsl(urlsplit(self.page.url).query))

    def expect_link(self, wanted: Mapping[str, Any]) -> None:
        """Wait until the address has exactly this view; where it names no sentence or level, any will do."""
        view = {name: str(value) for name, value in wanted.items()}

        def check() -> None:
            found = self.link
            for name in ("text", "level"):
                if name not in view:
                    found.pop(name, None)
            assert found == view, f"{found}, not {view}"

        self.eventually(check)

    def expect_in_link(self, **wanted: Any) -> None:
        """Wait until the address has these values; None: it does not name this one."""

        def check() -> None:
            found = {name: self.link.get(name) for name in wanted}
            view = {name: None if value is None else str(value) for name, value in wanted.items()}
            assert found == view, f"{found}, not {view}"

        self.eventually(check)

    # Controls.

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def menu(self, name: str) -> Locator:
        return self.page.get_by_role("combobox", name=name, exact=True)

    def slider(self, name: str) -> Locator:
        return self.page.get_by_role("slider", name=name, exact=True)

    def checkbox(self, name: str) -> Locator:
        return self.page.get_by_role("checkbox", name=name, exact=True)

    def choose(self, menu: str, option: str) -> None:
        """Choose an option of a menu by its text."""
        self.menu(menu).select_option(label=option)

    def expect_chosen(self, **options: str) -> None:
        """The chosen option of menus, by the names of their names in `Name`."""
        for name, option in options.items():
            expect(self.chosen(getattr(Name, name))).to_have_text(option)

    def chosen(self, menu: str) -> Locator:
        """The chosen option of a menu."""
        return self.menu(menu).get_by_role("option", selected=True, include_hidden=True)

    def options(self, menu: str) -> Locator:
        """All options of a menu."""
        return self.menu(menu).get_by_role("option", include_hidden=True)

    def unfold_settings(self) -> None:
        """Show the settings that a newcomer does not see."""
        self.button(Name.MORE).click()

    def open_tab(self, name: str) -> None:
        """Show another view of the translation in place of the heatmap."""
        self.page.get_by_role("tab", name=name, exact=True).click()

    def unfold(self, title: str) -> Locator:
        """Open a folded part of the page by its title; returns the part."""
        part = self.page.get_by_role("group").filter(has=self.page.get_by_text(title, exact=True)).last
        self.page.get_by_text(title, exact=True).first.click()
        return part

    def press(self, *keys: str) -> None:
        """Press keys while the player has the focus."""
        self.player.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def go_to(self, step: int) -> None:
        """Go to a step, counted from 0."""
        self.step_slider.fill(str(step))
        self.expect_step(step)

    # What is shown.

    def expect_nothing_in(self, part: Locator) -> None:
        """A part of the page has no text, or is not there."""

        def check() -> None:
            said = "".join(part.all_inner_texts())
            assert not said, said

        self.eventually(check)

    def expect_step(self, step: int, of: int | None = None) -> None:
        """The step on show, counted from 0, and the number of steps."""
        expect(self.step_slider).to_have_value(str(step))
        all_steps = r"\d+" if of is None else of
        expect(self.step_slider).to_have_attribute("aria-valuetext", re.compile(f"^step {step + 1} of {all_steps}$"))

    def expect_translated(self, model: Translator, trace: Trace) -> None:
        """The translation and its steps are those of a trace of the model."""
        expect(self.translation).to_have_text(text_of(model, trace))
        words = self.player.get_by_role("img", name=f" of {len(trace.target)}: ")
        expect(words).to_be_visible()
        expect(self.words.first).to_have_text(as_shown(trace)["target"][0])

    def show_tables(self) -> None:
        """Open the tables with the numbers."""
        self.open_tab(Name.TABLES)

    def table(self, caption: str) -> list[list[str]]:
        """The rows of a table of the player, without the row of its column headers."""
        shown = self.player.get_by_role("table", name=caption, exact=True)
        lines = shown.inner_text().splitlines() if shown.count() else []
        return [line.split("\t") for line in lines if line][2:]  # without the caption and the columns' headers

    def expect_step_table(self, trace: Mapping[str, Any], step: int, head: int | None = 0) -> None:
        """The table of a step has the numbers of a trace (as JSON); `head` None: the mean of the heads' weights."""
        one, source = trace["steps"][step], trace["source"]
        looks = one["looks"]
        if head is None:
            columns = [[sum(look["weights"][s] for look in looks) / len(looks) for s in range(len(source))]]
        else:
            bell = trace["settings"].get("sigma") is not None  # D = 0 has none, linked to D / 2
            aligned = all(each["looks"][head]["alignment"] == each["looks"][head]["weights"] for each in trace["steps"])
            names = ["scores", *([] if aligned else ["alignment"]), *(["gaussian"] if bell else []), "weights"]
            columns = [looks[head][name] for name in names]
        caption = Says.STEP_TABLE.format(n=step + 1, word=trace["target"][step])

        def check() -> None:
            rows = self.table(caption)
            named = [[str(s), word] for s, word in enumerate(source)]
            assert [row[:2] for row in rows] == named, f"{caption}: {rows}"
            for s, row in enumerate(rows):
                wanted = [column[s] for column in columns]
                assert list(map(number, row[2:])) == pytest.approx(wanted, abs=CLOSE, rel=1e-4), (step, source[s])

        self.eventually(check)

    def expect_matrix(self, trace: Mapping[str, Any], shown: str = "weights", head: int = 0) -> None:
        """The table of all steps has the weights, or the alignment, of a trace (as JSON)."""
        self.expect_rows(trace["target"], [step["looks"][head][shown] for step in trace["steps"]], shown)

    def expect_rows(self, target: Sequence[str], wanted: Sequence[Sequence[float]], shown: str = "weights") -> None:
        """The table of all steps has these words and numbers."""

        def check() -> None:
            rows = self.table(Says.ALL_STEPS[shown]) or self.table(Says.ALL_PIECES[shown])
            assert [row[0] for row in rows] == list(target), rows
            for row, values in zip(rows, wanted, strict=True):
                assert list(map(number, row[1:])) == pytest.approx(list(values), abs=6e-4), row[0]

        self.eventually(check)

    def expect_next_words(self, trace: Mapping[str, Any], step: int) -> None:
        """The table of the most probable next words of a step has those of a trace (as JSON)."""

        def check() -> None:
            shown = {word: number(p) for word, p in self.table(Says.NEXT_TABLE.format(n=step + 1))}
            wanted = {word: exp(log_prob) for word, log_prob in trace["steps"][step]["top"]}
            assert shown == pytest.approx(wanted, abs=CLOSE), f"step {step}: {shown}, not {wanted}"

        self.eventually(check)

    def expect_out_of_date(self, yes: bool = True) -> None:
        """Whether the player, which shows an earlier translation, can be used."""
        expect(self.page.locator("[inert]")).to_have_count(int(yes))

    def download(self, name: str) -> Download:
        """Click a button that downloads a file."""
        with self.page.expect_download() as waiting:
            self.page.get_by_role("button", name=name).first.click()
        return waiting.value
