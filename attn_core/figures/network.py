"""A decoded sentence as the papers draw their models: source below, target above, and what flows between them.

Bahdanau 2015, Fig. 1; Luong 2015, Fig. 1 (without attention, one layer), 2 (global), 3 (local) and 4 (input feeding).
"""

import altair as alt
from jaxtyping import Float
from torch import Tensor

from attn_core.config import ModelConfig
from attn_core.figures.sketch import BLUE, DIM, INK, ORANGE, PALE, Arrow, Box, Mark, Text, short, sketch
from attn_core.trace import Look, Trace, Word

LEFT, WIDEST, COLUMN = 122, 900, (56, 88)  # pixels: left of the first column, in all, and the columns' least and most
WORDS, OUTPUT, STATES, CONTEXT, WEIGHTS, SOURCE, READ = 22, 78, 146, 232, 296, 330, 378  # where the rows stand
HEIGHT, HALF = 400, 14
THICKEST = 11.0  # pixels of an arrow of weight 1
WINDOW = "#fdf1e7"


def network(trace: Trace, config: ModelConfig, first: int = 1) -> alt.LayerChart:
    """The model over the sentence of `trace`; a slider chooses the step whose flow is drawn, `first` to begin with.

    The thicker an arrow out of the source, the more of that state went into the context; hovering gives numbers.
    `config` is that of the model, `steps` count from 1. Raises ValueError for an empty trace, for a step that there is
    not and for one of several looks: one arrow cannot show them.
    """
    if not trace.words:
        raise ValueError("there is no word in this trace, so there is nothing to draw")
    if any(len(word.step.looks) > 1 for word in trace.words):
        raise ValueError(f"{trace.model} looks several times at each step; this figure draws models that look once")
    n = max(len(trace.source), len(trace.words)) + 1
    page = _Page(trace, config, min(COLUMN[1], max(COLUMN[0], (WIDEST - LEFT) / n)))
    marks = [mark for word in trace.words for mark in page.window(word)]
    marks += [*page.rows(), *page.encoder(), *page.decoder()]
    marks += [mark for word in trace.words for mark in page.step(word)]
    return sketch(marks, LEFT + n * page.column, HEIGHT, len(trace.words), first)


class _Page:
    """Where everything stands, and the marks of each part."""

    def __init__(self, trace: Trace, config: ModelConfig, column: float):
        self.trace, self.config, self.column = trace, config, column
        self.looks, self.luong = config.score is not None, config.order == "step-then-look"
        self.box = column * 0.6
        self.letter = "h" if self.luong else "s"

    def at(self, place: float) -> float:
        """The middle of a column; 0 is that of the state before the first word, and of the first source word."""
        return LEFT + (place + 0.5) * self.column

    def window(self, word: Word) -> list[Mark]:
        """What a local window holds, and its centre: behind everything else."""
        if not word.step.looks or word.step.looks[0].focus.center is None:
            return []
        focus, t, top = word.step.looks[0].focus, word.t + 1, WEIGHTS - 8
        center, seen = focus.center.item(), focus.inside.nonzero().flatten().tolist()
        marks: list[Mark] = []
        if seen:
            middle, wide = self.at((seen[0] + seen[-1]) / 2), (seen[-1] - seen[0] + 1) * self.column
            style = {
                "color": ORANGE,
                "fill": WINDOW,
                "step": t,
                "tip": f"the window: positions {seen[0]} to {seen[-1]}",
            }
            marks.append(Box(middle, (top + READ + 16) / 2, wide, READ + 16 - top, **style))
        x, style = self.at(center), {"color": ORANGE, "step": t, "tip": f"p = {center:.4f}"}
        return [*marks, Text(x, top - 22, f"p = {center:.2f}", 12, **style), Arrow(x, top - 14, x, top + 2, **style)]

    def rows(self) -> list[Mark]:
        """What each row is."""
        names = {WORDS: "target words", STATES: "decoder states", CONTEXT: "context"}
        names |= {WEIGHTS: "weights"} if self.looks else {}
        names |= {SOURCE: "encoder states", READ: "source words"}
        names |= {OUTPUT: "attentional vectors"} if self.luong else {}
        return [Text(LEFT - 12, y, name, 12, align="right", color=DIM) for y, name in names.items()]

    def encoder(self) -> list[Mark]:
        """The source words, their states, and the direction in which they were read."""
        marks: list[Mark] = []
        for s, token in enumerate(self.trace.source):
            state, x = self.trace.memory.states[s], self.at(s)
            tip = f"state of {token!r}: {_about(state)}"
            marks += [Box(x, SOURCE, self.box, color=DIM, tip=tip), Text(x, SOURCE, f"h{_low(s + 1)}", tip=tip)]
            marks += [Text(x, READ, short(token, self.column), tip=token)]
            marks += [Arrow(x, READ - 11, x, SOURCE + HALF, color=PALE)]
            if s:
                gap = self.at(s - 1) + self.box / 2, x - self.box / 2
                up = 5 if self.config.bidirectional else 0
                marks.append(Arrow(gap[0], SOURCE - up, gap[1], SOURCE - up, color=DIM))
                if self.config.bidirectional:
                    marks.append(Arrow(gap[1], SOURCE + up, gap[0], SOURCE + up, color=DIM))
        return marks

    def decoder(self) -> list[Mark]:
        """The states and words of all steps, pale: those of the chosen one are drawn over them."""
        marks: list[Mark] = []
        for t in range(len(self.trace.words) + 1):
            x = self.at(t)
            marks += [Box(x, STATES, self.box, color=PALE), Text(x, STATES, f"{self.letter}{_low(t)}", color=DIM)]
            if not t:
                continue
            token = self.trace.words[t - 1].token
            marks += [Text(x, WORDS, short(token, self.column), but=t, color=DIM, tip=token)]
            marks += [Arrow(self.at(t - 1) + self.box / 2, STATES, x - self.box / 2, STATES, color=PALE)]
            if self.luong:
                marks += [Box(x, OUTPUT, self.box, color=PALE), Text(x, OUTPUT, f"h̃{_low(t)}", color=DIM)]
        return marks

    def step(self, word: Word) -> list[Mark]:
        """All that is made in one step, in the order of the model; steps of the slider count from 1."""
        t = word.t + 1
        look = word.step.looks[0] if word.step.looks else None
        x, middle = self.at(t), self.at(t - 0.5)
        marks = self._flow(t, look, middle)
        context = look.context if look else self.trace.memory.states[-1]
        about = f"{'context' if look else 'the one vector'}: {_about(context)}"
        marks += [
            Box(middle, CONTEXT, 34, 26, color=BLUE, fill="#eef3fd", step=t, tip=about),
            Text(middle, CONTEXT, f"c{_low(t)}" if look else "c", bold=True, color=BLUE, step=t, tip=about),
            Text(x, WORDS, short(word.token, self.column), 15, True, color=BLUE, step=t, tip=self._said(word)),
        ]
        marks += self._luong(word, x, middle) if self.luong else self._bahdanau(word, x, middle)
        return marks

    def _flow(self, t: int, look: Look | None, middle: float) -> list[Mark]:
        """From the source to the context: a state as far as it is weighed, or the last one alone."""
        last = len(self.trace.source) - 1
        if look is None:
            return [Arrow(self.at(last), SOURCE - HALF, middle, CONTEXT + 14, THICKEST, step=t, color=BLUE)]
        marks: list[Mark] = []
        for s, weight in enumerate(look.weights.tolist()):
            tip = f"{self.trace.source[s]}: score {look.scores[s]:.4f}, weight {weight:.4f}"
            inside = bool(look.focus.inside[s])
            said = f"{weight:.2f}" if inside else "–"
            bold = weight >= 0.1
            marks.append(Text(self.at(s), WEIGHTS + 8, said, 12, bold, color=BLUE if bold else DIM, step=t, tip=tip))
            if inside and weight >= 0.005:
                width = max(1.0, THICKEST * weight)
                marks.append(Arrow(self.at(s), WEIGHTS - 2, middle, CONTEXT + 14, width, step=t, color=BLUE, tip=tip))
        return marks

    def _bahdanau(self, word: Word, x: float, middle: float) -> list[Mark]:
        """s_{i-1} looks; c goes to the word and into s_i. Without a look the one vector does."""
        t, before, half = word.t + 1, self.at(word.t), self.box / 2
        tip = f"s{_low(t - 1)}: {_about(word.step.looks[0].query)}" if self.looks else ""
        marks: list[Mark] = [
            *self._state(before, f"s{_low(t - 1)}", t, tip),
            *self._state(x, f"s{_low(t)}", t, ""),
            Arrow(before + half, STATES, x - half, STATES, step=t),
            Arrow(
                middle + 8,
                CONTEXT - 13,
                x - half + 6,
                STATES + HALF,
                2.5,
                step=t,
                color=BLUE,
                tip="c into the new state",
            ),
            Arrow(middle, CONTEXT - 13, x - 12, WORDS + 11, 2.5, step=t, color=BLUE, tip="c chooses the word"),
            Arrow(before + 6, STATES - HALF, x - 22, WORDS + 11, step=t, tip="the old state chooses the word"),
        ]
        if self.looks:
            marks.append(self._asks(before, middle, t))
        if self.config.update == "groundhog":
            marks.append(Arrow(x + 4, WORDS + 11, x + 4, STATES - HALF, step=t, tip="the word into the new state"))
        elif word.t:
            marks.append(
                Arrow(before, WORDS + 11, x - 8, STATES - HALF, step=t, tip="the word before into the new state")
            )
        return marks

    def _luong(self, word: Word, x: float, middle: float) -> list[Mark]:
        """h_t steps and looks; c and h_t make h~_t, which says the word and, with feeding, goes into the next step."""
        t, before, half = word.t + 1, self.at(word.t), self.box / 2
        state, output = word.step.looks[0].query, word.step.attentional
        marks: list[Mark] = [
            *self._state(x, f"h{_low(t)}", t, f"h{_low(t)}: {_about(state)}"),
            *self._state(x, f"h̃{_low(t)}", t, f"h̃{_low(t)}: {_about(output)}", OUTPUT),
            Arrow(before + half, STATES, x - half, STATES, step=t),
            self._asks(x, middle, t),
            Arrow(middle, CONTEXT - 13, x - half, OUTPUT + 8, 2.5, step=t, color=BLUE, tip="c into h̃"),
            Arrow(x, STATES - HALF, x, OUTPUT + HALF, step=t, tip="h into h̃"),
            Arrow(x, OUTPUT - HALF, x, WORDS + 11, step=t, tip="h̃ chooses the word"),
        ]
        if word.t:
            read = Arrow(
                before + 4, WORDS + 11, x - half + 6, STATES - HALF, step=t, color=DIM, tip="the word before is read"
            )
            marks.append(read)
        if self.config.feeding and word.t:
            tip = "input feeding: h̃ of the step before is read"
            fed = Arrow(before + half, OUTPUT + 8, x - half, STATES - 8, 2.5, step=t, color=ORANGE, tip=tip)
            marks += [fed, *self._state(before, f"h̃{_low(t - 1)}", t, tip, OUTPUT)]
        return marks

    def _asks(self, state: float, middle: float, t: int) -> Arrow:
        """The state that looks."""
        tip, side = "this state is compared with every encoder state", -1 if state > middle else 1
        return Arrow(state + side * 4, STATES + HALF, middle - side * 8, CONTEXT - 13, 1.5, True, step=t, tip=tip)

    def _state(self, x: float, name: str, t: int, tip: str, y: float = STATES) -> list[Mark]:
        return [Box(x, y, self.box, color=INK, step=t, tip=tip), Text(x, y, name, bold=True, step=t, tip=tip)]

    def _said(self, word: Word) -> str:
        return f"{word.token}: log p = {word.log_prob:.4f}"


def _low(number: int) -> str:
    """A number as an index."""
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def _about(vector: Float[Tensor, "n"]) -> str:
    return f"{vector.numel()} numbers, length {vector.norm():.3f}"
