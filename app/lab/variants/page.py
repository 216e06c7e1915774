"""The Variants page: the papers, their authors' code, tutorials and toolkits compared."""

from app.lab.kit.described import LabPage, Section
from app.lab.variants.cards import CARDS
from attn_core.messages import N_

PAGE = LabPage(
    title=N_("Variants"),
    about=N_("Compare the models of papers, authors' code, tutorials and toolkits"),
    order=80,
    question=N_("What does “Bahdanau attention” mean in practice?"),
    first=N_(
        "Two papers, their authors' code, and the tutorials and toolkits that use their names. Select a row for "
        "details."
    ),
    sections=(
        Section(dashboard="app.lab.variants.details:variants"),
        Section(dashboard="app.lab.variants.claims:section"),
    ),
    cards=CARDS,
    on_site=False,  # a row is chosen in the browser, and the server computes its details
)
