"""The script that Streamlit runs for every visitor: the page that was asked for. streamlit_app.py serves it."""

import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:  # `streamlit run` puts this file's folder on the path, not the project's
    sys.path.insert(0, ROOT)

from app.shell import pages  # noqa: E402
from attn_core.training.speed.cpu_tuning import tune_before_torch  # noqa: E402

tune_before_torch()  # before a page imports torch
pages.menu().run()
