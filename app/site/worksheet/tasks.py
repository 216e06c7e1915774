"""The tasks of the worksheet with their answers, in the order of the tour.

Texts are Markdown with formulas between dollar signs (app/shell/markup.py). Words and numbers come from measured.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from app.shell.markdown import escaped
from app.site.worksheet import feeding
from app.site.worksheet import measured as m
from attn_core.messages import N_, _

LEVELS = {1: N_("Read"), 2: N_("Calculate"), 3: N_("Explain")}
GOALS = (
    N_("I can read from a heatmap which source word a step attends to."),
    N_("I can turn scores into weights with a softmax, and say what happens if all scores grow by the same number."),
    N_("I can say what a context vector is made of."),
    N_("I can draw what input feeding adds to a model."),
    N_("I can say what $p_t$, D and σ do, and why the attention weights of local-p sum to less than 1."),
    N_("I can say what a head is, and find the one that aligns the words."),
)


@dataclass(frozen=True)
class View:
    """A link into the site: its text, the page ("": the Explorer) and what its address says."""

    label: str
    query: dict[str, str]
    page: str = ""

    def address(self, base: str, ending: str) -> str:
        """The address below `base`; `ending` ends the names of pages."""
        page = f"{self.page}{ending}" if self.page else ""
        return f"{base.rstrip('/')}/{page}{'?' if self.query else ''}{urlencode(self.query)}"


@dataclass(frozen=True)
class Table:
    """A table whose columns from `given` on are empty for students."""

    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    given: int = 1


@dataclass(frozen=True)
class Part:
    """A question with its answer: `lines` to write on, or a table to fill, or a figure to draw into."""

    question: str
    answer: str
    lines: int = 2
    table: Table | None = None
    figure: tuple[str, str] | None = None  # SVG, for students and with the answer


@dataclass(frozen=True)
class Task:
    """A task: its level of LEVELS, its title, the views that it needs, and its parts."""

    level: int
    title: str
    views: tuple[View, ...]
    parts: tuple[Part, ...]


def tasks() -> tuple[Task, ...]:
    """All tasks. Raises ValueError if a shipped model does not attend to the words that a task needs."""
    return (_reading(), _softmax(), _two_scores(), _context(), _feeding(), _narrow(), _less_than_one(), _heads())


def explorer(label: str, model: str, text: str = m.CATCH, step: int | None = None, **more: str) -> View:
    """A view of the Explorer."""
    steps = {} if step is None else {"step": str(step)}
    return View(label, {"model": model, "text": text, **steps, **more})


def at_verb(label: str, model: str, **more: str) -> View:
    """A view of the step that attends to the verb."""
    return explorer(label, model, step=m.step_of(m.translated(model, m.CATCH), m.VERB), **more)


def two(value: float) -> str:
    """A number with two digits after the point."""
    return f"{value:.2f}".replace("-", "−")


def quoted(words: Sequence[str]) -> str:
    """Words in quotation marks, for Markdown."""
    return ", ".join(f"“{escaped(word)}”" for word in words)


def _reading() -> Task:
    words = m.aligned()
    rows = tuple((escaped(word), str(t), escaped(german), str(s)) for t, word, s, german in words)
    early = max(words, key=lambda one: one[2] - one[0])
    answer = _(
        "“{english}” is word {step} of the translation, but “{german}” is word {position} of the source. German has "
        "the verb at the end of this clause. Attention jumps ahead to it; it need not go from left to right."
    ).format(english=escaped(early[1]), step=early[0], german=escaped(early[3]), position=early[2])
    table = Table(
        (_("English word"), _("its number"), _("German word with the largest weight"), _("its number")), rows, 2
    )
    return Task(
        1,
        _("Read the heatmap"),
        (explorer(_("the sentence"), m.ADDITIVE),),
        (
            Part(
                _("Step through the translation and fill in the table. Number the words of both from 0."), "", 0, table
            ),
            Part(_("For which word does attention jump furthest ahead? Why must it?"), answer, 2),
        ),
    )


def _softmax() -> Task:
    trace = m.translated(m.LUONG, m.CATCH)
    top = m.largest(trace, m.look_at(trace, m.VERB), 3)
    scores = [round(one.score, 2) for one in top]
    shares = m.softmax(scores)
    rows = tuple(
        (escaped(one.word), two(score), two(m.exp(score)), two(share), two(one.weight))
        for one, score, share in zip(top, scores, shares, strict=True)
    )
    total = sum(one.weight for one in top)
    divided = ", ".join(two(one.weight / total) for one in top)
    answer = _(
        "The softmax of the page has all {n} words in its sum, not only three, so each weight is smaller. Divided by "
        "their sum, {total}, the three weights are {divided}: those that you calculated, up to rounding."
    ).format(n=len(trace.source), total=two(total), divided=divided)
    return Task(
        2,
        _("A softmax by hand"),
        (at_verb(_("the step"), m.LUONG),),
        (
            Part(
                _("These are the three largest scores of the step. Calculate the softmax of these three numbers."),
                "",
                0,
                Table((_("word"), _("score $e$"), "$\\exp(e)$", _("your weight"), _("weight on the page")), rows, 2),
            ),
            Part(
                _("Why are the weights on the page smaller? Divide them by their sum. What do you notice?"), answer, 3
            ),
        ),
    )


def _two_scores() -> Task:
    rows, weights = [], []
    for name, model in ((_("additive"), m.ADDITIVE), (_("dot"), m.DOT)):
        trace = m.translated(model, m.CATCH)
        first, second = m.largest(trace, m.look_at(trace, m.VERB), 2)
        rows.append((name, *map(two, (first.score, second.score, first.score - second.score, first.weight))))
        weights.append(first.weight)
    answer = _(
        "A softmax depends only on the differences between the scores: its second word gets $\\exp(-d)$ times the "
        "first word's weight, where d is the difference. Additive has the larger score, but dot has the larger "
        "difference."
    )
    heading = (_("score"), _("largest"), _("second largest"), _("difference"), _("largest weight"))
    return Task(
        2,
        _("Compare two scores"),
        (at_verb(_("additive"), m.ADDITIVE), at_verb(_("dot"), m.DOT)),
        (
            Part(
                _("Look up the two largest scores of the step, and the largest weight, in both models."),
                "",
                0,
                Table(heading, tuple(rows)),
            ),
            Part(_("One model has the larger score and the smaller weight. How can that be?"), answer, 2),
            Part(
                _("Add 5 to all scores of a step. What happens to the weights?"),
                _("Nothing: all differences stay the same. A score by itself means nothing."),
                1,
            ),
        ),
    )


def _context() -> Task:
    weight, state, context = m.part_of_context()
    product = weight * state
    values = tuple(f"{value:.3f}".replace("-", "−") for value in (weight, state, product, context, context - product))
    heading = (
        _("weight"),
        _("first number of the state"),
        _("their product"),
        _("first number of the context vector"),
        _("difference"),
    )
    verb = escaped(m.VERB)
    return Task(
        2,
        _("What is in a context vector"),
        (at_verb(_("the step"), m.LUONG),),
        (
            Part(
                _(
                    "Point at the first cell of the encoder state of “{word}” and of the context vector: each shows "
                    "its number. How much of the context vector comes from “{word}”?"
                ).format(word=verb),
                "",
                0,
                Table(heading, (values,), 0),
            ),
            Part(
                _("Where does the difference come from?"),
                _(
                    "From the other words: each adds its weight times the first number of its state. The context "
                    "vector is the sum over all words; the decoder gets nothing else from the source in this step."
                ),
            ),
        ),
    )


def _feeding() -> Task:
    twice = sorted(m.repeated(m.GLOBAL) - m.repeated(m.FEEDING))
    without, fed = (escaped(m.english(model, m.VIOLIN)) for model in (m.GLOBAL, m.FEEDING))
    return Task(
        3,
        _("Draw input feeding"),
        (explorer(_("without"), m.GLOBAL, m.VIOLIN), explorer(_("with input feeding"), m.FEEDING, m.VIOLIN)),
        (
            Part(
                _(
                    "The figure shows two steps of a model without input feeding. Draw the arrow that input feeding "
                    "adds."
                ),
                _("From $\\tilde h_t$ of one step to the decoder state $h_{t+1}$ of the next."),
                0,
                figure=(feeding.figure(fed=False), feeding.figure(fed=True)),
            ),
            Part(
                _(
                    "Which word does the model without feeding write twice? What did it not know when "
                    "it wrote the word again?"
                ),
                _(
                    "It writes {words} twice (“{without}”; with feeding: “{fed}”). Only the decoder state and the "
                    "word go on to the next step; neither contains the context vector. With feeding, "
                    "$\\tilde h_t$ goes on too, which does. One sentence is an example, not a proof."
                ).format(words=quoted(twice), without=without, fed=fed),
                3,
            ),
        ),
    )


def _narrow() -> Task:
    center, words = m.in_narrow_window()
    narrow = m.translated(m.LOCAL, m.CATCH, half_width=m.NARROW)
    look = m.look_at(narrow, m.VERB)
    gaussians = ", ".join(f"“{escaped(one.word)}” {two(gaussian)}" for one, gaussian in words)
    verb = next(gaussian for one, gaussian in words if one.word == m.VERB)
    found = _(
        "In view are {words}. Their Gaussians: {gaussians}. The softmax covers only these words and gives “{verb}” "
        "almost all, so the sum is about {estimate}."
    ).format(words=quoted([one.word for one, _g in words]), gaussians=gaussians, verb=m.VERB, estimate=two(verb))
    seen = _(
        "It is {total} on the page, and the word written is “{word}”. (The words before this step are decoded with D = "
        "1, too, so $p_t$ is now {center}.)"
    ).format(
        total=two(float(look.weights.sum())),
        word=escaped(narrow.target[m.step_of(narrow, m.VERB)]),
        center=two(float(look.focus.center)) if look.focus.center is not None else "",
    )
    return Task(
        2,
        _("Predict D = 1"),
        (at_verb(_("as trained"), m.LOCAL), at_verb(_("with D = 1"), m.LOCAL, D=str(m.NARROW))),
        (
            Part(
                _(
                    "At this step $p_t$ is {center}. With D = 1, the positions from $\\lfloor p_t \\rfloor - 1$ to "
                    "$\\lfloor p_t \\rfloor + 1$ are in view, and σ is D/2 = 0.5. Which words are these? Calculate the "
                    "Gaussian $\\exp(-(s - p_t)^2 / 2\\sigma^2)$ of each position s, and estimate the sum of the "
                    "attention weights."
                ).format(center=two(center)),
                found,
                4,
            ),
            Part(_("Now set D = 1 on the page. What is the sum, and which word is written?"), seen, 1),
        ),
    )


def _less_than_one() -> Task:
    sums = m.sums()
    low = min(sums[:-1], key=lambda one: one[1])
    wide = min(total for _word, total in m.sums(m.WIDE))
    return Task(
        3,
        _("Where is the rest of the weight?"),
        (explorer(_("as trained"), m.LOCAL), explorer(_("with a large σ"), m.LOCAL, sigma=f"{m.WIDE:g}")),
        (
            Part(
                _("The alignment weights of a step sum to 1. Why do its attention weights sum to less?"),
                _(
                    "Each alignment weight is multiplied by the Gaussian, which is 1 only at $p_t$ and smaller "
                    "everywhere else, and the products are not divided by their sum."
                ),
                2,
            ),
            Part(
                _(
                    "At which word (“</s>” aside) is the sum smallest? What does that say about $p_t$ and the scores "
                    "there?"
                ),
                _(
                    "At “{word}”: {total}. The words with high scores are far from the position $p_t$ that the model "
                    "predicted, so the Gaussian cuts off most of their weight."
                ).format(word=escaped(low[0]), total=two(low[1])),
                2,
            ),
            Part(
                _("Predict the sums for a very large σ, then set σ = {sigma}.").format(sigma=f"{m.WIDE:g}"),
                _("The Gaussian is then almost 1 in the whole window: no sum is below {total}.").format(
                    total=f"{wide:.3f}"
                ),
                1,
            ),
        ),
    )


def _heads() -> Task:
    found, best = m.found_by_head(), m.best_head()
    rows = tuple((str(head), ", ".join(map(escaped, words)) or "–") for head, words in enumerate(found))
    count = len(m.WORDS)
    return Task(
        1,
        _("Find the head that aligns"),
        (explorer(_("the sentence"), m.HEADS, layer="0", head="0"),),
        (
            Part(
                _(
                    "Choose each head in turn in the menu “Layer and head”. Which of {words} get the largest "
                    "weight when their translation is written?"
                ).format(words=quoted(m.WORDS)),
                "",
                0,
                Table((_("head"), _("words that it finds")), rows),
            ),
            Part(
                _("Which head aligns best? Did anybody train it to do so?"),
                _(
                    "Head {head}: it finds {n} of {count} words, with a mean weight of {weight}. Nobody: the model was "
                    "only trained to write the right words, and a head that aligns helps it to."
                ).format(head=best, n=len(found[best]), count=count, weight=two(m.weight_of_head(best))),
                2,
            ),
        ),
    )
