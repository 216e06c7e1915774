"""Store the data of stages, so that their pages open without torch.

python -m app.lab.kit.stored      writes app/lab/stored.json; run it after a change of these data or of a shipped model
"""

import json

from app.lab.kit.described import STORED, computed, made_from, pages, stages
from attn_core.files import replacing
from attn_core.messages import print_text
from attn_core.program import run_program


def write() -> None:
    """Compute the data and write them, with digests of the models that they come from."""
    data = {
        stage.name: {"made_from": made_from(stage), "data": computed(stage)}
        for _item, page in pages()
        for stage in stages(page)
        if stage.in_file
    }
    with replacing(STORED) as part:
        part.write_text(json.dumps(data, ensure_ascii=False) + "\n", "utf-8")


def main() -> None:
    write()
    print_text(f"{STORED}\n")


if __name__ == "__main__":
    run_program(main)
