"""What is looked at on a lab page: a sentence, one's own too, and a model; both stand in the address."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from app.service import cache, catalogue
from app.service.view import View
from app.shell.frame import offered
from app.shell.markdown import escaped
from app.shell.said import said, say
from attn_core.data.language import named
from attn_core.models.config import ModelConfig


def sentence(key: str, sentences: Sequence[str]) -> str:
    """One of our `sentences`, or what a visitor types; `key` is its name in the address.

    What was said last on another page is carried over to this one, unless the address has another.
    """
    if blank := not _seen(st.query_params.get(key, "x")):  # a link with a blank sentence is one without
        del st.query_params[key]
    if key not in st.query_params and (linked := st.query_params.pop("text", "")):  # its name in the Explorer's links
        say(linked)
    carried = said()
    if carried is not None or blank:
        st.session_state[key] = carried or sentences[0]
    chosen = st.selectbox(
        "German sentence",
        list(sentences),
        key=key,
        accept_new_options=True,
        placeholder="Choose a sentence, or type one",
        bind=None if blank else "query-params",  # which would take the blank all the same
        persist_state="session",
        on_change=_chosen,
        args=(key,),
    )
    if chosen and chosen != carried and key in st.query_params:
        say(chosen)  # the address said so, of a new visit or of one that went back
    return chosen or ""


def _seen(text: str) -> bool:
    """Whether there is anything to see in a text."""
    return any(one.isprintable() and not one.isspace() for one in text)


def address(key: str, text: str) -> dict[str, str]:
    """What the address of a page should say of `text`, its sentence, where that was carried over from another page."""
    return {key: text} if text == said() else {}


def _chosen(key: str) -> None:
    if text := st.session_state[key]:
        say(text)


def models(orders: Sequence[str]) -> list[str]:
    """The names of the shipped models of one of `orders` that look."""
    shipped, _ = catalogue.catalogue()
    return [name for name, one in shipped.items() if one.config["order"] in orders and _shown(one.config)]


def model(key: str, label: str, orders: Sequence[str], first: str) -> str | None:
    """The name of a shipped model that looks, of one of `orders`; None, and why, when there is none."""
    names = models(orders)
    if not names:
        st.info(f"No trained model with order {' or '.join(orders)} is here to show.", icon=":material/info:")
        return None
    index = names.index(first) if first in names else 0
    return st.selectbox(label, names, index, key=key, bind="query-params", persist_state="session")


def _shown(config: ModelConfig) -> bool:
    """Whether the model looks softly, with weights that the browser can compute from its scores; an RNN once a step."""
    plain: dict[str, Any] = {"normalizer": "softmax", "attention_type": "soft", "values": None}
    if config["order"] != "transformer":
        plain |= {"heads": 1, "head_size": None}
    return config["score"] is not None and all(config[name] == value for name, value in plain.items())


def decoded(name: str, text: str) -> bool:
    """Whether `text` can be translated by the model; says why not, or why its translation may be nonsense."""
    shipped, _ = catalogue.catalogue()
    try:
        answer = cache.answer(shipped[name], View(text, name))
    except ValueError as error:  # CheckpointError: the files are damaged
        st.info(escaped(f"{name} cannot be used: {error}"), icon=":material/info:")
        return False
    if answer.problem:
        (st.warning if answer.trace else st.info)(escaped(answer.problem), icon=":material/info:")
    elif answer.unknown:
        unknown = escaped(named(answer.unknown))
        st.caption(f"Not in the vocabulary of {escaped(name)}, read as `<unk>`: {unknown}")
    return bool(answer.trace)


def translated(page: str, sentences: Sequence[str], orders: Sequence[str], first: str) -> tuple[str, str] | None:
    """A sentence and a model beside it, once the model can translate the one; None, and why, where it cannot.

    `page` begins their names in the address; `orders` and `first` are those of `model`.
    """
    offered(f"{page}_model", models(orders))
    left, right = st.columns([3, 1], gap="small")
    with left:
        text = sentence(f"{page}_text", sentences)
    with right:
        name = model(f"{page}_model", "Model", orders, first)
    return (text, name) if name and decoded(name, text) else None
