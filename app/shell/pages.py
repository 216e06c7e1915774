"""The pages of the dashboard. A new page needs an entry here and a module with a function `page()`."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from attn_core.messages import N_, _
from attn_core.registry import load


@dataclass(frozen=True)
class Place:
    """One page: its title in the menu, its address, the module that draws it, and its tooltip in the menu."""

    title: str
    path: str  # after the server's address; the first page has none
    module: str
    about: str
    lecture: bool = True  # whether it has a lecture layout (lecture.js)


EXPLORER = Place(
    N_("Explorer"), "", "app.explorer.page", N_("Follow a trained model through every step of a translation")
)
LAB = (
    Place(
        N_("Score lab"),
        "score-lab",
        "app.lab.score.page",
        N_("Drag a query and its keys, and compare what the score functions compute"),
    ),
    Place(
        N_("Window lab"),
        "window-lab",
        "app.lab.window.page",
        N_("Drag p_t, D and σ over the scores of a trained model"),
    ),
    Place(N_("Heads"), "heads", "app.lab.heads.page", N_("See what each head of a Transformer attends to")),
    Place(
        N_("Corpus"),
        "corpus",
        "app.lab.corpus.page",
        N_("Measure one model's attention over many sentences, and open the examples behind each bar"),
    ),
    Place(
        N_("Paths"),
        "paths",
        "app.lab.paths.page",
        N_("Compare Bahdanau's and Luong's decoding steps as graphs, with their numbers"),
    ),
    Place(
        N_("Pointer"),
        "pointer",
        "app.lab.pointer.page",
        N_("Draw points, and see which of them a pointer network selects"),
    ),
    Place(
        N_("Series"),
        "series",
        "app.lab.series.page",
        N_("Change the past of a time series, and see which days its forecast attends to"),
    ),
    Place(
        N_("Variants"),
        "variants",
        "app.lab.variants.page",
        N_("Compare the models of papers, authors' code, tutorials and toolkits"),
        lecture=False,
    ),
    Place(
        N_("Results"),
        "results",
        "app.lab.results.page",
        N_("See the papers' tables beside the same comparisons on captions"),
        lecture=False,
    ),
)
QUIZ = Place(N_("Quiz"), "quiz", "app.lab.quiz.page", N_("Judge common claims about attention, and see the evidence"))
# Only in the dashboard, since it follows trainings on this machine.
TRAINING = Place(N_("Training"), "training", "app.lab.training.page", N_("Watch a model learn where to attend"))


def lecture_pages() -> list[str]:
    """The addresses of the pages that Page Down goes through in lecture layout."""
    return [place.path or "./" for place in (EXPLORER, *LAB, TRAINING, QUIZ) if place.lecture]


def menu() -> StreamlitPage:
    """The requested page. Only its module is imported: the Explorer must not wait for the lab."""
    return st.navigation([_page(place) for place in (EXPLORER, *LAB, TRAINING, QUIZ)], position="top")


def _page(place: Place) -> StreamlitPage:
    first = place is EXPLORER
    path = place.path or "explorer"  # the default page needs a name too; it is served without one
    return st.Page(_opening(place), title=_(place.title), url_path=path, default=first, help=_(place.about))


def _opening(place: Place) -> Callable[[], None]:
    def open_page() -> None:
        load(f"{place.module}:page")()

    return open_page
