"""`app`: start the dashboard, which is part of a clone of the repository but not of the installed package."""

import importlib.util
import os
import runpy
import sys
from typing import Annotated

import typer

from attn_core.export.model_files import OWN_MODEL, offer
from attn_core.models.folders import ROOT
from attn_core.program import pip_install


def app(
    port: Annotated[
        int | None,
        typer.Option("--port", min=1, max=65535, help="Port of the dashboard (default: 8501 or the next free one)."),
    ] = None,
    training: Annotated[
        bool,
        typer.Option(
            "--training", help="Let browsers on this machine start and stop trainings from the Training page."
        ),
    ] = False,
    model: Annotated[
        list[str] | None,
        typer.Option(
            OWN_MODEL,
            metavar="DIR",
            help="Offer the translator in this folder beside the shipped ones; may be repeated. If it is not exported "
            "for the browser, that is done first.",
        ),
    ] = None,
    options: Annotated[
        list[str] | None, typer.Argument(help="Options for `streamlit run`, as in: app -- --server.address 0.0.0.0")
    ] = None,
) -> None:
    """Start the dashboard, from a clone of the repository."""
    if not (ROOT / "app" / "streamlit_app.py").is_file():
        raise ValueError(
            "the dashboard is not part of the installed package: clone the repository, "
            "and in its folder run: " + pip_install('-e ".[app]"')
        )
    if importlib.util.find_spec("streamlit") is None:
        raise ValueError(f"Streamlit is not installed: in {ROOT} run: " + pip_install('-e ".[app]"'))
    for folder in model or ():
        try:
            offer(folder)
        except (ValueError, OSError) as error:
            raise typer.BadParameter(str(error), param_hint=OWN_MODEL) from error
    if training:
        os.environ["ATTN_TRAINING"] = "1"
    os.chdir(ROOT)  # Streamlit reads .streamlit/config.toml of the working directory
    chosen = [] if port is None else ["--server.port", str(port)]
    sys.argv = ["streamlit", "run", "app/streamlit_app.py", *chosen, *(options or [])]
    runpy.run_module("streamlit", run_name="__main__")
