"""The data of the Heads page that do not depend on the reader."""

from collections import defaultdict
from typing import Any

import torch

from app.lab.kit import shipped
from app.lab.kit.records import few_digits
from attn_core.data.captions import captions
from attn_core.data.subwords import readable
from attn_core.messages import _

_MODEL = "transformer"
_ENOUGH = 12  # sentences of one length to compare


def one_length() -> dict[str, Any]:
    """The data of fixed.js: the encoder's maps for the captions of the most frequent length in tokens.

    Raises ValueError if there is no such model, or if no two captions have the same length.
    """
    model = shipped.model(_MODEL)
    lengths = defaultdict(list)
    for one in captions():
        tokens = model.source.tokens(one.de)
        lengths[len(tokens)].append(tokens)
    chosen = max(lengths.values(), key=len)[:_ENOUGH]
    if len(chosen) < 2:
        raise ValueError(_("no two captions have the same number of tokens for {name}").format(name=_MODEL))
    ids = torch.tensor([model.source_ids(tokens) for tokens in chosen])
    torch.set_num_threads(1)  # the setting is each thread's own
    with torch.inference_mode():
        memory = model.encode(ids, torch.ones_like(ids, dtype=torch.bool))[0]
    end = ["</s>"] * model.config.source_eos
    return {
        "looks": [{"layer": one.layer, "head": one.head} for one in memory.looks],
        "sentences": [
            {
                "words": readable([*tokens, *end]),
                "maps": [[few_digits(line) for line in one.weights[row]] for one in memory.looks],
            }
            for row, tokens in enumerate(chosen)
        ],
    }
