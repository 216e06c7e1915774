"""Where the dashboard starts: streamlit run app/streamlit_app.py. Its pages are in dashboard.py."""

import sys
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:  # `streamlit run` puts this file's folder on the path, not the project's
    sys.path.insert(0, ROOT)

from app.explorer import downloads  # noqa: E402
from app.lab.quiz import sheet  # noqa: E402
from app.lab.training import routes as training  # noqa: E402
from app.service import files, translation  # noqa: E402
from app.shell import shared  # noqa: E402
from app.shell.backend import BackendAddress  # noqa: E402
from app.shell.hosts import HostCheck  # noqa: E402
from app.shell.log import log_visibly  # noqa: E402

log_visibly()

app = st.App(
    Path(__file__).with_name("dashboard.py"),
    lifespan=shared.announced,
    routes=[
        *files.routes(),
        *translation.routes(),
        *downloads.routes(),
        *shared.routes(),
        *sheet.routes(),
        *training.routes(),
    ],
    middleware=[Middleware(HostCheck), Middleware(BackendAddress)],
)
