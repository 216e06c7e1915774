"""Made-up problems over numbers whose answer is a choice among the inputs: what a pointer network learns.

`PROBLEMS` is their registry. An answer is a list of positions in the input, from 0.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from jaxtyping import Float

from attn_core.registry import Registry

PROBLEMS: "Registry[Problem]" = Registry("problem")

Point = Sequence[float]


class Problem:
    """A problem: how to draw inputs, what their answer is, and how good an output is."""

    name: ClassVar[str]
    formula: ClassVar[str]
    inputs: ClassVar[int]  # numbers in one input
    least: ClassVar[int] = 1  # inputs that it takes to have an answer
    what: ClassVar[str]  # the problem in a word or two, before "of 5 to 10"
    measures: ClassVar[tuple[str, ...]]  # what `measure` gives

    def draw(self, count: int, n: int, dice: np.random.Generator) -> Float[np.ndarray, "count n d"]:
        """`count` inputs of `n` points, uniform in the unit square, or on the unit line; float32."""
        return dice.random((count, n, self.inputs), dtype=np.float32)

    def answer(self, inputs: Sequence[Point]) -> list[int]:
        """The answer that is trained on."""
        raise NotImplementedError

    def measure(self, inputs: Sequence[Sequence[Point]], said: Sequence[Sequence[int]]) -> dict[str, float | None]:
        """Measures of outputs, `accuracy` among them: the share that is exactly right."""
        raise NotImplementedError

    def label(self, point: Point, position: int) -> str:
        """What an input is called in a record."""
        raise NotImplementedError


@PROBLEMS.add("sort")
class SortNumbers(Problem):
    """Numbers from 0 to 1, to be pointed at in rising order.

    `accuracy`: the share that is in order throughout; `places`: the share of places with the right number.
    """

    formula = r"x_{C_1} \le x_{C_2} \le \dots \le x_{C_n}"

    inputs = 1
    what = "sorting"
    measures = ("accuracy", "places")

    def answer(self, inputs: Sequence[Point]) -> list[int]:
        return sorted(range(len(inputs)), key=lambda i: inputs[i][0])

    def measure(self, inputs: Sequence[Sequence[Point]], said: Sequence[Sequence[int]]) -> dict[str, float | None]:
        exact = places = 0
        for numbers, output in zip(inputs, said, strict=True):
            gold = self.answer(numbers)
            exact += list(output) == gold
            places += sum(x == y for x, y in zip(gold, output, strict=False))
        return {"accuracy": exact / len(inputs), "places": places / sum(map(len, inputs))}

    def label(self, point: Point, position: int) -> str:
        return f"{point[0]:.3f}"


@PROBLEMS.add("hull")
class ConvexHull(Problem):
    """Points in the unit square, of which to walk those on the convex hull (Vinyals 2015, section 3.1).

    The answer goes counter-clockwise from the corner that was read first. The measures are the paper's (section 4.2):
    `accuracy`, the share of outputs that are the same polygon as the hull, wherever and in whichever direction they
    begin; `area`, the mean share of the hull's area that the valid outputs cover; `invalid`, the share of outputs
    that cross or touch themselves or have no area. With more than 1% invalid the area is None: FAIL in the paper.
    """

    formula = r"C = \operatorname{hull}(P)"

    inputs = 2
    least = 3
    what = "convex hulls"
    measures = ("accuracy", "area", "invalid")
    most_invalid = 0.01

    def answer(self, inputs: Sequence[Point]) -> list[int]:
        corners = hull(inputs)
        first = corners.index(min(corners))
        return corners[first:] + corners[:first]

    def measure(self, inputs: Sequence[Sequence[Point]], said: Sequence[Sequence[int]]) -> dict[str, float | None]:
        exact, covered = 0, []
        for points, output in zip(inputs, said, strict=True):
            gold = self.answer(points)
            exact += same_polygon(gold, output)
            walk = [points[i] for i in output]
            if is_simple(walk):
                covered.append(abs(area(walk)) / area([points[i] for i in gold]))
        invalid = 1 - len(covered) / len(inputs)
        mean = sum(covered) / len(covered) if covered else 0.0
        return {
            "accuracy": exact / len(inputs),
            "area": mean if invalid <= self.most_invalid else None,
            "invalid": invalid,
        }

    def label(self, point: Point, position: int) -> str:
        return str(position + 1)


def turn(a: Point, b: Point, c: Point) -> float:
    """Twice the area of the triangle a b c: above 0 where the walk turns left, below 0 where it turns right."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def hull(points: Sequence[Point]) -> list[int]:
    """Positions of the corners of the convex hull, counter-clockwise (Andrew 1979, the monotone chain).

    Points on an edge between two corners are no corners.
    """
    order = sorted(range(len(points)), key=lambda i: (points[i][0], points[i][1]))

    def chain(walk: Sequence[int]) -> list[int]:
        kept: list[int] = []
        for i in walk:
            while len(kept) > 1 and turn(points[kept[-2]], points[kept[-1]], points[i]) <= 0:
                kept.pop()
            kept.append(i)
        return kept[:-1]

    return chain(order) + chain(order[::-1])


def area(polygon: Sequence[Point]) -> float:
    """The signed area of a polygon by the shoelace formula: above 0 counter-clockwise."""
    turns = zip(polygon, [*polygon[1:], *polygon[:1]], strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in turns) / 2


def is_simple(polygon: Sequence[Point]) -> bool:
    """Whether a closed walk is a polygon: three corners or more, some area, and no edge that meets another one."""
    n = len(polygon)
    corners = [tuple(corner) for corner in polygon]
    if n < 3 or len(set(corners)) < n or area(corners) == 0:
        return False
    edges = [(corners[i], corners[(i + 1) % n]) for i in range(n)]
    apart = ((i, j) for i in range(n) for j in range(i + 2, n) if (i, j) != (0, n - 1))
    folded = any(_folds(*edges[i], edges[(i + 1) % n][1]) for i in range(n))
    return not folded and not any(_meet(*edges[i], *edges[j]) for i, j in apart)


def _folds(a: Point, b: Point, c: Point) -> bool:
    """Whether the walk a b c goes back the way it came."""
    return turn(a, b, c) == 0 and (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]) > 0


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the segments a b and c d have a point in common."""
    of_c, of_d, of_a, of_b = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
    if ((of_c > 0) != (of_d > 0)) and ((of_a > 0) != (of_b > 0)) and 0 not in (of_a, of_b, of_c, of_d):
        return True
    on = ((of_c, a, b, c), (of_d, a, b, d), (of_a, c, d, a), (of_b, c, d, b))
    return any(side == 0 and _between(p, q, x) for side, p, q, x in on)


def _between(p: Point, q: Point, x: Point) -> bool:
    """Whether x, on the line through p and q, lies between them."""
    return all(min(p[k], q[k]) <= x[k] <= max(p[k], q[k]) for k in (0, 1))


def same_polygon(gold: Sequence[int], said: Sequence[int]) -> bool:
    """Whether two closed walks over positions are the same but for where they start and which way they go."""
    if len(gold) != len(said) or set(gold) != set(said):
        return False
    first = list(said).index(gold[0])
    turned = [*said[first:], *said[:first]]
    return turned in (list(gold), [gold[0], *list(gold)[:0:-1]])
