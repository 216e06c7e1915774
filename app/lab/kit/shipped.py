"""The trained models for the lab, cached: each is loaded once for all visitors, and each sentence decoded once."""

from typing import Any

from app.service import cache, catalogue
from attn_core.messages import _


def model(name: str) -> Any:
    """The shipped model (a Translator). All visitors share it: do not change it.

    Raises ValueError if there is no such model.
    """
    place = _place(name)
    return cache.load(str(place.folder), place.stamp)


def trace(name: str, text: str, **options: Any) -> Any:
    """The Trace of a translation of `text` by the shipped model `name`, with vectors. All visitors share it.

    `options` are those of attn_core.translate. Raises ValueError if there is no such model.
    """
    place = _place(name)
    return cache.trace(str(place.folder), place.stamp, text, **options)


def forced(name: str, text: str, target: str) -> Any:
    """The Trace of the shipped model `name` under forced decoding of `target` for `text`, with vectors.

    Raises ValueError if there is no such model.
    """
    place = _place(name)
    return cache.trace(str(place.folder), place.stamp, text, target)


def _place(name: str) -> catalogue.Shipped:
    models = catalogue.catalogue()[0]
    if name not in models:
        raise ValueError(_("there is no model {name} in pretrained/").format(name=name))
    return models[name]
