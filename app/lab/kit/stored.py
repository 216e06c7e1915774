"""Store the data of stages that depend on no model, so that their pages open without torch.

python -m app.lab.kit.stored      writes app/lab/stored.json; run it after a change of these data
"""

import json
import sys

from app.lab.kit.described import STORED, computed, pages
from attn_core.files import replacing


def write() -> None:
    """Compute the data and write them."""
    found = {section.stage.name: computed(section.stage) for _place, page in pages() for section in page.sections}
    with replacing(STORED) as part:
        part.write_text(json.dumps(found, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    write()
    sys.stdout.write(f"{STORED}\n")
