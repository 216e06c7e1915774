"""How often does the page say that a sentence is in the target language, rightly and wrongly?

python -m tests.benchmarks wrong_language DATA

DATA is the folder of the corpora of pretrained/models.toml. For a model that reads words and for one that reads pieces,
prints the share of sentences for which the page says that they look like the target language (data/language.py): of
captions and everyday sentences in the target language, where it should, and in the source and a third language, where
it should not. The models differ in their rule, by the ranks of words or by function words; our own sentences are
checked by tests/data/test_function_words.py.
"""

import argparse
from pathlib import Path

from attn_core.data.language import read
from attn_core.data.text_files import text_of
from attn_core.data.tokenizer import Tokenizer
from attn_core.models.folders import find

MODELS = ("bahdanau", "bahdanau-everyday", "bahdanau-en-de", "transformer-en-fr")
TEXTS = {  # the file, and the languages of its columns
    "captions": ("multi30k/test_2016_flickr.raw", ("de", "en")),
    "French captions": ("multi30k/test_2016_flickr.raw", ("en", "fr")),
    "everyday": ("de-en-short/deu.txt.gz:en,de", ("de", "en")),
    "Chinese": ("zh-en/tatoeba/cmn.txt.gz:en,zh", ("zh", "en")),
}


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("data", type=Path)
    reader.add_argument("--every", type=int, default=10, help="one line of so many, of texts of over 10,000 lines")
    options = reader.parse_args()
    for name in MODELS:
        source, target = (Tokenizer.load(find(name) / f"{side}.json") for side in ("source", "target"))
        for kind, (file, languages) in TEXTS.items():
            text = text_of(str(options.data / file), languages)
            for side, language in enumerate(languages):
                lines = [*text.lines(side)]
                lines = lines[:: options.every] if len(lines) > 10_000 else lines
                swapped = sum(read(source.moses(line).split(), source, target).swapped for line in lines)
                wanted = "should" if language == target.lang else "should not"
                print(
                    f"{name:20}{source.kind:6}{kind:16}{language:4}{swapped:6} of {len(lines):6}, "
                    f"{swapped / len(lines):7.2%} ({wanted})",
                    flush=True,
                )


if __name__ == "__main__":
    main()
