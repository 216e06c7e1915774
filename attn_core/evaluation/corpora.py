"""The corpora of the shipped models, as their cards describe them: names of files, terms of use and limits."""

from typing import Any

CORPORA: dict[str, dict[str, Any]] = {
    "multi30k": {
        "name": "Multi30k, task 1 (Elliott, Frank, Sima'an and Specia 2016; <https://github.com/multi30k/dataset>)",
        "what": "English descriptions of photographs from Flickr, and translations of them by professionals",
        "terms": "available to researchers and educators for non-commercial use. None of its sentences is included "
        "here, but the vocabularies are those of its training set. Use the model on the same terms",
        "limits": "It was trained on descriptions of everyday scenes only, and translates other text poorly",
        "license": {
            "license": "other",
            "license_name": "multi30k-non-commercial-research",
            "license_link": "https://github.com/multi30k/dataset",
        },
        "hub_id": "bentrevett/multi30k",
        "train": "train.lc.norm.tok",
        "valid": "val.lc.norm.tok",
        "tokenized": True,
    },
    "multi30k-tatoeba": {
        "name": "Multi30k, task 1 (<https://github.com/multi30k/dataset>) and Tatoeba (<https://tatoeba.org>)",
        "what": "descriptions of photographs in English and German, and short everyday sentences",
        "terms": "Multi30k is available to researchers and educators for non-commercial use; Tatoeba's sentences are "
        "under CC BY 2.0 FR. None of them is included here, but the vocabulary is that of the training set. Use the "
        "model for research and education",
        "limits": "It was trained on descriptions of everyday scenes and on very short everyday sentences, and "
        "translates other text poorly",
        "license": {
            "license": "other",
            "license_name": "multi30k-non-commercial-research",
            "license_link": "https://github.com/multi30k/dataset",
        },
        "tokenized": False,
    },
    "3am-tatoeba-zh-en": {
        "name": "3AM (Ma et al. 2024, LREC-COLING) and Tatoeba (<https://tatoeba.org>)",
        "what": "Chinese and English descriptions of photographs, and everyday sentences with their translations",
        "terms": "3AM's file is under the MIT licence, but the rights in its captions are not stated; Tatoeba's "
        "sentences are under CC BY 2.0 FR. None of them is included here, but the vocabularies are those of the "
        "training set. Use the model for research and education",
        "limits": "It was trained on descriptions of everyday scenes and on short everyday sentences, and translates "
        "other text poorly",
        "license": {
            "license": "other",
            "license_name": "3am-and-tatoeba",
            "license_link": "https://tatoeba.org/terms_of_use",
        },
        "tokenized": False,
    },
}
CORPORA["multi30k-en-de"] = CORPORA["multi30k"]
CORPORA["multi30k-en-fr"] = {name: value for name, value in CORPORA["multi30k"].items() if name != "hub_id"}
