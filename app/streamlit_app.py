"""Where the dashboard starts: streamlit run app/streamlit_app.py"""

import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:  # `streamlit run` puts this file's folder on the path, not the project's
    sys.path.insert(0, ROOT)

from app.shell import pages  # noqa: E402

pages.menu().run()
