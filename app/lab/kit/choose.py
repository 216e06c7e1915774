"""The widgets of a lab page for a sentence and a model; both values are in the address."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from app.service import cache, catalogue
from app.service.view import View
from app.shell.frame import offered
from app.shell.markdown import escaped
from app.shell.said import said, say
from attn_core.data.language import named
from attn_core.messages import _
from attn_core.models.config import ModelConfig


def sentence(key: str, sentences: Sequence[str]) -> str:
    """One of our `sentences`, or one that the visitor types; `key` is its name in the address.

    The last sentence of another page is used here too, unless the address has one.
    """
    if blank := not _seen(st.query_params.get(key, "x")):  # a link with a blank sentence is one without
        del st.query_params[key]
    if key not in st.query_params and (linked := st.query_params.pop("text", "")):  # its name in the Explorer's links
        say(linked)
    carried = said()
    if carried is not None or blank:
        st.session_state[key] = carried or sentences[0]
    chosen = st.selectbox(
        _("German sentence"),
        list(sentences),
        key=key,
        accept_new_options=True,
        placeholder=_("Choose or type a sentence"),
        bind=None if blank else "query-params",  # a bound widget would take the blank sentence of the link
        persist_state="session",
        on_change=_chosen,
        args=(key,),
    )
    if chosen and chosen != carried and key in st.query_params:
        say(chosen)  # from the address: of a new visit, or after going back
    return chosen or ""


def _seen(text: str) -> bool:
    """Whether there is anything to see in a text."""
    return any(one.isprintable() and not one.isspace() for one in text)


def address(key: str, text: str) -> dict[str, str]:
    """The entry of a page's address for its sentence `text`, if that came from another page."""
    return {key: text} if text == said() else {}


def _chosen(key: str) -> None:
    if text := st.session_state[key]:
        say(text)


def models(orders: Sequence[str]) -> list[str]:
    """The names of the shipped models with attention that have one of `orders`."""
    shipped = catalogue.catalogue()[0]
    return [name for name, one in shipped.items() if one.config["order"] in orders and _shown(one.config)]


def model(key: str, label: str, orders: Sequence[str], first: str) -> str | None:
    """The name of a shipped model with attention and one of `orders`; None, with a message, if there is none."""
    names = models(orders)
    if not names:
        st.info(
            _("There is no trained model with order {orders}.").format(orders=" or ".join(orders)),
            icon=":material/info:",
        )
        return None
    index = names.index(first) if first in names else 0
    return st.selectbox(label, names, index, key=key, bind="query-params", persist_state="session")


def pick(label: str, words: Mapping[str, str], key: str, about: str | None = None) -> str:
    """One of the values of `words`, which maps them to their marked names on the page; the first one at the start.

    `key` is its name in the address, where the value stands, in every language. (A widget that Streamlit binds to the
    address writes the displayed name there.)
    """
    linked = st.query_params.get(key, "")
    if linked in words:  # of a new visit, or after going back
        st.session_state[key] = linked
    st.session_state.setdefault(key, next(iter(words)))
    st.segmented_control(
        label,
        list(words),
        format_func=lambda value: _(words[value]),
        required=True,
        key=key,
        help=about,
        on_change=lambda: st.query_params.update({key: st.session_state[key]}),
        persist_state="session",
    )
    return st.session_state[key]


def _shown(config: ModelConfig) -> bool:
    """Whether the model has soft attention whose weights the browser can compute; of an RNN, with one head."""
    plain: dict[str, Any] = {"normalizer": "softmax", "attention_type": "soft", "values": None}
    if config["order"] != "transformer":
        plain |= {"heads": 1, "head_size": None}
    return config["score"] is not None and all(config[name] == value for name, value in plain.items())


def decoded(name: str, text: str) -> bool:
    """Whether the model can translate `text`; shows why not, or why the translation may be poor."""
    shipped = catalogue.catalogue()[0]
    try:
        answer = cache.answer(shipped[name], View(text, name))
    except ValueError as error:  # CheckpointError: the files are damaged
        st.info(
            _("{name} cannot be used: {reason}").format(name=name, reason=escaped(str(error))), icon=":material/info:"
        )
        return False
    if answer.problem:
        (st.warning if answer.trace else st.info)(escaped(answer.problem), icon=":material/info:")
    elif answer.unknown:
        unknown = escaped(named(answer.unknown))
        st.caption(
            _("Outside the vocabulary of {name}, replaced by `<unk>`: {unknown}").format(
                name=escaped(name), unknown=unknown
            )
        )
    return bool(answer.trace)


def translated(page: str, sentences: Sequence[str], orders: Sequence[str], first: str) -> tuple[str, str] | None:
    """A sentence and a model that can translate it; None, with a message, if it cannot.

    `page` is the prefix of both names in the address; `orders` and `first` are those of `model`.
    """
    offered(f"{page}_model", models(orders))
    left, right = st.columns([3, 1], gap="small")
    with left:
        text = sentence(f"{page}_text", sentences)
    with right:
        name = model(f"{page}_model", _("Model"), orders, first)
    return (text, name) if name and decoded(name, text) else None
