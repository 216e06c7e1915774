"""Problems for pointer networks: the answer is a sequence of inputs.

`PROBLEMS` is their registry. An answer is a list of input positions, counted from 0.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from jaxtyping import Float

from attn_core.registry import Registry

PROBLEMS: "Registry[Problem]" = Registry("problem")

Point = Sequence[float]


class Problem:
    """A problem: draws inputs, computes their answer, and scores outputs."""

    name: ClassVar[str]
    formula: ClassVar[str]
    inputs: ClassVar[int]  # numbers in one input
    least: ClassVar[int] = 1  # smallest number of inputs
    what: ClassVar[str]  # the problem in words, with {} for the number of inputs
    measures: ClassVar[tuple[str, ...]]  # names of the numbers that `measure` returns

    def draw(self, count: int, n: int, dice: np.random.Generator) -> Float[np.ndarray, "count n d"]:
        """`count` inputs of `n` points, uniform in the unit square, or on the unit line; float32."""
        return dice.random((count, n, self.inputs), dtype=np.float32)

    def answer(self, inputs: Sequence[Point]) -> list[int]:
        """The correct answer, used in training."""
        raise NotImplementedError

    def measure(self, inputs: Sequence[Sequence[Point]], outputs: Sequence[Sequence[int]]) -> dict[str, float | None]:
        """Scores of the outputs, by name; `accuracy` is the share of exactly correct ones."""
        raise NotImplementedError

    def label(self, point: Point, position: int) -> str:
        """The token of an input in a trace."""
        raise NotImplementedError


@PROBLEMS.add("sort")
class SortNumbers(Problem):
    """Sort numbers from 0 to 1 in increasing order.

    `accuracy`: share of completely sorted outputs; `places`: share of places with the correct number.
    """

    formula = r"x_{C_1} \le x_{C_2} \le \dots \le x_{C_n}"

    inputs = 1
    what = "sorting of {} numbers"
    measures = ("accuracy", "places")

    def answer(self, inputs: Sequence[Point]) -> list[int]:
        return sorted(range(len(inputs)), key=lambda i: inputs[i][0])

    def measure(self, inputs: Sequence[Sequence[Point]], outputs: Sequence[Sequence[int]]) -> dict[str, float | None]:
        exact = places = 0
        for numbers, output in zip(inputs, outputs, strict=True):
            gold = self.answer(numbers)
            exact += list(output) == gold
            places += sum(x == y for x, y in zip(gold, output, strict=False))
        return {"accuracy": exact / len(inputs), "places": places / sum(map(len, inputs))}

    def label(self, point: Point, position: int) -> str:
        return f"{point[0]:.3f}"


@PROBLEMS.add("hull")
class ConvexHull(Problem):
    """Convex hull of points in the unit square (Vinyals 2015, section 3.1).

    The answer lists the corners counter-clockwise, starting with the one that comes first in the input. The measures
    are the paper's (section 4.2): `accuracy`, the share of outputs that are the hull, from any corner in either
    direction; `area`, the mean share of the hull's area that the valid outputs cover; `invalid`, the share of outputs
    that cross or touch themselves or have no area. With more than 1% invalid outputs the area is None (FAIL in the
    paper).
    """

    formula = r"C = \operatorname{hull}(P)"

    inputs = 2
    least = 3
    what = "convex hulls of {} points"
    measures = ("accuracy", "area", "invalid")
    most_invalid = 0.01

    def answer(self, inputs: Sequence[Point]) -> list[int]:
        corners = hull(inputs)
        first = corners.index(min(corners))
        return corners[first:] + corners[:first]

    def measure(self, inputs: Sequence[Sequence[Point]], outputs: Sequence[Sequence[int]]) -> dict[str, float | None]:
        exact, covered = 0, []
        for points, output in zip(inputs, outputs, strict=True):
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
    """Twice the signed area of the triangle a b c: positive for a left turn, negative for a right turn."""
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
    """Whether a closed walk is a simple polygon: at least three corners, non-zero area, no edges that meet."""
    n = len(polygon)
    corners = [tuple(corner) for corner in polygon]
    if n < 3 or len(set(corners)) < n or area(corners) == 0:
        return False
    edges = [(corners[i], corners[(i + 1) % n]) for i in range(n)]
    apart = ((i, j) for i in range(n) for j in range(i + 2, n) if (i, j) != (0, n - 1))
    folded = any(_folds(*edges[i], edges[(i + 1) % n][1]) for i in range(n))
    return not folded and not any(_meet(*edges[i], *edges[j]) for i, j in apart)


def _folds(a: Point, b: Point, c: Point) -> bool:
    """Whether the walk a b c reverses its direction at b."""
    return turn(a, b, c) == 0 and (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]) > 0


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the segments ab and cd share a point."""
    of_c, of_d, of_a, of_b = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
    if ((of_c > 0) != (of_d > 0)) and ((of_a > 0) != (of_b > 0)) and 0 not in (of_a, of_b, of_c, of_d):
        return True
    on = ((of_c, a, b, c), (of_d, a, b, d), (of_a, c, d, a), (of_b, c, d, b))
    return any(side == 0 and _between(p, q, x) for side, p, q, x in on)


def _between(p: Point, q: Point, x: Point) -> bool:
    """Whether x, on the line through p and q, lies between them."""
    return all(min(p[k], q[k]) <= x[k] <= max(p[k], q[k]) for k in (0, 1))


def same_polygon(gold: Sequence[int], output: Sequence[int]) -> bool:
    """Whether two closed walks over positions are equal up to their start and direction."""
    if len(gold) != len(output) or set(gold) != set(output):
        return False
    first = list(output).index(gold[0])
    turned = [*output[first:], *output[:first]]
    return turned in (list(gold), [gold[0], *list(gold)[:0:-1]])
