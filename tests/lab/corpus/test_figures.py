"""The figures of the Corpus page by hand: bars, marks, examples, heads, CSV, and the address of an example."""

import csv
import io
import math
from urllib.parse import parse_qs, urlsplit

import pytest

# Two steps over three words, and one step over two words; by [row][column].
FIRST, SECOND = [[0.5, 0.5, 0.0], [0.0, 0.25, 0.75]], [[0.25, 0.75]]
SENTENCES = """
((arrays) => input.map(({ text, source, target, rows, kinds, heads = 1, local, listed = true }, i) => ({
  line: { number: i + 1, text }, forced: null,
  kinds: { source: kinds, inputs: [] }, listed: { source: listed, inputs: listed },
  weighed: { source, target, unknown: [], decoder: null, encoder: null,
    ...(local ? { local: arrays(local) } : {}),
    cross: { rows: rows.length / heads, heads, columns: source.length, weights: Float32Array.from(rows.flat()) } },
})))((named) => Object.fromEntries(Object.entries(named).map(([name, values]) => [name, Float32Array.from(values)])))
"""
SHOWN = '{ attention: "cross", head: null }'


def sentences() -> list[dict]:
    kinds = ["function", "content", "punctuation"]
    first = {"text": "Der Hund.", "source": ["der", "hund", "."], "target": ["a", "dog"], "rows": FIRST, "kinds": kinds}
    second = {"text": 'Ein "Hund', "source": ["ein", "hund"], "target": ["cat"], "rows": SECOND, "kinds": kinds[:2]}
    return [first, second]


def tallied(run, key: str, given=None) -> dict:
    figure = f'js.FIGURES.find(({{ key }}) => key === "{key}")'
    expression = f"""((figure, sentences) => {{
      const tally = js.emptyTally(figure);
      for (const one of sentences) js.countFigure(tally, figure, one, {SHOWN});
      return {{ ...tally, finding: figure.finding(tally) }};
    }})({figure}, {SENTENCES})"""
    return run(expression, given or sentences())


def test_weight_is_counted_by_distance(run):
    """s - t: 0.5 + 0.25 + 0.25 on 0, 0.5 + 0.75 + 0.75 on +1, none elsewhere; uniform: 2/3 + 1/2 on 0."""
    found = tallied(run, "distance")
    assert found["bars"][7:11] == pytest.approx([0, 1, 2, 0])
    assert sum(found["bars"]) == pytest.approx(3)
    assert found["marks"][7:11] == pytest.approx([1 / 3, 2 / 3 + 1 / 2, 2 / 3 + 1 / 2, 1 / 3])
    assert found["finding"].startswith("100% of the weight")


def test_entropy_is_counted_by_step_beside_that_of_uniform_weights(run):
    found = tallied(run, "entropy")
    nats = [math.log(2), *[-0.25 * math.log(0.25) - 0.75 * math.log(0.75)] * 2]  # 0.69, 0.56, 0.56
    assert found["bars"][2] == 3
    assert found["sum"] == pytest.approx(sum(nats))
    assert found["markSum"] == pytest.approx(2 * math.log(3) + math.log(2))
    assert f"{sum(nats) / 3:.2f}" in found["finding"]


def test_coverage_is_counted_by_word(run):
    """0.5, 0.75, 0.75 and 0.25, 0.75: mean 0.6, standard deviation 0.2."""
    found = tallied(run, "coverage")
    assert found["bars"][:4] == [0, 1, 1, 3]
    assert "0.60 on average" in found["finding"]
    assert "0.20" in found["finding"]


def test_weight_is_counted_by_kind_of_word(run):
    found = tallied(run, "kinds")
    assert found["bars"] == pytest.approx([0.75, 1.5, 0.75, 0, 0])
    assert found["marks"] == pytest.approx([2 / 3 + 1 / 2, 2 / 3 + 1 / 2, 2 / 3, 0, 0])


def test_kinds_are_not_counted_without_a_list_of_function_words(run):
    unlisted = [one | {"listed": False} for one in sentences()]
    assert tallied(run, "kinds", unlisted)["amount"] == 0
    first = next(csv.DictReader(io.StringIO(run(f"js.csvOf({SENTENCES}, {SHOWN})", unlisted))))
    assert (first["weight_function"], first["weight_punctuation"]) == ("", "0")


def test_a_window_is_counted_where_there_is_one(run):
    assert tallied(run, "lost")["amount"] == 0
    first = sentences()[0] | {"local": {"centers": [1.4, 1.5], "lost": [0.3, 0.0], "outside": [0.05, 1.0]}}
    assert tallied(run, "lost", [first])["bars"] == [1, 0, 0, 1, 0, 0, 0, 0, 0, 0]  # 0.3 belongs to 0.3 to 0.4
    assert tallied(run, "outside", [first])["bars"] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert tallied(run, "gap", [first])["bars"][:4] == [0, 1, 1, 0]  # |1.4 - 0| in 1 to 1.5, |1.5 - 2| in 0.5 to 1


@pytest.mark.parametrize(("value", "bin"), [(0, 0), (0.3, 3), (0.299, 2), (1.0, 9), (-0.01, 0)])
def test_a_value_on_the_edge_of_two_bars_belongs_to_the_upper_one(run, value, bin):
    assert run("js.binOf({ from: 0, width: 0.1, count: 10 }, input)", value) == bin  # 0.3 / 0.1 is below 3


def test_examples_of_a_bar_are_sorted_by_the_measure(run):
    brief = "({ amount, row, sentence }) => [amount, row, sentence.line.number]"
    expression = f"js.examplesIn(js.FIGURES[0], {SENTENCES}, {SHOWN}, 9).map({brief})"
    assert run(expression, sentences()) == [[0.75, 1, 1], [0.75, 0, 2], [0.5, 0, 1]]
    empty = f"js.examplesIn(js.FIGURES[0], {SENTENCES}, {SHOWN}, 0)"
    assert run(empty, sentences()) == []


def test_heads_are_measured_by_themselves_and_shown_as_their_mean(run):
    """Two heads of one step: all weight on the previous position, and all on the next one."""
    rows = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    given = [sentences()[0] | {"heads": 2, "rows": rows}]
    means = """((sentences, measure) => {
      const means = js.emptyMeans(2);
      for (const one of sentences) js.countHeads(means, measure, one, "cross");
      return means.map(({ sum, rows }) => [sum, rows]);
    })"""
    measure = 'js.MEASURES.find(({ key }) => key === "%s")'
    assert run(f"{means}({SENTENCES}, {measure % 'previous'})", given) == [[1, 1], [0, 1]]  # step 0 has no previous one
    assert run(f"{means}({SENTENCES}, {measure % 'last'})", given) == [[0, 2], [2, 2]]
    assert run(f"{means}({SENTENCES}, {measure % 'distance'})", given) == [[0 + 1, 2], [2 + 1, 2]]
    mean = f"js.attentionRows({SENTENCES}[0], {SHOWN}).rows.map((row) => [...row])"
    assert run(mean, given) == [[0.5, 0, 0.5]] * 2


def test_the_csv_has_a_line_for_each_step(run):
    text = run(f"js.csvOf({SENTENCES}.reverse(), {SHOWN})", sentences())
    lines = list(csv.DictReader(io.StringIO(text)))
    assert [(one["line"], one["row"], one["word"], one["largest_word"]) for one in lines] == [
        ("1", "0", "a", "der"),
        ("1", "1", "dog", "."),
        ("2", "0", "cat", "hund"),
    ]
    assert lines[2]["sentence"] == 'Ein "Hund'
    assert [float(one["mean_distance"]) for one in lines] == [0.5, 0.75, 0.75]
    assert float(lines[0]["entropy_nats"]) == pytest.approx(math.log(2), rel=1e-6)
    assert (lines[0]["p_t"], lines[0]["weight_function"], lines[0]["sentence_aer"]) == ("", "0.5", "")


def test_the_mean_distance_in_the_csv_is_that_of_a_unit_of_weight(run):
    """A Gaussian takes weight from a row, or all of it."""
    first = sentences()[0] | {"rows": [[0.25, 0.25, 0.0], [0.0, 0.0, 0.0]]}
    lines = list(csv.DictReader(io.StringIO(run(f"js.csvOf({SENTENCES}, {SHOWN})", [first]))))
    assert [(one["weight_sum"], one["mean_distance"]) for one in lines] == [("0.5", "0.5"), ("0", "")]


def test_an_example_opens_its_sentence_model_and_step(run):
    given = {
        "example": {"sentence": {"line": {"text": "Der Hund & die Katze"}}, "row": 3},
        "cross": {"model": "m", "how": {"half_width": 2}, "choice": {"attention": "cross", "head": 1}},
        "own": {"model": "m", "how": {}, "choice": {"attention": "encoder", "head": 1}},
    }
    heads = "heads: [[0, 0], [0, 1]], path: '/below/corpus.html'"
    address = run(f"js.addressOf(input.example, {{ ...input.cross, {heads} }})", given)
    assert address.startswith("./?")
    said = {"text": "Der Hund & die Katze", "model": "m", "step": "3", "layer": "0", "head": "1", "D": "2"}
    assert {name: value for name, (value,) in parse_qs(urlsplit(address).query).items()} == said
    address = run(f"js.addressOf(input.example, {{ ...input.own, {heads} }})", given)
    assert address.startswith("heads.html?heads_text=Der+Hund")
    assert "heads_attention=encoder&heads_layer=0&heads_head=1" in address


READ = """((bytes) => {
  try { return js.readText("my.txt", Uint8Array.from(bytes)); } catch (error) { return error.message; }
})(input)"""


def test_a_file_is_read_line_by_line(run):
    found = run(READ, list("\ufeffEins.\r\n\r\n  Zwei.\n".encode()))
    assert found["lines"] == [{"number": 1, "text": "Eins."}, {"number": 3, "text": "Zwei."}]
    assert (found["more"], found["long"]) == (0, [])


def test_lines_beyond_the_limits_are_counted(run):
    lines = ["x" * 1001, *["Ein Hund."] * 1004]
    found = run(READ, list("\n".join(lines).encode()))
    assert (len(found["lines"]), found["more"]) == (999, 5)
    assert [one["number"] for one in found["long"]] == [1]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "my.txt has no text"),
        (b" \n\n", "my.txt has no text"),
        (b"\x89PNG\r\n\x1a\n\0\0", "my.txt is not UTF-8 text"),
        (b"a\0b", "my.txt is not UTF-8 text"),
        ("Mädchen".encode("latin-1"), "my.txt is not UTF-8 text"),
        (b"x" * 2_000_001, "my.txt is 2.0 MB; the limit is 2 MB"),
    ],
    ids=["empty", "blank", "picture", "zero", "latin-1", "large"],
)
def test_a_file_that_cannot_be_used_is_named(run, content, said):
    found = run(READ, list(content))
    assert found.startswith(said)
    assert "Choose" in found
