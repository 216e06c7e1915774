"""A Trace in the form that the lab's components use."""

import json
from typing import Any

from attn_core.data.subwords import readable
from attn_core.trace import Trace, dump

DIGITS = 5  # significant digits of a vector's numbers in the browser, which shows four


def trace_record(trace: Trace) -> dict[str, Any]:
    """The trace as JSON (schema 2) with its tokens as they are shown."""
    record, shown = json.loads(dump(trace)), shown_tokens(trace)
    record |= {side: [shown[token] for token in record[side]] for side in ("source", "target")}
    for step in record["steps"]:
        step["token"] = shown[step["token"]]
        step["top"] = [[shown[token], log_prob] for token, log_prob in step["top"]]
    return record


def shown_tokens(trace: Trace) -> dict[str, str]:
    """How each token of a trace is shown, including the alternatives at each step."""
    tokens = [*trace.source, *trace.target, *(token for word in trace.words for token, _ in word.top)]
    return dict(zip(tokens, readable(tokens), strict=True))


def few_digits(values: Any) -> Any:
    """A tensor as (nested) lists of numbers rounded to DIGITS significant digits."""
    return rounded(values.tolist(), DIGITS)


def rounded(record: Any, digits: int) -> Any:
    """A JSON value with all its real numbers rounded to so many significant digits."""
    return json.loads(json.dumps(record), parse_float=lambda text: float(f"{float(text):.{digits}g}"))
