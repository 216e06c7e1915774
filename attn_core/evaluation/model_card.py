"""Model cards: the README.md of a model's folder, generated from its config.json and vocabularies.

`about` in config.json holds facts about a model other than its settings; every entry is optional:

    preset, settings   how it was trained                data     {corpus, train, valid, exclude, pairs, tokenized,
    load               [names of scripts]                      hub}, or {task, examples, length, seed, pairs, tokenized}
    source_lang, target_lang                             machine  {hardware, threads, torch, processes}
    epoch, train_seconds, valid {bleu, perplexity}       test     scores, see `tested`
    alignment          see `own_alignment.own_alignment`  more_tests [scores on other test sets]
"""

import json
import shlex
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attn_core.data.language import LANGUAGES
from attn_core.data.subwords import SPECIALS
from attn_core.data.truecase import Truecaser
from attn_core.data.unspaced import UNSPACED
from attn_core.data.vocabulary_files import read_vocabulary
from attn_core.evaluation import hub_header
from attn_core.evaluation.beside import comparisons
from attn_core.evaluation.corpora import CORPORA
from attn_core.evaluation.evaluate import Evaluation
from attn_core.evaluation.mechanism import mechanism, spaced
from attn_core.explain.step_graph import formulas
from attn_core.files import CheckpointError, check_file, replacing
from attn_core.models.about import VALIDATED, languages, tests_of, text_of
from attn_core.models.config import ModelConfig
from attn_core.models.folders import TRANSLATOR, pretrained, read_record
from attn_core.models.own_files import is_card, is_config
from attn_core.models.presets import PRESETS
from attn_core.models.recipe import TrainConfig
from attn_core.settings import written

PAPER_HALF_WIDTH = 10  # D of Luong 2015


def tested(scores: Evaluation, greedy: Evaluation, name: str, lengths: list[int]) -> dict[str, Any]:
    """The `test` entry of `about`: the scores on the test set `name`, whose sources have `lengths` in words."""
    record = scores.to_json()
    kept = (
        "bleu",
        "bleu_low",
        "bleu_high",
        "signature",
        "brevity_penalty",
        "perplexity",
        "beam",
        "normalise",
        "alpha",
        "tokenized",
        "lowercased",
    )
    window = 2 * PAPER_HALF_WIDTH + 1
    return {
        "set": name,
        "sentences": scores.sentences,
        **{key: round(value, 4) if isinstance(value, float) else value for key in kept for value in [record[key]]},
        "greedy_bleu": round(greedy.bleu.score, 4),
        "unknown_source_words": scores.unknown_source_words,
        "unknown_reference_words": scores.unknown_reference_words,
        "source_words": scores.source_words,
        "reference_words": scores.reference_words,
        "mean_source_length": round(sum(lengths) / len(lengths), 2),
        "in_paper_window": round(sum(n <= window for n in lengths) / len(lengths), 4),
    }


def update(folder: Path, about: dict[str, Any], force: bool = False) -> None:
    """Merge `about` into the `about` entry of config.json, and write the card again.

    Raises CheckpointError for a config.json that is damaged or lacks what the card needs, and Unreplaceable for a
    README.md that is no card, unless `force` is set.
    """
    check_file(folder / "README.md", is_card, force)
    path = folder / "config.json"
    record = read_record(folder, TRANSLATOR)
    record["about"] |= about
    try:
        text = card(record, folder)
    except KeyError as error:
        raise CheckpointError(f"{path} lacks {error}, which the card needs") from error
    with replacing(path) as part:
        part.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
    with replacing(folder / "README.md") as part:
        part.write_text(text, "utf-8")


def command(record: dict[str, Any]) -> str:
    """The command that trains the model of a config.json again: its preset, and the settings that differ from it."""
    about, now = record.get("about", {}), _settings(record)

    def changed(preset: str) -> dict[str, Any]:
        model, recipe = PRESETS[preset]
        before = model.flat() | recipe.to_json()
        return {key: value for key, value in now.items() if key not in before or before[key] != value}

    preset = about.get("preset")
    if preset not in PRESETS:
        preset = min(PRESETS, key=lambda name: len(changed(name)))
    own = about.get("data", {})
    data = ({"valid": "validation"} if "hub" in own else CORPORA.get(own.get("corpus"), {})) | own
    processes = about.get("machine", {}).get("processes", 1)
    start = ["python"] if processes == 1 else ["torchrun", "--nproc-per-node", str(processes)]
    words = [*start, "-m", "attn_core", "train", preset]
    for script in about.get("load", ()):
        words += ["--load", script]
    if "hub" in data:
        words += ["--hub", data["hub"]] + (["--hub-config", data["hub_config"]] if data.get("hub_config") else [])
    if "task" in data:
        shortest, longest = data["length"]
        words += ["--task", data["task"], "--examples", str(data["examples"]), "--length", f"{shortest}-{longest}"]
    else:
        texts = {"train": "train", "valid": "valid"} | data
        for name in ("train", "valid", "exclude", "teacher"):
            words += [f"--{name}", texts[name]] if name in texts else []
        source, target = languages(about)
        words += ["--source-lang", source, "--target-lang", target]
        words += ["--tokenized"] if data.get("tokenized") else []
    words += ["--data", data["corpus"]] if "corpus" in data else []
    if about.get("machine", {}).get("threads"):
        words += ["--threads", str(about["machine"]["threads"])]
    for key, value in changed(preset).items():
        words += ["--set", f"{key}={written(value)}"]
    return shlex.join([*words, "--out", f"runs/{record['name']}"])


def _settings(record: dict[str, Any]) -> dict[str, Any]:
    """All settings of a config.json, the model's by their paths, with the defaults of those that are newer than it."""
    return ModelConfig.from_json(record["model"]).flat() | TrainConfig.from_json(record["train"]).to_json()


def renew_cards(folder: Path) -> None:
    """Write the cards of the translators in `folder` again: they compare the models with each other."""
    for path in sorted(folder.glob("*/README.md")):
        if is_card(path) and is_config(path.with_name("config.json")):
            with suppress(CheckpointError):  # of another kind of model, or a damaged one
                text = card(read_record(path.parent, TRANSLATOR), path.parent)
                if text != path.read_text("utf-8"):
                    with replacing(path) as part:
                        part.write_text(text, "utf-8")


def card(record: dict[str, Any], folder: Path) -> str:
    """The README.md of a model from its config.json. Raises CheckpointError when its vocabularies cannot be read."""
    model = ModelConfig.from_json(record["model"])
    sides = {side: _vocabulary(folder / f"{side}.json") for side in ("source", "target")}
    langs = {side: vocabulary.lang for side, vocabulary in sides.items()}
    about = {"source_lang": langs["source"], "target_lang": langs["target"]} | record.get("about", {})
    record = record | {"about": about}
    corpus = CORPORA.get(about.get("data", {}).get("corpus"), {})
    sections = {
        "What it computes": _mechanism(model),
        "Data": _data(about, corpus, sides),
        "Training": _training(record),
        "Scores": "\n\n".join(filter(None, [_scores(about), *comparisons(record, folder)])),
        "The window": _window(model, about, sides["source"].unit),
        "Limits": _limits(model, corpus, sides),
        "Files": "`config.json` holds all settings and the scores above, `model.safetensors` the weights in "
        f"{about.get('weights', 'float16')}, `source.json` and `target.json` the vocabularies. This card is generated "
        f"from them by `python -m attn_core card {record['name']}`.",
    }
    note = f"{about['note']} " if "note" in about else ""
    opening = (
        f"Translates {_language(langs['source'])} into {_language(langs['target'])}: "
        f"{mechanism(record)}. "
        f"{note}It is one of the models of `attn_core`, intended for studying attention, not for practical "
        "translation.\n\n"
        "```python\nfrom attn_core import load, translate\n\n"
        f"trace = translate(load({json.dumps(_loaded_as(record['name'], folder))}), text)\n```"
    )
    body = "".join(f"\n## {title}\n\n{text}\n" for title, text in sections.items() if text)
    header = hub_header.header(hub_header.translator(record["name"], about, corpus, _tags(model)))
    return f"{header}# {record['name']}\n\n{opening}\n{body}"


def _tags(model: ModelConfig) -> list[str]:
    attention, order = model.attention, model.decoder.name
    return ["attention", attention.score.name, attention.window.name, order] if attention else [order]


def _loaded_as(name: str, folder: Path) -> str:
    """The argument of `load`: the name of a shipped model, or the path of another model's folder."""
    return name if folder.resolve().parent == pretrained().resolve() else f"path/to/{name}"


def _language(code: str) -> str:
    return LANGUAGES.get(code, code)  # cards are in English


@dataclass(frozen=True)
class _Vocabulary:
    """The facts about a vocabulary that a card states."""

    lang: str
    size: int  # without the special tokens
    unit: str  # of an entry: words, characters or subwords
    cased: bool  # an entry has a capital letter
    capitals: int  # words that get them in running text


def _vocabulary(path: Path) -> _Vocabulary:
    try:
        record = read_vocabulary(path)
        entries = record["tokenizer"]["model"]["vocab"]
        whole = "characters" if record["lang"] in UNSPACED else "words"
        unit = whole if record["kind"] == "word" else "subwords"
        cased = any(entry != entry.lower() for entry in entries)
        capitals = len(Truecaser.from_json(record["truecase"]).spellings) if "truecase" in record else 0
        return _Vocabulary(record["lang"], len(entries) - len(SPECIALS), unit, cased, capitals)
    except CheckpointError:  # a shared vocabulary is missing
        raise
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path} is missing or damaged ({error})") from error


def _mechanism(model: ModelConfig) -> str:
    lines = formulas(model)
    if model.decoder.name == "transformer":
        return "\n".join([*_transformer(model, lines), *_variants(model)])
    paper, cell = model.decoder.paper, "LSTM" if model.decoder.cell == "lstm" else "GRU"
    found = [f"- Encoder: {model.encoder.in_words()}: {_math(lines['encoder'])}"]
    if model["update"] == "groundhog":
        paper = r"GroundHog, the program of Bahdanau 2015 (the paper computes $s_i$ from $y_{i-1}$, not from $y_i$)"
    steps = _math(lines.get("feeding", []) + lines["order"])
    if model.attention is None:
        found.append(f"- Decoder: {cell} of {model.hidden} units, without attention: {steps}")
    else:
        order = f"order `{model.decoder.name}` as in {paper}"
        found += [
            f"- Decoder: {cell} of {model.hidden} units, {order}: {steps}",
            f"- Score `{model.attention.score.name}`: {_math(lines['score'])}",
            f"- Window `{model.attention.window.name}`: {_math(lines['window'])}",
        ]
        if model.attention.gaussian == "after_softmax" and model.attention.type == "soft":
            found[-1] += "; the weights may sum to less than 1"
    return "\n".join([*found, *_variants(model)])


def _transformer(model: ModelConfig, lines: dict[str, list[str]]) -> list[str]:
    layers, size = f"layers of {model.embedding} units", model.embedding // model["attention.heads"]

    def side(name: str) -> str:
        heads = f"{model['attention.heads']} heads, {model[f'{name}.feedforward']} inner units"
        return f"{model[f'{name}.layers']} {layers}, {heads}"

    return [
        f"- Encoder: {side('encoder')}, as in Vaswani 2017: {_math(lines['encoder'])}",
        f"- Decoder: {side('decoder')}: {_math(lines['order'])}",
        f"- Score `{model['score']}`, in every head: {_math(lines['score'])}, $d_k = {size}$",
        f"- Window `{model['window']}`: {_math(lines['window'])}",
    ]


def _variants(model: ModelConfig) -> list[str]:
    """The mechanism's settings that differ from their defaults and are not in the descriptions of the layers."""
    stated: tuple[str, ...] = (
        ("encoder.heads", "encoder.score", "attention.heads") if model.decoder.name == "transformer" else ()
    )
    stated += ("encoder.cell", "encoder.bidirectional", "decoder.cell", "decoder.feeding")
    stated += ("attention.window.half_width",)
    variants = [
        f"`{path} = {written(value)}`"
        for path, value in model.changed_settings().items()
        if path not in stated and not model.described()[path].size
    ]
    return [f"- Other settings of the mechanism that are not the default: {', '.join(variants)}."] if variants else []


def _math(lines: list[str]) -> str:
    return ", ".join(f"${line}$" for line in lines)


def _data(about: dict[str, Any], corpus: dict[str, Any], sides: dict[str, _Vocabulary]) -> str:
    data = about.get("data", {})
    known = corpus.get("name") or data.get("corpus") or data.get("hub") or data.get("train")
    if "task" in data:
        known = f"Synthetic task {data['task']}"
    lines = [f"{known}: {corpus['what']}." if corpus else f"{known or 'Not recorded'}."]
    taught = f", translations by {spaced(data['teacher'])} included (Kim & Rush 2016)" if "teacher" in data else ""
    lines[0] += f" {data['pairs']:,} training pairs{taught}." if "pairs" in data else ""
    lines.append(f"Terms: {corpus['terms']}." if corpus else "Terms: not recorded; ask the owners of the corpus.")
    lines.append(f"Vocabularies: {', '.join(f'{one.size:,} {one.unit} ({one.lang})' for one in sides.values())}.")
    return "\n\n".join(lines)


def _training(record: dict[str, Any]) -> str:
    about = record["about"]
    lines = [
        "Training command, whose first argument is a preset. Run it in the folder with the text files, or give their "
        "paths:",
        f"```sh\n{command(record)}\n```",
    ]
    facts = []
    if "epoch" in about:
        facts.append(f"Epoch {about['epoch']} was the best.")
    if "train_seconds" in about:
        best = "it" if "epoch" in about else "the best epoch"
        minutes = _of(round(about["train_seconds"] / 60), "minute")
        facts.append(f"Training up to {best} took {minutes}, validation not included.")
    if where := about.get("machine", {}):
        threads = _of(where["threads"], "thread") if "threads" in where else ""
        release = f"torch {where['torch']}" if "torch" in where else ""
        together = f"{where['processes']} processes" if where.get("processes", 1) > 1 else ""
        facts.append(f"Hardware: {', '.join(filter(None, (where.get('hardware'), together, threads, release)))}.")
    lines += [" ".join(facts)] if facts else []
    if "valid" in about:
        valid = VALIDATED | about["valid"]
        lines.append(
            f"Validation, with greedy search on {text_of(valid)}: BLEU {valid['bleu']:.2f}, perplexity "
            f"{valid['perplexity']:.3f}. The epoch was chosen on the validation set."
        )
    about_settings = ModelConfig.from_json(record["model"]).described() | TrainConfig.about()
    meanings = {key: one.meaning.replace("|", r"\|") for key, one in about_settings.items()}
    table = ["| setting | value | meaning |", "|---|---|---|"]
    table += [f"| {key} | {written(value)} | {meanings.get(key, '')} |" for key, value in _settings(record).items()]
    return "\n\n".join([*lines, "All settings:", "\n".join(table)])


def _of(n: int, unit: str) -> str:
    return f"{n} {unit}" if n == 1 else f"{n} {unit}s"


def _scores(about: dict[str, Any]) -> str:
    parts = [_test(test) for test in tests_of(about)]
    if one := about.get("alignment"):
        parts.append(
            f"Alignment error rate: **{one['aer']:.2f}** on {one['pairs']} of our own sentence pairs. The decoder "
            "reads the reference instead of its own words, and each word of the reference is linked to the source "
            "word with the largest attention weight."
        )
    return "\n\n".join(parts)


def _test(test: dict[str, Any]) -> str:
    low, high = test["bleu_low"], test["bleu_high"]
    rows = [
        ("BLEU", f"**{test['bleu']:.2f}** (95% {low:.2f} to {high:.2f})"),
        ("brevity penalty", f"{test['brevity_penalty']:.3f}"),
        ("BLEU, greedy", f"{test['greedy_bleu']:.2f}"),
        ("perplexity", f"{test['perplexity']:.3f} per reference word, `</s>` included"),
        ("unknown source tokens", f"{test['unknown_source_words']:,} of {test['source_words']:,}"),
        ("unknown reference tokens", f"{test['unknown_reference_words']:,} of {test['reference_words']:,}"),
    ]
    beam = "greedy search" if test["beam"] == 1 else f"beam {test['beam']}"
    table = "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])
    signature = f"Signature: `{test['signature']}`"
    return f"On {test['set']}, {test['sentences']:,} sentences, {text_of(test)}, {beam}:\n\n{table}\n\n{signature}"


def _window(model: ModelConfig, about: dict[str, Any], unit: str) -> str:
    test, D = about.get("test", {}), model["half_width"]
    if D is None:
        return ""
    width = f"With D = {D} the window covers {2 * D + 1} {unit}, fewer at either end of a sentence."
    if "in_paper_window" not in test or unit != "words":  # the lengths are in words
        return width
    paper = f"The paper's D = {PAPER_HALF_WIDTH} would cover {2 * PAPER_HALF_WIDTH + 1}"
    return (
        f"{width} {'This is the D of the paper' if D == PAPER_HALF_WIDTH else paper}: "
        f"{test['in_paper_window']:.0%} of the sources of {test['set']} are no longer than that "
        f"({test['mean_source_length']:.1f} words on average)."
    )


def _limits(model: ModelConfig, corpus: dict[str, Any], sides: dict[str, _Vocabulary]) -> str:
    lines = ["It was trained for teaching; do not use it where a wrong translation could do harm."]
    if corpus:
        lines.insert(0, f"{corpus['limits']}.")
    if not any(side.cased for side in sides.values()):
        restored = (
            f" In running text, sentences start with a capital, and {sides['target'].capitals:,} words get those of "
            "their commonest spelling in the raw training text, whatever the words around them."
        )
        lines.append(f"Its vocabularies have no capital letters.{restored if sides['target'].capitals else ''}")
    if sides["source"].unit != "subwords":
        lines.append(f"Source {sides['source'].unit} outside its vocabulary become `<unk>`.")
    if model["score"] is None:
        lines.append("One vector represents the whole sentence, however long it is.")
    else:
        lines.append("Attention weights are part of the computation of a word, not an explanation of it.")
    if model["score"] == "location":
        lines.append(f"It attends to at most {model['attention.score.width']} {sides['source'].unit}.")
    if model["window"] == "local-m":
        lines.append("Its window moves one word per step, whatever the sentence.")
    return "\n".join(f"- {line}" for line in lines)
