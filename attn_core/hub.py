"""Parallel text through the `datasets` library: from the Hugging Face hub, its cache, or a folder of data files."""

from pathlib import Path

from attn_core.corpora import CorpusError


def read_hub(
    name: str, split: str, source_lang: str, target_lang: str, config: str | None = None
) -> tuple[list[str], list[str]]:
    """Both sides of one split of data set `name`: of its column `translation`, or of columns named by language.

    `name` is a name on the hub or a folder with data files that `datasets` recognises (train.jsonl ...); `config`
    chooses one of its configurations, `split` may be a slice such as `train[:10%]`. What was fetched before is found
    without a network.

    Raises CorpusError when the data set, the split or a language is not there, or cannot be reached.
    """
    import datasets  # here, because it takes seconds

    datasets.disable_progress_bars()
    try:
        rows = datasets.load_dataset(name, config, split=split)
    except Exception as error:  # network, cache, archive and parser each raise their own
        cause = (isinstance(error, datasets.exceptions.DatasetGenerationError) and error.__cause__) or error
        reason = " ".join(str(cause).split())[:200] or type(cause).__name__
        hint = "" if Path(name).is_dir() else "; check the name, and that this machine reaches the hub or has it cached"
        raise CorpusError(f"data set {name!r}, split {split!r}: cannot be loaded ({reason}){hint}") from error
    langs = (source_lang, target_lang)
    if "translation" in rows.column_names:
        pairs = rows["translation"]
        missing = [lang for lang in langs if len(rows) and lang not in pairs[0]]
        sides = [] if missing else [[pair[lang] for pair in pairs] for lang in langs]
        there = list(pairs[0]) if len(rows) else []
    else:
        missing = [lang for lang in langs if lang not in rows.column_names]
        sides = [] if missing else [list(rows[lang]) for lang in langs]
        there = rows.column_names
    if missing:
        raise CorpusError(
            f"data set {name!r} has no language {missing[0]!r}; expected a column `translation` or columns named by "
            f"language, found: {', '.join(there)}"
        )
    if not len(rows):
        raise CorpusError(f"data set {name!r}, split {split!r} is empty")
    for row, pair in enumerate(zip(*sides, strict=True)):
        if not all(isinstance(text, str) for text in pair):
            raise CorpusError(f"data set {name!r}, split {split!r}, row {row}: text was expected, found {pair!r:.80}")
    sources, targets = ([" ".join(text.splitlines()) for text in side] for side in sides)
    return sources, targets
