"""The data of the Results page: of each table of the papers its rows, a figure and its claims; the cards' evidence."""

import math
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from app.lab.kit.evidence import Bars, Block, Caption, Drawing, Finding, Folded, Table, Text, table
from attn_core.data.captions import captions
from attn_core.data.language import LANGUAGES
from attn_core.evaluation import paper_tables
from attn_core.evaluation.paper_tables import TABLES
from attn_core.evaluation.paper_tables.table import (
    DIFFERENCES,
    DIGITS,
    LEAST_SEEDS,
    LENGTHS,
    Claim,
    Row,
    judged,
    verdict,
)
from attn_core.evaluation.shipped_alignment import MODELS, Direction, shipped_alignment
from attn_core.evaluation.variants.claims import tested
from attn_core.evaluation.variants.results import signed
from attn_core.messages import N_, _, ngettext

MEASURES = {
    "bleu": N_("BLEU"),
    "bleu_unk": N_("BLEU (unk)"),
    "perplexity": N_("Perplexity"),
    "aer": N_("AER"),
    "aer_own": N_("AER, own step"),
}
NO_VERDICT = ("none", "few")  # verdicts that say only that there are too few runs
MARKS = {"none": "○", "few": "◔", "mixed": "–", "reproduced": "✓", "contradicted": "✗", "undecided": "?"}
MUCH = {"bleu": 2.0, "aer": 0.05}  # between the seeds of a row
FIGURE = {"ladder": "bleu", "grid": "bleu", "aer": "aer", "length": "bleu"}  # the measure in the figure


def blocks(name: str) -> Iterator[Block]:
    """The parts of a table."""
    table = TABLES[name]
    results = paper_tables.measured(table)
    rows = results["rows"] if results else {}
    if not rows:
        yield Text(_("**Not measured here yet.** The paper's numbers:"))
    yield _rows(table, rows)
    if rows:
        yield _figure(table, rows)
    if table.groups and any(row.get("groups") for row in rows.values()):
        yield Text(_("**BLEU by length of the source sentence**"))
        yield _lengths(table, rows)
    if curves := {_(row.title): rows[row.name]["curve"] for row in _distinct(table, rows)}:
        yield Text(_("**Learning curves** (Luong 2015, Figure 5)"))
        yield _curves(curves)
    yield from _claims(table, results)
    measured = (Caption(_conditions(table, results)),) if results else ()
    yield Folded(_("What is compared, and how it was measured"), (Text(_(table.about)), *measured))


ladder, grid, aer, length = (partial(blocks, name) for name in ("ladder", "grid", "aer", "length"))


def shipped() -> Iterator[Block]:
    """The alignment error rates of the shipped models."""
    columns = (_("Direction"), _("Sentence pairs"), *MODELS)
    lines = []
    for row in shipped_alignment():
        rates = ("–" if row.rates[model] is None else f"{row.rates[model]:.2f}" for model in MODELS)
        lines.append((_direction(row), str(row.pairs), *rates))
    yield Table(columns, tuple(lines), stacked=True)
    yield Caption(
        _(
            "Compare models within a row only: the rows differ in languages and in sentences. Each rate was measured "
            "on few pairs, so small differences may be due to chance. A dash: not trained yet, or not measured. "
            "Alignment error rate (AER, lower is better) in forced decoding: the decoder reads the reference instead "
            "of its own words, and each target word is linked to the source word with the largest weight at the step "
            "that predicts it. We made the gold links ourselves, for single sentences. The rates come from the "
            "models' cards."
        )
    )


def _direction(row: Direction) -> str:
    source, target = (_(LANGUAGES[code]) for code in row.languages)
    return _("{source} to {target}").format(source=source, target=target)


def _rows(table: paper_tables.Table, rows: dict[str, Any]) -> Table:
    """Each measure here, with its interval, beside the paper's; without runs, the paper's only."""
    columns = ["", *([_("Runs")] if rows else [])]
    for measure in table.columns:
        columns += [_(MEASURES[measure])] if rows else []
        if any(measure in row.paper for row in table.rows):
            columns.append(_("{measure}, paper").format(measure=_(MEASURES[measure])))
    lines = []
    for row in table.rows:
        own = rows.get(row.name, {})
        line = [_(row.title), *([_runs(own)] if rows else [])]
        for measure in table.columns:
            line += [_cell(own.get(measure), measure)] if rows else []
            if any(measure in any_row.paper for any_row in table.rows):
                line.append(row.in_paper(measure))
        lines.append(tuple(line))
    return Table(tuple(columns), tuple(lines))


def _runs(own: dict[str, Any]) -> str:
    """The number of a row's runs, each with a seed of its own; an ensemble is one run."""
    if "members" in own:
        return _("{n} (of {members} models)").format(n=own["seeds"], members=own["members"])
    return str(own.get("seeds", 0))


def _cell(number: dict[str, Any] | None, measure: str) -> str:
    if number is None:
        return "–"
    mean, low, high = (f"{number[key]:.{DIGITS[measure]}f}" for key in ("mean", "low", "high"))
    return _("{mean} ({low}\u00a0to\u00a0{high})").format(mean=mean, low=low, high=high)


def _figure(table: paper_tables.Table, rows: dict[str, Any]) -> Drawing:
    measure = FIGURE[table.name]
    shown = []
    for row in table.rows:
        value = row.paper.get(measure)
        number = rows.get(row.name, {}).get(measure)
        if number or isinstance(value, float):
            own = {"name": _(row.title), "paper": value if isinstance(value, float) else None}
            shown.append(own | {"in paper": row.in_paper(measure)} | (number or {}))
    words = "; ".join(
        _("{name}: {here} here, {paper} in the paper").format(
            name=row["name"],
            here=_cell(row if "mean" in row else None, measure),
            paper=row["in paper"],
        )
        for row in shown
    )
    return Drawing("app.lab.results.chart:beside", (shown, _(MEASURES[measure])), words)


def _lengths(table: paper_tables.Table, rows: dict[str, Any]) -> Drawing:
    shown = [
        {"of": _(row.title), "place": place, **number}
        for row in table.rows
        for place, number in enumerate(rows.get(row.name, {}).get("groups", ()))
    ]
    names = [_("{least} to {most}").format(least=least, most=most) for least, most in LENGTHS]
    words = "; ".join(
        _("{name}, {words} words: BLEU {bleu:.1f}").format(name=row["of"], words=names[row["place"]], bleu=row["mean"])
        for row in shown
    )
    return Drawing("app.lab.results.chart:by_length", (shown, names), words)


def _distinct(table: paper_tables.Table, rows: dict[str, Any]) -> list[Row]:
    """The rows with a learning curve, a model once; only the ladder shows them (Luong 2015, Figure 5)."""
    first: dict[str, Row] = {}
    for row in table.rows:
        if table.name == "ladder" and rows.get(row.name, {}).get("curve"):
            first.setdefault(row.model, row)
    return list(first.values())


def _curves(curves: dict[str, list[list[float]]]) -> Drawing:
    shown = [
        {"of": name, "epoch": epoch, "perplexity": perplexity}
        for name, curve in curves.items()
        for epoch, (perplexity, _bleu) in enumerate(curve, 1)
    ]
    words = "; ".join(
        _("{name}: validation perplexity {last:.2f} after {n} epochs").format(
            name=name, last=curve[-1][0], n=len(curve)
        )
        for name, curve in curves.items()
    )
    return Drawing("app.lab.results.chart:learning", (shown,), words)


def _claims(table: paper_tables.Table, results: dict[str, Any] | None) -> Iterator[Block]:
    """The claims with a verdict, then the others in a folded block."""
    columns = (_("Claim"), _("Source"), _("Difference in the paper"), _("Difference here, 95% interval"), _("Verdict"))
    measured = results["claims"] if results else [None] * len(table.claims)
    rows = results["rows"] if results else {}
    pairs = list(zip(table.claims, measured, strict=True))
    if known := [_claim(table, *pair, rows) for pair in pairs if judged(pair[1]) not in NO_VERDICT]:
        yield Table(columns, tuple(known), stacked=True)
    if waiting := [pair for pair in pairs if judged(pair[1]) in NO_VERDICT]:
        width = len(columns) if any(judged(own) == "few" for _claimed, own in waiting) else 3  # nothing is measured
        lines = tuple(_claim(table, *pair, rows)[:width] for pair in waiting)
        title = ngettext("{n} claim without a verdict yet", "{n} claims without a verdict yet", len(lines))
        yield Folded(title.format(n=len(lines)), (Table(columns[:width], lines, stacked=True),))


def _claim(
    table: paper_tables.Table, claim: Claim, own: dict[str, Any] | None, rows: dict[str, Any]
) -> tuple[str, ...]:
    unit = _(claim.unit)
    here = "–"
    if own:
        ends = {key: signed(own[key]) for key in ("mean", "low", "high")}
        here = _("{mean} {unit} ({low} to {high})").format(unit=unit, **ends)
    known = in_paper(table, claim)
    paper = "–" if known is None else _("{value} {unit}").format(value=signed(known), unit=unit)
    return (
        _wording(table, claim, rows),
        _(claim.source),
        paper,
        here,
        f"{MARKS[judged(own)]} {verdict(own, claim.no_worse)}",
    )


def _wording(table: paper_tables.Table, claim: Claim, rows: dict[str, Any]) -> str:
    """The claim, with what its models differ in if it is more than one thing, and the number of its control."""
    if not claim.differ:
        return _(claim.says)
    says = _(claim.says)
    things = " + ".join(_(DIFFERENCES[name]) for name in claim.differ)
    if claim.control is None:
        return _("{claim} (They differ in: {things}.)").format(claim=says, things=things)
    row, column = table.row(claim.control), claim.terms[0].column
    number = rows.get(row.name, {}).get(row.measure(column), {}).get("mean")
    value = "–" if number is None else f"{number:.{DIGITS[column]}f}"
    return _("{claim} (They differ in: {things}. “{row}”, which changes only one of them, has {unit} {value}.)").format(
        claim=says, things=things, row=_(row.title), unit=_(claim.unit), value=value
    )


def in_paper(table: paper_tables.Table, claim: Claim) -> float | None:
    """The claim's sum of terms in the paper's own numbers; None if one of them is missing."""
    values = [table.row(term.row).paper.get(term.column) for term in claim.terms]
    if any(term.group is not None for term in claim.terms):
        return None
    numbers = [value for value in values if isinstance(value, int | float)]
    if len(numbers) < len(values):
        return None
    return sum(term.weight * value for term, value in zip(claim.terms, numbers, strict=True))


def _conditions(table: paper_tables.Table, results: dict[str, Any]) -> str:
    """Which row varies most between seeds, how the numbers were measured, and how many seeds there are."""
    seeds = [results["rows"].get(row.name, {}).get("seeds", 0) for row in table.rows]
    least, most = min(seeds), max(seeds)
    number = str(most) if least == most else _("{least} to {most}").format(least=least, most=most)
    return " ".join(
        (
            *_least_stable(table, results["rows"]),
            _(
                "Finished runs per row: {number}; a verdict needs {enough}. BLEU: test_2016_flickr, tokenised and "
                "lower-cased, captions joined, beam 5. "
                "Intervals: 95%, paired bootstrap over sentences and seeds; those of a single run "
                "or a single ensemble reflect the sentences only."
            ).format(number=number, enough=LEAST_SEEDS),
            *_corrected(results),
            _("Last run: {date}, on {processors}.").format(
                date=results["last"][:10], processors=", ".join(results["processors"])
            ),
        )
    )


def _corrected(results: dict[str, Any]) -> Iterator[str]:
    """How many claims are judged, and how likely a wrong verdict is among them."""
    known = next((claim for claim in results["claims"] if claim and "claims" in claim), None)
    if known:
        yield _(
            "Verdicts: bootstrap p-values of 100,000 resamples, corrected for the {claims} claims that all tables "
            "judge (Holm 1979): the probability of any wrong verdict among them is at most 5%."
        ).format(claims=known["claims"])


def _least_stable(table: paper_tables.Table, rows: dict[str, Any]) -> Iterator[str]:
    """The row that varies most between seeds, if it varies a lot: one or two poor runs can decide a verdict."""
    measure = FIGURE[table.name]
    seeds = {row.title: rows.get(row.name, {}).get(measure, {}).get("each", [0.0]) for row in table.rows}
    row = max(seeds, key=lambda title: max(seeds[title]) - min(seeds[title]))
    if max(seeds[row]) - min(seeds[row]) > MUCH[measure]:
        low, high = (f"{end(seeds[row]):.{DIGITS[measure]}f}" for end in (min, max))
        yield _("“{row}” varies most between seeds: {measure} {low} to {high}.").format(
            row=_(row), measure=_(MEASURES[measure]), low=low, high=high
        )


SIZES = (25, 50, 100, 200)


def one_seed() -> Finding:
    """Show the BLEU of each seed of each model that the benchmark `claims` trained.

    Raises ValueError if it has trained none.
    """
    results = tested()
    if not results:
        raise ValueError(_("not measured yet: `python -m tests.benchmarks claims multi30k` trains the models"))
    scores = {name: list(row["bleu"].values()) for name, row in results["rows"].items()}
    apart = {name: max(each) - min(each) for name, each in scores.items()}
    most = max(apart, key=lambda name: apart[name])
    return Finding(
        Bars(list(apart), {N_("difference in BLEU"): list(apart.values())}, _("BLEU"), ".1f"),
        _(
            "Two seeds of {model} are {bleu:.1f} BLEU apart. This is the largest of {n} such differences, on "
            "test_2016_flickr (tokenised, lower-cased; greedy search)."
        ).format(model=most, bleu=apart[most], n=len(apart)),
        (
            table(
                {N_("Model"): name, N_("BLEU by seed"): ", ".join(f"{score:.1f}" for score in each)}
                for name, each in scores.items()
            ),
        ),
    )


def smaller_vocabulary() -> Finding:
    """Show the perplexity of word frequencies on our own captions, for several sizes of the vocabulary."""
    counts = Counter(token for pair in captions() for token in pair.en_tokens)
    sizes = [*(size for size in SIZES if size < len(counts)), len(counts)]
    perplexities = [unigram(counts, size) for size in sizes]
    source = _(
        "The model predicts each word with its relative frequency in the English side of our own captions, whatever "
        "comes before; words outside the vocabulary count as one token."
    )
    return Finding(
        Bars(
            [str(size) for size in sizes],
            {N_("perplexity"): perplexities},
            _("perplexity"),
            ".0f",
            _("vocabulary, words"),
        ),
        _("With {few} words the perplexity is {low:.0f}, with all {all} it is {high:.0f}.").format(
            few=sizes[0], low=perplexities[0], all=sizes[-1], high=perplexities[-1]
        ),
        (
            table(
                {N_("Words in the vocabulary"): str(size), N_("Perplexity"): perplexity}
                for size, perplexity in zip(sizes, perplexities, strict=True)
            ),
            Caption(source),
        ),
    )


def unigram(counts: Counter[str], size: int) -> float:
    """Perplexity of relative frequencies, with all but the `size` most frequent words as one token."""
    kept = [count for _word, count in counts.most_common(size)]
    total = counts.total()
    shares = [count / total for count in (*kept, total - sum(kept)) if count]
    return math.exp(-sum(share * math.log(share) for share in shares))
