"""Random numbers from torch's one generator: what is computed for a reader neither disturbs nor follows the others."""

import threading

import pytest
import torch

from app.lab.score.evidence.scores import concat_is_additive, location_is_blind
from app.lab.score.evidence.weights import draws_are_noisy
from app.lab.variants.evidence import carried
from app.service.decode import translate_request
from app.service.request import Request
from app.service.seeded import seeded
from attn_core import load
from attn_core.data.captions import captions


def alone(seed: int) -> list[float]:
    return torch.randn(4, generator=torch.Generator().manual_seed(seed)).tolist()


def test_another_reader_waits_until_all_numbers_are_drawn():
    found, begun = [], threading.Event()

    def other() -> None:
        with seeded(2):
            begun.set()
            found.extend(torch.randn(4).tolist())

    thread = threading.Thread(target=other)
    with seeded(1):
        first = torch.randn(2)
        thread.start()
        assert not begun.wait(0.2)
        second = torch.randn(2)
    thread.join()
    assert torch.cat([first, second]).tolist() == alone(1)
    assert found == alone(2)


@pytest.mark.parametrize("evidence", [location_is_blind, draws_are_noisy, carried, concat_is_additive])
def test_evidence_leaves_the_numbers_of_others_alone(evidence, monkeypatch):
    monkeypatch.delenv("ATTN_PRETRAINED", raising=False)
    evidence()  # loads the model
    torch.rand(1)  # or a seed that is set again would not be noticed
    before = torch.get_rng_state()
    evidence()
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.slow
def test_evidence_waits_while_a_sentence_is_sampled(folder):
    """Both draw from the same generator: a card that is answered meanwhile does not change the sampled positions."""
    model, text = load(folder / "luong-general-global"), captions()[0].de
    wanted = translate_request(model, Request(text, type="hard-sample", draw=3))["trace"]
    stop = threading.Event()

    def answer() -> None:
        while not stop.is_set():
            location_is_blind()

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        for _ in range(20):
            assert translate_request(model, Request(text, type="hard-sample", draw=3))["trace"] == wanted
    finally:
        stop.set()
        thread.join()
