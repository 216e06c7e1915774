"""The trained models as the lab uses them: loaded once for all visitors, each sentence decoded once."""

from typing import Any

from app.service import cache, catalogue


def model(name: str) -> Any:
    """The shipped model (a Translator); it is everybody's, so nothing on it may be changed.

    Raises ValueError when there is no such model.
    """
    place = _place(name)
    return cache.load(str(place.folder), place.stamp)


def trace(name: str, text: str, **options: Any) -> Any:
    """The translation of `text` by the shipped model `name`, as a whole Trace with its vectors; it is everybody's too.

    `options` are those of attn_core.translate. Raises ValueError when there is no such model.
    """
    place = _place(name)
    return cache.trace(str(place.folder), place.stamp, text, **options)


def forced(name: str, text: str, target: str) -> Any:
    """What the shipped model `name` computes while it is made to say `target` for `text`, as a whole Trace.

    Raises ValueError when there is no such model.
    """
    place = _place(name)
    return cache.trace(str(place.folder), place.stamp, text, target)


def _place(name: str) -> catalogue.Shipped:
    models, _ = catalogue.catalogue()
    if name not in models:
        raise ValueError(f"the model {name} is not in pretrained/, so this cannot be computed here")
    return models[name]
