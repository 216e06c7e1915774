"""The Quiz page: the cards of all lab pages, with a running score. The site's quiz has the same description."""

from app.lab.kit.cards import QUIZ
from app.lab.kit.described import LabPage, Section
from app.shell.notes import Notes
from attn_core.messages import N_

PAGE = LabPage(
    title=N_("Quiz"),
    about=N_("Judge common claims about attention, and see the evidence"),
    order=110,
    question=QUIZ,
    first=N_("Each card asks a question that tests a common claim about attention. Answer it to see the evidence."),
    sections=(Section(dashboard="app.lab.quiz.data:show_all_cards"),),
    notes=Notes(
        (
            N_("Read the card aloud, take a show of hands, and then click the answer of the majority."),
            N_(
                "The evidence was measured with this project's models: discuss the figure before you read out the "
                "reason."
            ),
            N_("Page Down opens the next card."),
        ),
        N_("Each card gives its own, with the source below it."),
        10,
    ),
    on_site=False,  # the site has a quiz of its own (app/site/lab.py)
)
