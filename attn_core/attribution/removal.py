"""Occlusion: how much the attributed quantity loses if a source word is taken away. Signed."""

import torch

from attn_core.attribution.case import Case
from attn_core.attribution.method import Found, Method
from attn_core.data.tokenizer import Tokenizer
from attn_core.messages import _


class Occlusion(Method):
    """quantity(x) - quantity(x without the word), for each word in turn (the words after it move up)."""

    title, source = "Occlusion: the word left out", "Li 2016 (representation erasure), section 3; Zeiler 2014"
    signed, of_quantity = True, True

    @torch.no_grad()
    def __call__(self, case: Case) -> Found:
        n = len(case.source_ids)
        if n == 1:
            raise ValueError(_("a source of one token cannot be left out: use the method occlusion-unk"))
        others = ~torch.eye(n, dtype=torch.bool, device=case.source_ids.device)
        sources = case.source_ids.expand(n, n)[others].view(n, n - 1)
        return Found((case.attributed - case.values(sources)).T)


class OcclusionUnknown(Method):
    """quantity(x) - quantity(x with <unk> in place of the word), for each word in turn."""

    title, source = "Occlusion: <unk> for the word", "Zeiler 2014, section 4.2, with <unk> as the grey square"
    signed, of_quantity = True, True

    @torch.no_grad()
    def __call__(self, case: Case) -> Found:
        n = len(case.source_ids)
        sources = case.source_ids.expand(n, n).clone().fill_diagonal_(Tokenizer.unk)
        return Found((case.attributed - case.values(sources)).T)
