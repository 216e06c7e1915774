"""The dashboard's entry point: streamlit run app/streamlit_app.py"""

import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:  # `streamlit run` puts this file's folder on the path, not the project's
    sys.path.insert(0, ROOT)

from app.shell import pages  # noqa: E402
from attn_core.training.cpu_tuning import tune_memory  # noqa: E402

tune_memory()  # before a page imports torch
pages.menu().run()
