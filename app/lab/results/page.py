"""The Results page: the papers' tables beside what was measured here, with a verdict on each claim."""

from app.lab.kit.described import LabPage, Section
from app.lab.results.cards import CARDS
from attn_core.evaluation.paper_tables import TABLES
from attn_core.messages import N_

PAGE = LabPage(
    title=N_("Results"),
    about=N_("See the papers' tables beside the same comparisons on captions"),
    order=90,
    question=N_("Do the papers' tables hold when they are measured again?"),
    first=N_(
        "Our small models on image captions stand beside the papers' models on other and larger data: compare the "
        "signs of the differences between rows, not their sizes. *BLEU*: higher is better; *perplexity* and *AER*: "
        "lower is better."
    ),
    sections=(
        *(Section(title=table.title, blocks=f"app.lab.results.data:{table.name}") for table in TABLES.values()),
        Section(title=N_("AER of the shipped models on our own gold pairs"), blocks="app.lab.results.data:shipped"),
        Section(
            title=N_("How a difference becomes a verdict"),
            text=N_(
                "Each table except the last repeats a table of one of the papers with small models on image captions. "
                "All models of a table were trained on the same captions, with the same number of updates and the "
                "same precision. *BLEU* (0 to 100) compares translations with reference translations; *perplexity* "
                "says how much a reference surprises the model. A *seed* is one training run with random numbers of "
                "its own. Once each of its rows has five runs, a claim is *reproduced* or *contradicted* if a "
                "difference as far from 0 as the one measured would be unlikely by chance, even among all the claims "
                "of this page; otherwise it is *undecided*, even where its own 95% interval just excludes 0. A "
                "positive difference supports the claim, even where lower numbers are better. Notebook 10 (The "
                "papers' tables, measured again) explains this step by step."
            ),
        ),
    ),
    cards=CARDS,
)
