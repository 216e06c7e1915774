"""The plan of a lesson of 90 minutes with the site and the worksheet."""

from dataclasses import dataclass

from app.shell.markdown import escaped
from app.shell.pages import lab
from app.site.worksheet import measured as m
from app.site.worksheet.tasks import Task, View, at_verb, explorer, quoted, two
from attn_core.messages import _


@dataclass(frozen=True)
class Phase:
    """A row of the plan. Texts are Markdown; `task`: the number of the task that it uses, from 1."""

    minutes: int
    shows: str  # what the teacher shows
    views: tuple[View, ...]
    do: str  # what students do
    expect: str
    question: str  # to ask the class
    task: int | None = None


def plan(tasks: tuple[Task, ...]) -> tuple[Phase, ...]:
    """The rows of the plan, which use each of `tasks` once."""
    return (_opening(), *_scores(tasks), _order(), *_variants(tasks), _closing())


def _opening() -> Phase:
    words = len(m.translated(m.FIXED, m.LONG).source)
    return Phase(
        10,
        _("Three sentences, translated by a model without attention; then by one with attention."),
        (explorer(_("without attention"), m.FIXED, m.LONG), explorer(_("with attention"), m.ATTENDING, m.LONG)),
        _("Vote before you press play: how much of the text comes back?"),
        _("Without attention: “{fixed}” One vector has to hold {n} tokens. With attention: “{attending}”").format(
            fixed=escaped(m.english(m.FIXED, m.LONG)), n=words, attending=escaped(m.english(m.ATTENDING, m.LONG))
        ),
        _("What would you give the decoder besides one vector?"),
    )


def _scores(tasks: tuple[Task, ...]) -> tuple[Phase, ...]:
    read, by_hand, compared, context = tasks[:4]
    dot = m.translated(m.LUONG, m.CATCH)
    top = m.softmax([round(one.score, 2) for one in m.largest(dot, m.look_at(dot, m.VERB), 3)])[0]
    return (
        Phase(
            12,
            _("The first step of the heatmap: one row is one step, one column is one German word."),
            read.views,
            _("Pairs fill in the table, one steps and one writes."),
            _("All find the four words. Some read the heatmap by columns: let them point at the cell as they say it."),
            _("Who told the model which words belong together?"),
            1,
        ),
        Phase(
            15,
            _("The step that writes the verb: scores on top, weights below. Click a score to see its formula."),
            by_hand.views,
            _("Each student calculates three powers of e; one pocket calculator for two is enough."),
            _("The largest of the three weights is {top}. Usual mistake: to divide by the sum of the scores.").format(
                top=two(top)
            ),
            _("Why a power of e, and not the score itself? (A score can be negative.)"),
            2,
        ),
        Phase(
            8,
            _("The same step with two scores, one after the other."),
            compared.views,
            _("Pairs look up the numbers, then explain them to each other."),
            _("Most expect the larger score to win. Only the differences count."),
            _("Two models have the same weights. Do they have the same scores?"),
            3,
        ),
        Phase(
            10,
            _("The flow from the weights to the context vector; then a weight that is set by hand."),
            (*context.views, at_verb(_("to edit"), m.ADDITIVE)),
            _("Do the task, then drag the weight to another word and see which word is written."),
            _("Collect which words follow the weight. Some do not: the decoder state has a say, too."),
            _("Does the output layer see the weights?"),
            4,
        ),
    )


def _order() -> Phase:
    place = lab("paths")
    return Phase(
        5,
        _("Both orders of a step as graphs: attend, then update (Bahdanau); update, then attend (Luong)."),
        (View(_(place.title), {}, place.path),),
        _("In Bahdanau's graph, try the new state $s_i$ as the query."),
        _("A cycle: $s_i$ needs the context vector, the context vector needs the weights, and these would need $s_i$."),
        _("Why can Luong use the new state?"),
    )


def _variants(tasks: tuple[Task, ...]) -> tuple[Phase, ...]:
    feeding, narrow, rest, heads = tasks[4:]
    center, words = m.in_narrow_window()
    return (
        Phase(
            8,
            _("One sentence, with and without input feeding."),
            feeding.views,
            _("Draw the arrow, then compare the translations."),
            _("Many draw the arrow into the word box. Ask where the context vector would have to go."),
            _("Why does Bahdanau's model need no such arrow?"),
            5,
        ),
        Phase(
            8,
            _("The window of a local model: $p_t$, D and σ are sliders."),
            narrow.views[:1],
            _("Predict on paper first; only then open the second link."),
            _("With $p_t$ = {center} and D = 1, {words} are in view.").format(
                center=two(center), words=quoted([one.word for one, _gaussian in words])
            ),
            _("What does a window save, and what does it risk?"),
            6,
        ),
        Phase(
            5,
            _("The same model: read the sum of the weights in the picture, then drag σ."),
            rest.views[:1],
            _("Answer in pairs, in whole sentences."),
            _("The Gaussian takes weight away and nothing gives it back; with a large σ, the sums are 1."),
            _("Are attention weights probabilities?"),
            7,
        ),
        Phase(
            5,
            _("Four maps of the same step, one for each head."),
            heads.views,
            _("One head for each group; each group reports what its head finds."),
            _("Head {head} finds the most words.").format(head=m.best_head()),
            _("What are the other heads good for?"),
            8,
        ),
    )


def _closing() -> Phase:
    return Phase(
        4,
        _("The quiz: each card is a common claim."),
        (View(_(lab("quiz").title), {}, "quiz"),),
        _("Vote by hands; then tick the learning goals on the worksheet."),
        _("Goals that many leave open are where the next lesson begins."),
        _("Which claim would you have believed 90 minutes ago?"),
    )
