"""The trained models for the lab, cached: each is loaded once for all visitors, and each sentence decoded once."""

from typing import Any

from app.service import cache, catalogue
from attn_core.messages import _


def model(name: str) -> Any:
    """The shipped model (a Translator). All visitors share it: do not change it.

    Raises ValueError if there is no such model.
    """
    shipped = _shipped(name)
    return cache.load(str(shipped.folder), shipped.stamp)


def trace(name: str, text: str, target: str | None = None, **options: Any) -> Any:
    """The Trace of a translation of `text` by the shipped model `name`, with vectors. All visitors share it.

    With a `target` the decoder is forced to produce it. `options` are those of attn_core.translate, or of `force`.
    Raises ValueError if there is no such model.
    """
    shipped = _shipped(name)
    return cache.trace(str(shipped.folder), shipped.stamp, text, target, **options)


def _shipped(name: str) -> catalogue.Shipped:
    models = catalogue.catalogue()[0]
    if name not in models:
        raise ValueError(_("there is no model {name} in pretrained/").format(name=name))
    return models[name]
