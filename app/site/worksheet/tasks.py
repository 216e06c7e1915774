"""The tasks of the worksheet with their answers, in the order of the tour.

Words and numbers come from measured.py.
"""

from app.shell.markdown import escaped
from app.shell.pages import lab
from app.site.worksheet import feeding
from app.site.worksheet import measured as m
from app.site.worksheet.task import Part, Phase, Table, Task, View, at_verb, explorer, quoted, two
from attn_core.messages import _


def tasks() -> tuple[Task, ...]:
    """All tasks. Raises ValueError if a shipped model does not attend to the words that a task needs."""
    return (_reading(), _softmax(), _two_scores(), _context(), _feeding(), _narrow(), _less_than_one(), _heads())


def _reading() -> Task:
    words = m.aligned()
    rows = tuple((escaped(word), str(t), escaped(german), str(s)) for t, word, s, german in words)
    step, english, position, german = max(words, key=lambda word: word[2] - word[0])
    answer = _(
        "“{english}” is word {step} of the translation, but “{german}” is word {position} of the source. German has "
        "the verb at the end of this clause. Attention jumps ahead to it; it need not go from left to right."
    ).format(english=escaped(english), step=step, german=escaped(german), position=position)
    table = Table(
        (_("English word"), _("its number"), _("German word with the largest weight"), _("its number")), rows, 2
    )
    views = (explorer(_("the sentence"), m.ADDITIVE),)
    return Task(
        1,
        _("Read the heatmap"),
        views,
        (
            Part(
                _("Step through the translation and fill in the table. Number the words of both from 0."), "", 0, table
            ),
            Part(_("For which word does attention jump furthest ahead? Why must it?"), answer, 2),
        ),
        Phase(
            12,
            _("The first step of the heatmap: one row is one step, one column is one German word."),
            views,
            _("Pairs fill in the table, one steps and one writes."),
            _("All find the four words. Some read the heatmap by columns: let them point at the cell as they say it."),
            _("Who told the model which words belong together?"),
        ),
    )


def _softmax() -> Task:
    trace = m.translated(m.LUONG, m.CATCH)
    top = m.highest_scored(trace, m.attention_to(trace, m.VERB), 3)
    scores = [round(word.score, 2) for word in top]
    shares = m.softmax(scores)
    rows = tuple(
        (escaped(word.word), two(score), two(m.exp(score)), two(share), two(word.weight))
        for word, score, share in zip(top, scores, shares, strict=True)
    )
    total = sum(word.weight for word in top)
    divided = ", ".join(two(word.weight / total) for word in top)
    answer = _(
        "The softmax of the page has all {n} words in its sum, not only three, so each weight is smaller. Divided by "
        "their sum, {total}, the three weights are {divided}: those that you calculated, up to rounding."
    ).format(n=len(trace.source), total=two(total), divided=divided)
    views = (at_verb(_("the step"), m.LUONG),)
    return Task(
        2,
        _("A softmax by hand"),
        views,
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
        Phase(
            15,
            _("The step that writes the verb: scores on top, weights below. Click a score to see its formula."),
            views,
            _("Each student calculates three powers of e; one pocket calculator for two is enough."),
            _("The largest of the three weights is {top}. Usual mistake: to divide by the sum of the scores.").format(
                top=two(shares[0])
            ),
            _("Why a power of e, and not the score itself? (A score can be negative.)"),
        ),
    )


def _two_scores() -> Task:
    rows, weights = [], []
    for name, model in ((_("additive"), m.ADDITIVE), (_("dot"), m.DOT)):
        trace = m.translated(model, m.CATCH)
        first, second = m.highest_scored(trace, m.attention_to(trace, m.VERB), 2)
        rows.append((name, *map(two, (first.score, second.score, first.score - second.score, first.weight))))
        weights.append(first.weight)
    answer = _(
        "A softmax depends only on the differences between the scores: its second word gets $\\exp(-d)$ times the "
        "first word's weight, where d is the difference. Additive has the larger score, but dot has the larger "
        "difference."
    )
    heading = (_("score"), _("largest"), _("second largest"), _("difference"), _("largest weight"))
    views = (at_verb(_("additive"), m.ADDITIVE), at_verb(_("dot"), m.DOT))
    return Task(
        2,
        _("Compare two scores"),
        views,
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
        Phase(
            8,
            _("The same step with two scores, one after the other."),
            views,
            _("Pairs look up the numbers, then explain them to each other."),
            _("Most expect the larger score to win. Only the differences count."),
            _("Two models have the same weights. Do they have the same scores?"),
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
    view = at_verb(_("the step"), m.LUONG)
    return Task(
        2,
        _("What is in a context vector"),
        (view,),
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
        Phase(
            10,
            _("The flow from the weights to the context vector; then a weight that is set by hand."),
            (view, at_verb(_("to edit"), m.ADDITIVE)),
            _("Do the task, then drag the weight to another word and see which word is written."),
            _("Collect which words follow the weight. Some do not: the decoder state has a say, too."),
            _("Does the output layer see the weights?"),
        ),
    )


def _feeding() -> Task:
    twice = sorted(m.repeated(m.GLOBAL) - m.repeated(m.FEEDING))
    without, fed = (escaped(m.english(model, m.VIOLIN)) for model in (m.GLOBAL, m.FEEDING))
    views = (explorer(_("without"), m.GLOBAL, m.VIOLIN), explorer(_("with input feeding"), m.FEEDING, m.VIOLIN))
    paths = lab("paths")
    return Task(
        3,
        _("Draw input feeding"),
        views,
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
        Phase(
            8,
            _("One sentence, with and without input feeding."),
            views,
            _("Draw the arrow, then compare the translations."),
            _("Many draw the arrow into the word box. Ask where the context vector would have to go."),
            _("Why does Bahdanau's model need no such arrow?"),
        ),
        introduction=Phase(
            5,
            _("Both orders of a step as graphs: attend, then update (Bahdanau); update, then attend (Luong)."),
            (View(_(paths.title), {}, paths.path),),
            _("In Bahdanau's graph, try the new state $s_i$ as the query."),
            _(
                "A cycle: $s_i$ needs the context vector, the context vector needs the weights, and these would need "
                "$s_i$."
            ),
            _("Why can Luong use the new state?"),
        ),
    )


def _narrow() -> Task:
    center, words = m.in_narrow_window()
    narrow = m.translated(m.LOCAL, m.CATCH, half_width=m.NARROW)
    look = m.attention_to(narrow, m.VERB)
    in_view = quoted([source.word for source, _gaussian in words])
    gaussians = ", ".join(f"“{escaped(source.word)}” {two(gaussian)}" for source, gaussian in words)
    verb = next(gaussian for source, gaussian in words if source.word == m.VERB)
    found = _(
        "In view are {words}. Their Gaussians: {gaussians}. The softmax covers only these words and gives “{verb}” "
        "almost all, so the sum is about {estimate}."
    ).format(words=in_view, gaussians=gaussians, verb=m.VERB, estimate=two(verb))
    seen = _(
        "It is {total} on the page, and the word written is “{word}”. (The words before this step are decoded with D = "
        "1, too, so $p_t$ is now {center}.)"
    ).format(
        total=two(float(look.weights.sum())),
        word=escaped(narrow.target[m.step_of(narrow, m.VERB)]),
        center=two(float(look.focus.center)) if look.focus.center is not None else "",
    )
    trained = at_verb(_("as trained"), m.LOCAL)
    return Task(
        2,
        _("Predict D = 1"),
        (trained, at_verb(_("with D = 1"), m.LOCAL, D=str(m.NARROW))),
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
        Phase(
            8,
            _("The window of a local model: $p_t$, D and σ are sliders."),
            (trained,),
            _("Predict on paper first; only then open the second link."),
            _("With $p_t$ = {center} and D = 1, {words} are in view.").format(center=two(center), words=in_view),
            _("What does a window save, and what does it risk?"),
        ),
    )


def _less_than_one() -> Task:
    sums = m.weight_sums()
    lowest, lowest_sum = min(sums[:-1], key=lambda word: word[1])
    wide = min(total for _word, total in m.weight_sums(m.WIDE))
    trained = explorer(_("as trained"), m.LOCAL)
    return Task(
        3,
        _("Where is the rest of the weight?"),
        (trained, explorer(_("with a large σ"), m.LOCAL, sigma=f"{m.WIDE:g}")),
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
                ).format(word=escaped(lowest), total=two(lowest_sum)),
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
        Phase(
            5,
            _("The same model: read the sum of the weights in the picture, then drag σ."),
            (trained,),
            _("Answer in pairs, in whole sentences."),
            _("The Gaussian takes weight away and nothing gives it back; with a large σ, the sums are 1."),
            _("Are attention weights probabilities?"),
        ),
    )


def _heads() -> Task:
    found, best = m.words_by_head(), m.best_head()
    rows = tuple((str(head), ", ".join(map(escaped, words)) or "–") for head, words in enumerate(found))
    count = len(m.WORDS)
    views = (explorer(_("the sentence"), m.HEADS, layer="0", head="0"),)
    return Task(
        1,
        _("Find the head that aligns"),
        views,
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
        Phase(
            5,
            _("Four maps of the same step, one for each head."),
            views,
            _("One head for each group; each group reports what its head finds."),
            _("Head {head} finds the most words.").format(head=best),
            _("What are the other heads good for?"),
        ),
    )
