"""The YAML block that opens a model card, with the fields that the Hugging Face hub reads.

The fields are those of <https://huggingface.co/docs/hub/model-cards>. Unknown fields are omitted: a licence, for
example, is named only if the terms of the training data are known.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from attn_core.models.about import tests_of, text_of

Fields = Mapping[str, Any]


def header(fields: Fields) -> str:
    """`fields` as YAML between two lines of ---. No list or mapping in them is empty."""
    return "\n".join(["---", *_lines(fields), "---", "", ""])


def _lines(value: Any) -> Iterator[str]:
    """Mappings and lists in block form. Everything else as JSON, which is YAML: a language `no` stays a string."""
    if isinstance(value, Mapping):
        for key, entry in value.items():
            first, *rest = _lines(entry)
            if isinstance(entry, Mapping | list):
                yield f"{key}:"
                yield from (f"  {line}" for line in (first, *rest))
            else:
                yield f"{key}: {first}"
    elif isinstance(value, list):
        for entry in value:
            first, *rest = _lines(entry)
            yield f"- {first}"
            yield from (f"  {line}" for line in rest)
    else:
        yield json.dumps(value, ensure_ascii=False)


def translator(name: str, about: Fields, corpus: Fields, tags: list[str]) -> dict[str, Any]:
    """The fields of a translator, from `about` of its config.json and the entry of its training corpus in CORPORA."""
    langs = [about["source_lang"], about["target_lang"]]
    dataset = about.get("data", {}).get("hub") or corpus.get("hub_id")
    task = {"type": "translation", "name": f"Translation from {langs[0]} to {langs[1]}"}
    results = []
    for test in tests_of(dict(about)):
        how = f"BLEU, beam {test['beam']}, {text_of(test)}"
        scores = [
            _metric("bleu", how, test["bleu"], signature=test["signature"]),
            _metric("perplexity", "Perplexity per word of the reference", test["perplexity"]),
        ]
        results.append(_result(task, {"name": test["set"], "type": dataset or test["set"]}, scores))
    return {
        "language": langs,
        **corpus.get("license", {}),
        "library_name": "attn_core",
        "pipeline_tag": "translation",
        "tags": ["sequence-to-sequence", *tags],
        **({"datasets": [dataset]} if dataset else {}),
        **_measured(name, results),
    }


def synthetic(name: str, task: Fields, test: Fields, tags: list[str]) -> dict[str, Any]:
    """The fields of a model of synthetic data, with all scores of its evaluation; `test` is the result of `report`."""
    scores = [
        _metric(measure, _of(measure, row), value)
        for row in test["rows"]
        for measure, value in row.items()
        if measure != "n" and value is not None
    ]
    return {
        "library_name": "attn_core",
        "tags": ["attention", *tags],
        **_measured(name, [_result(task, {"name": "synthetic examples", "type": "synthetic"}, scores)]),
    }


def _of(measure: str, row: Fields) -> str:
    return f"{measure}, {row['n']} inputs" if "n" in row else measure


def _metric(kind: str, name: str, value: float, **arguments: Any) -> dict[str, Any]:
    return {"type": kind, "value": round(value, 4), "name": name} | ({"args": arguments} if arguments else {})


def _result(task: Fields, dataset: Fields, scores: list[dict[str, Any]]) -> dict[str, Any]:
    """The scores of a task on a data set."""
    return {"task": task, "dataset": dataset, "metrics": scores}


def _measured(name: str, results: list[dict[str, Any]]) -> dict[str, Any]:
    """`metrics` and `model-index` with the results that have scores. Empty if none has."""
    results = [result for result in results if result["metrics"]]
    if not results:
        return {}
    return {
        "metrics": list(dict.fromkeys(score["type"] for result in results for score in result["metrics"])),
        "model-index": [{"name": name, "results": results}],
    }
