"""The Explorer: a player for any sentence and model. Its stage (stage.js) translates in the page.

Two routes do what a page cannot: service/translation.py and downloads.py.
"""

import logging
from pathlib import Path
from typing import Any

import streamlit as st

from app.explorer.record import SHEETS, record
from app.service import cache as cached
from app.service import catalogue, files, first
from app.service.request import Request
from app.shell.component import component
from app.shell.frame import framed, notice
from attn_core.messages import N_, _

_LOG = logging.getLogger(__name__)
_STAGE = component("explorer", Path(__file__).with_name("component.js"), *SHEETS)


def page() -> None:
    """Draw the page."""
    with framed(N_("Explorer"), N_("Attention explorer")):
        models, broken = catalogue.catalogue()
        if not models:
            _nothing_shipped(broken)
            return
        trace, damaged = _first_trace(models)
        if broken or damaged:
            notice(*broken, *damaged)
        if trace:
            _STAGE(key="explorer", data=record(models, files.addresses(), trace))


def _first_trace(models: dict[str, catalogue.Shipped]) -> tuple[dict[str, Any] | None, list[str]]:
    """The first example's trace, stored or decoded now, by the first model whose files are in order.

    Also returns a line about each model before it whose files are not.
    """
    problems: list[str] = []
    usual = catalogue.first(models)
    for model in sorted(models.values(), key=lambda model: model.name != usual):
        try:
            return first.stored(model) or cached.answer(model, Request(first.TEXT))["trace"], problems
        except ValueError as error:  # CheckpointError
            _LOG.warning("%s", error)
            problems.append(str(error))
    return None, problems


def _nothing_shipped(broken: list[str]) -> None:
    st.info(
        _(
            "There is no trained translation model in `pretrained/` that can be used. Train one on your own text (the "
            "files PREFIX.de and PREFIX.en, one sentence per line) with `{command}`, and reload this page."
        ).format(command="make train NAME=luong-general-local-p TRAIN=PREFIX VALID=PREFIX OUT=pretrained/mine"),
        icon=":material/info:",
    )
    if broken:
        notice(*broken)
