"""How to install the packages that only some parts of the project need."""

import sys


def pip_install(what: str) -> str:
    """The command that installs a package, or an extra of pyproject.toml, into the Python that is running."""
    return f"{sys.executable} -m pip install {what}"
