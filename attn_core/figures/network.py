"""A model unrolled over a decoded sentence, as drawn in the papers: source below, target above, arrows between them.

Bahdanau 2015, Fig. 1; Luong 2015, Fig. 1 (without attention, one layer), 2 (global), 3 (local) and 4 (input feeding).
"""

from typing import Any

import altair as alt
from jaxtyping import Float
from torch import Tensor

from attn_core.attention.notation import BEFORE, Node
from attn_core.data.subwords import readable
from attn_core.explain.step_graph import flow
from attn_core.figures.sketch import Arrow, Box, Mark, Text, short, sketch
from attn_core.models.config import ModelConfig
from attn_core.palette import BLUE, BLUISH, DIM, INK, ORANGE, ORANGISH, PALE
from attn_core.trace import Look, Trace, Word

LEFT, WIDEST, COLUMN = 122, 900, (56, 88)  # pixels: left margin, maximum width, range of column widths
WORDS, OUTPUTS, STATES, CONTEXTS, WEIGHTS, SOURCE, READ = 22, 78, 146, 232, 296, 330, 378  # y of the rows
HEIGHT, HALF = 400, 14
THICKEST = 11.0  # width in pixels of an arrow with weight 1


def network(trace: Trace, config: ModelConfig, first: int = 0) -> alt.LayerChart:
    """The model unrolled over the sentence of `trace`; a slider selects the step t to draw, initially `first`.

    The arrows are those of `flow(config)`. The width of an arrow from the source shows the attention weight; tooltips
    have numbers. `config` is the model's. Subscripts and t count from 0, except for Bahdanau's i = t + 1, which counts
    from 1 as in the paper: s_0 is the initial state. Several layers share a row. Raises ValueError for an empty trace,
    for a step that does not exist, for a Transformer, for a config with another score, order or feeding than the trace,
    and for a trace with several looks per step.
    """
    if not trace.words:
        raise ValueError("the trace has no words to draw")
    if config["order"] == "transformer" or any(len(word.step.looks) > 1 for word in trace.words):
        raise ValueError(
            f"{trace.model} has several heads; this figure draws models with a recurrent decoder and one attention head"
        )
    for name in ("score", "order", "feeding"):
        wanted, there = trace.settings.get(name), config.decoder.feeding if name == "feeding" else config[name]
        if wanted != there:
            raise ValueError(
                f"config belongs to another model: it has {name} {there}, but the trace of {trace.model} has {wanted}"
            )
    n = max(len(trace.source), len(trace.words)) + 1
    page = _Page(trace, config, min(COLUMN[1], max(COLUMN[0], (WIDEST - LEFT) / n)))
    marks = [mark for word in trace.words for mark in page.window(word)]
    marks += [*page.rows(), *page.encoder(), *page.decoder()]
    marks += [mark for word in trace.words for mark in page.step(word)]
    return sketch(marks, LEFT + n * page.column, HEIGHT, len(trace.words), first)


class _Page:
    """The layout, and the marks of each part."""

    def __init__(self, trace: Trace, config: ModelConfig, column: float):
        self.trace, self.config, self.column = trace, config, column
        self.source, self.target = readable(trace.source), readable(trace.target)
        self.flow = flow(config)
        self.box = column * 0.6
        self.two_rows = any(Node.OUTPUT in arrow for arrow in self.flow)
        self.has_context = any(Node.CONTEXT in arrow for arrow in self.flow)
        names = {
            "update-then-attend": ("h", "h̃"),
            "attend-then-update": ("s", ""),
            "gnmt": ("h¹", f"h{_high(getattr(config.decoder, 'layers', 1))}"),
        }
        self.state, self.output = names[config["order"]]
        self.base = 1 if self.state == "s" else 0  # of the subscripts of decoding steps
        self.annotation = "h" if self.state == "s" else "h̄"  # Luong's decoder states are h
        # No state is computed from the last word.
        self.states = len(trace.words) - ((Node.WORD, Node.STATE) in self.flow)

    def at(self, place: float) -> float:
        """The centre of a column. Column 0 is that of the initial state and of the first source word."""
        return LEFT + (place + 0.5) * self.column

    def index(self, column: int) -> str:
        """The subscript of the state in a column, which is column - 1, the step, plus `base`."""
        return _low(column - 1 + self.base)

    def window(self, word: Word) -> list[Mark]:
        """A local window and its centre, drawn behind everything else."""
        if not word.step.looks or (place := word.step.looks[0].focus.center) is None:
            return []
        focus, t, top = word.step.looks[0].focus, word.t, WEIGHTS - 8
        center, seen = place.item(), focus.inside.nonzero().flatten().tolist()
        marks: list[Mark] = []
        if seen:
            middle, wide = self.at((seen[0] + seen[-1]) / 2), (seen[-1] - seen[0] + 1) * self.column
            tip = f"the window: {self.source[seen[0]]!r} to {self.source[seen[-1]]!r}"
            held: dict[str, Any] = {"color": ORANGE, "fill": ORANGISH, "step": t, "tip": tip}
            marks.append(Box(middle, (top + READ + 16) / 2, wide, READ + 16 - top, **held))
        x = self.at(center)
        style: dict[str, Any] = {"color": ORANGE, "step": t, "tip": f"p = {center:.4f}; positions count from 0"}
        return [*marks, Text(x, top - 22, f"p = {center:.2f}", 12, **style), Arrow(x, top - 14, x, top + 2, **style)]

    def rows(self) -> list[Mark]:
        """The labels of the rows."""
        states, outputs = "decoder states", "attentional vectors"
        if self.config["order"] == "gnmt":
            states, outputs = "bottom layer", "upper layers"
        names = {WORDS: "target words", STATES: states}
        names |= {CONTEXTS: "context"} if self.has_context else {}
        names |= {WEIGHTS: "weights"} if self.config["score"] else {}
        names |= {SOURCE: "encoder states", READ: "source words"}
        names |= {OUTPUTS: outputs} if self.two_rows else {}
        return [Text(LEFT - 12, y, name, 12, align="right", color=DIM) for y, name in names.items()]

    def encoder(self) -> list[Mark]:
        """The source words, their states, and the arrows of the encoder's directions."""
        marks: list[Mark] = []
        projected = self.config["values"] or (self.config.attention and self.config.attention.projected)
        what = "value" if projected else "state"
        there, back = self.config.encoder.reading
        for s, token in enumerate(self.source):
            state, x = self.trace.memory.states[s], self.at(s)
            tip = f"{what} of {token!r}: {_about(state)}"
            name = f"{self.annotation}{_low(s)}"
            marks += [Box(x, SOURCE, self.box, color=DIM, tip=tip), Text(x, SOURCE, name, tip=tip)]
            marks += [Text(x, READ, short(token, self.column), tip=token)]
            marks += [Arrow(x, READ - 11, x, SOURCE + HALF, color=PALE)]
            if s:
                left, right = self.at(s - 1) + self.box / 2, x - self.box / 2
                up = 5 if there and back else 0
                marks += [Arrow(left, SOURCE - up, right, SOURCE - up, color=DIM)] * there
                marks += [Arrow(right, SOURCE + up, left, SOURCE + up, color=DIM)] * back
        return marks

    def decoder(self) -> list[Mark]:
        """The states and words of all steps in pale colours; those of the selected step are drawn over them."""
        marks: list[Mark] = []
        for column in range(len(self.target) + 1):
            x, before = self.at(column), self.at(column - 1) + self.box / 2
            if column <= self.states:
                tip = "" if column else "the decoder's initial state, computed from the encoder's states"
                name = f"{self.state}{self.index(column)}"
                marks += [Box(x, STATES, self.box, color=PALE, tip=tip), Text(x, STATES, name, color=DIM, tip=tip)]
                if column and (Node.STATE_BEFORE, Node.STATE) in self.flow:
                    marks.append(Arrow(before, STATES, x - self.box / 2, STATES, color=PALE))
            if self.two_rows and (column or self.config["order"] == "gnmt"):
                name = f"{self.output}{self.index(column)}"
                marks += [Box(x, OUTPUTS, self.box, color=PALE), Text(x, OUTPUTS, name, color=DIM)]
                if column and (Node.OUTPUT_BEFORE, Node.OUTPUT) in self.flow:
                    marks.append(Arrow(before, OUTPUTS, x - self.box / 2, OUTPUTS, color=PALE))
            if column:
                token = self.target[column - 1]
                marks.append(Text(x, WORDS, short(token, self.column), but=column - 1, color=DIM, tip=token))
        return marks

    def step(self, word: Word) -> list[Mark]:
        """All vectors and arrows of one step."""
        t = word.t
        arrows = self.arrows(t)
        nodes = {node for arrow in arrows for node in arrow}
        marks = [*self._source_to_context(word), *(self._arrow(arrow, t) for arrow in sorted(arrows))]
        for node in sorted(nodes - {Node.WORD, Node.CONTEXT}):
            marks += self._node(node, t)
        token = self.target[t]
        tip = f"{token}: log p = {word.log_prob:.4f}"
        marks.append(Text(self.at(t + 1), WORDS, short(token, self.column), 15, True, color=BLUE, step=t, tip=tip))
        return marks

    def arrows(self, t: int) -> set[tuple[Node, Node]]:
        """The arrows of `flow` in step `t`; the first step has none from the vectors of a previous step."""
        absent = set()
        if t == 0:
            absent = {Node.CONTEXT_BEFORE} | ({Node.OUTPUT_BEFORE} if self.config["order"] != "gnmt" else set())
            absent |= {Node.WORD_BEFORE} if self.config["first_word"] == "zero" else set()
        return {arrow for arrow in self.flow if arrow[0] not in absent and (arrow[1] != Node.STATE or t < self.states)}

    def _source_to_context(self, word: Word) -> list[Mark]:
        """The context and the arrows to it: from each weighted state, or without attention from the last state,
        or from all states if the encoder has no last state.

        Empty for a decoder that has no context: Luong's base model gets the source through its initial state only.
        """
        if not self.has_context:
            return []
        t, middle = word.t, self.at(word.t + 0.5)
        if not word.step.looks:
            places, what = range(len(self.source)), "the mean encoder state"
            if self.config.encoder.final_states:
                last = (
                    0 if self.config.encoder.reverse else len(self.source) - 1
                )  # the last word that the encoder reads
                places, what = range(last, last + 1), _about(self.trace.memory.states[last])
            style: dict[str, Any] = {"step": t, "color": BLUE, "tip": f"context, the same at every step: {what}"}
            width = max(1.0, THICKEST / len(places))
            marks: list[Mark] = [
                Arrow(self.at(s), SOURCE - HALF, middle, CONTEXTS + 14, width, **style) for s in places
            ]
            return [*marks, *self._context(middle, "c", t, style["tip"])]
        look = word.step.looks[0]
        context = self._context(middle, f"c{self.index(t + 1)}", t, f"context: {_about(look.context)}")
        return [*self._weights(look, t, middle), *context]

    def _weights(self, look: Look, t: int, middle: float) -> list[Mark]:
        marks: list[Mark] = []
        for s, weight in enumerate(look.weights.tolist()):
            tip = f"{self.source[s]}: score {look.scores[s]:.4f}, weight {weight:.4f}"
            inside = bool(look.focus.inside[s])
            text = f"{weight:.2f}" if inside else "–"
            bold = weight >= 0.1
            marks.append(Text(self.at(s), WEIGHTS + 8, text, 12, bold, color=BLUE if bold else DIM, step=t, tip=tip))
            if inside and weight >= 0.005:
                width = max(1.0, THICKEST * weight)
                marks.append(Arrow(self.at(s), WEIGHTS - 2, middle, CONTEXTS + 14, width, step=t, color=BLUE, tip=tip))
        return marks

    def _context(self, x: float, name: str, t: int, tip: str) -> list[Mark]:
        box = Box(x, CONTEXTS, 34, 26, color=BLUE, fill=BLUISH, step=t, tip=tip)
        return [box, Text(x, CONTEXTS, name, bold=True, color=BLUE, step=t, tip=tip)]

    def _node(self, node: Node, t: int) -> list[Mark]:
        """A vector of step `t`, or of the previous step."""
        column = t if node in BEFORE.values() else t + 1
        x, index = self.at(column), self.index(column)
        if node == Node.CONTEXT_BEFORE:
            return self._context(self.at(column - 0.5), f"c{index}", t, "the previous step's context")
        if node == Node.WORD_BEFORE:
            return [] if column else [Text(x, WORDS, "<s>", color=DIM, step=t, tip="the start symbol")]
        y, letter = (STATES, self.state) if node in (Node.STATE, Node.STATE_BEFORE) else (OUTPUTS, self.output)
        vector = self._vector(node, t)
        name = f"{letter}{index}"
        tip = name if vector is None else f"{name}: {_about(vector)}"
        return [Box(x, y, self.box, color=INK, step=t, tip=tip), Text(x, y, name, bold=True, step=t, tip=tip)]

    def _vector(self, node: Node, t: int) -> Float[Tensor, "n"] | None:
        """The recorded vector of a node in step `t`, if any."""
        step = self.trace.words[t].step
        if node == Node.OUTPUT:
            return step.attentional
        if self.config["order"] == "gnmt":
            return None
        current = self.config["order"] == "update-then-attend" or self.config["readout"] == "s_cur"
        return step.hidden if node == (Node.STATE if current else Node.STATE_BEFORE) else None

    def _arrow(self, arrow: tuple[Node, Node], t: int) -> Arrow:
        x, before, middle, half = self.at(t + 1), self.at(t), self.at(t + 0.5), self.box / 2
        ends = {
            (Node.WORD_BEFORE, Node.STATE): (before + 4, WORDS + 11, x - half + 6, STATES - HALF),
            (Node.STATE_BEFORE, Node.STATE): (before + half, STATES, x - half, STATES),
            (Node.CONTEXT_BEFORE, Node.STATE): (middle - self.column + 14, CONTEXTS - 13, x - half, STATES + 8),
            (Node.OUTPUT_BEFORE, Node.STATE): (before + half, OUTPUTS + 8, x - half, STATES - 8),
            (Node.WORD, Node.STATE): (x + 4, WORDS + 11, x + 4, STATES - HALF),
            (Node.CONTEXT, Node.STATE): (middle + 8, CONTEXTS - 13, x - half + 6, STATES + HALF),
            (Node.WORD_BEFORE, Node.CONTEXT): (before + 10, WORDS + 11, middle, CONTEXTS - 13),
            (Node.STATE_BEFORE, Node.CONTEXT): (before + 4, STATES + HALF, middle - 8, CONTEXTS - 13),
            (Node.STATE, Node.CONTEXT): (x - 4, STATES + HALF, middle + 8, CONTEXTS - 13),
            (Node.STATE, Node.OUTPUT): (x, STATES - HALF, x, OUTPUTS + HALF),
            (Node.CONTEXT, Node.OUTPUT): (middle, CONTEXTS - 13, x - half, OUTPUTS + 8),
            (Node.OUTPUT_BEFORE, Node.OUTPUT): (before + half, OUTPUTS, x - half, OUTPUTS),
            (Node.OUTPUT, Node.WORD): (x, OUTPUTS - HALF, x, WORDS + 11),
            (Node.STATE, Node.WORD): (x, STATES - HALF, x, WORDS + 11),
            (Node.STATE_BEFORE, Node.WORD): (before + 6, STATES - HALF, x - 22, WORDS + 11),
            (Node.CONTEXT, Node.WORD): (middle, CONTEXTS - 13, x - 12, WORDS + 11),
            (Node.WORD_BEFORE, Node.WORD): (before + 8, WORDS + 13, x - 26, WORDS + 13),
        }
        width, color = 1.5, INK
        if arrow[0] in (Node.CONTEXT, Node.CONTEXT_BEFORE):
            width, color = 2.5, BLUE
        elif arrow == (Node.OUTPUT_BEFORE, Node.STATE):
            width, color = 3.5, INK
        elif arrow[0] == Node.WORD_BEFORE:
            color = DIM
        return Arrow(*ends[arrow], width, arrow[1] == Node.CONTEXT, step=t, color=color, tip=self._tip(arrow))

    def _tip(self, arrow: tuple[Node, Node]) -> str:
        start, end = arrow
        if end == Node.CONTEXT and self.config["score"] == "location":
            return "the query: it determines the weight of each position"
        if end == Node.CONTEXT:
            return "the query: it is compared with every encoder state"
        if arrow == (Node.OUTPUT_BEFORE, Node.STATE):
            return "input feeding: the previous h̃ is an input of the new state"
        output = "attentional vector" if self.config["order"] == "update-then-attend" else "upper layers"
        names = {Node.STATE: "state", Node.WORD: "word", Node.CONTEXT: "context", Node.OUTPUT: output}
        names |= {BEFORE[node]: f"previous {name}" for node, name in names.items()}
        return f"from the {names[start]} to the {names[end]}"


def _low(number: int) -> str:
    """A number as a subscript."""
    return str(number).translate(str.maketrans("-0123456789", "₋₀₁₂₃₄₅₆₇₈₉"))


def _high(number: int) -> str:
    """A number as a superscript."""
    return str(number).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _about(vector: Float[Tensor, "n"]) -> str:
    return f"{vector.numel()} units, norm {vector.norm():.3f}"
