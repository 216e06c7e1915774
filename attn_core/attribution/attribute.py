"""`attribute`: which source words mattered for each word of a translation."""

from typing import Any

from attn_core.attribution.case import Case
from attn_core.attribution.method import Method
from attn_core.attribution.quantities import LOG_PROB, LogProb, read_quantity
from attn_core.attribution.record import Attribution
from attn_core.attribution.settings import METHODS
from attn_core.messages import _, offered
from attn_core.models.translator import Translator


def attribute(
    model: Translator,
    text: str,
    target: str | None = None,
    *,
    method: str = "weights",
    quantity: str = LOG_PROB,
    against: str | None = None,
    tokenized: bool = False,
    **settings: Any,
) -> Attribution:
    """For each word of a translation, a number for each source word: how much it mattered, by `method`.

    `target` is the translation, with </s> added; without one, it is the model's greedy translation. Everything is
    computed in forced decoding of it. `method` is one of METHODS, and `settings` are those of the method, such as
    `layer=1, head=0` of "weights": see settings.py. `quantity` is what a method with `of_quantity` attributes: log p of
    the written word, with `against` minus log p of that target token, or a component or the norm of a quantity of the
    step graph: see quantities.py. `tokenized` is as in translate.

    Raises ValueError for text without a word; an unknown method, setting or quantity; a quantity given to a method that
    attributes none; a word `against` outside the vocabulary; and, in one line, for a method that the model cannot have.
    TypeError for anything but a translator.
    """
    if not isinstance(model, Translator):
        raise TypeError(
            _("attribute expects a translator, not {model!r:.60}").format(model=getattr(model, "name", model))
        )
    chosen = build_method(method, model, **settings)
    return attribution(chosen, Case.read(model, text, target, read_quantity(model, quantity, against), tokenized))


def build_method(name: str, model: Translator, **settings: Any) -> Method:
    """The method `name` with its settings, for this model. Raises ValueError as `attribute` does."""
    METHODS.check(name)
    known = METHODS.settings_class(name).about()
    for one in settings:
        if one not in known:
            hint = offered(one, known) if known else _(", nor any other")
            raise ValueError(
                _("the method {method} has no setting {name!r}{hint}").format(method=name, name=one, hint=hint)
            )
    if why := METHODS[name].refusal(model):
        raise ValueError(_("the method {method} cannot be used: {why}").format(method=name, why=why))
    return METHODS.build(name, **settings)


def attribution(method: Method, case: Case) -> Attribution:
    """The record of what a method finds in a case; several methods can share one case, which keeps its plain run.

    Raises ValueError for a case of another quantity than log p if the method attributes none.
    """
    of = method.of_quantity
    if not of and case.quantity != LogProb():
        raise ValueError(_("{method} attributes no quantity: omit quantity and against").format(method=method.name))
    found = method(case)
    return Attribution(
        model=case.model.name,
        method=method.name,
        settings={name: getattr(method.settings, name) for name in method.settings.about()},
        quantity=case.quantity.name if of else "",
        signed=method.signed,
        source=case.source,
        target=case.target,
        values=found.values.cpu(),
        attributed=case.attributed.cpu() if of else None,
        errors=None if found.errors is None else found.errors.cpu(),
    )
