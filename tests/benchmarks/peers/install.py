"""Environments of other toolkits, in a cache folder outside the checkout, with this project's version of torch."""

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path


@dataclass(frozen=True)
class Peer:
    """A toolkit and the packages that it needs here; its other requirements conflict with this torch and Python.

    With `torch`, this project's version of torch is among them.
    """

    title: str
    package: str
    needs: tuple[str, ...]
    torch: bool = True


PEERS = {
    "joeynmt": Peer(
        "JoeyNMT 2.3",
        "joeynmt==2.3.0",
        (
            "importlib_metadata==10.2.0",
            "matplotlib==3.11.2",
            "numpy==2.4.6",
            "packaging==26.3",
            "PyYAML==6.0.3",
            "sacrebleu==2.6.0",
            "sentencepiece==0.2.3",
            "subword-nmt==0.3.8",
            "tensorboard==2.21.0",
            "tqdm==4.70.1",
        ),
    ),
    "onmt": Peer(
        "OpenNMT-py 3.5",
        "OpenNMT-py==3.5.1",
        (
            "ConfigArgParse==1.9.0",
            "numpy==2.4.6",
            "pyahocorasick==2.3.1",
            "pyonmttok==1.38.1",
            "PyYAML==6.0.3",
            "RapidFuzz==3.14.6",
            "sacrebleu==2.6.0",
            "six==1.17.0",
        ),
    ),
    "eflomal": Peer("eflomal 2.0", "eflomal==2.0.0", ("numpy==2.4.6",), torch=False),
}


class MissingError(Exception):
    """A toolkit that cannot take part, with the reason in one line."""


def cache() -> Path:
    """The folder that keeps environments, prepared text and one-epoch models between runs."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "attn_core-bench"


def python_of(name: str) -> Path:
    """The toolkit's interpreter, installed if necessary. Raises MissingError when the installation fails."""
    peer = PEERS[name]
    wanted = [*([f"torch=={version('torch')}"] if peer.torch else []), *peer.needs]
    key = hashlib.sha256("\n".join([sys.version, peer.package, *wanted]).encode()).hexdigest()[:12]
    folder = cache() / f"{name}-{key}"
    python = folder / "bin" / "python"
    if (folder / "complete").exists():
        return python
    shutil.rmtree(folder, ignore_errors=True)
    size = "a few minutes and about 1 GB" if peer.torch else "a minute or two"
    print(f"Installing {peer.title} into {folder} (only once; {size}).", flush=True)
    # PIP_ARGS as in `make setup`: additional arguments of pip install.
    pip = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--quiet"]
    more = os.environ.get("PIP_ARGS", "").split()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _run([sys.executable, "-m", "venv", str(folder)])
        _run([*pip, *wanted, *more])
        _run([*pip, "--no-deps", peer.package, *more])
        (folder / "complete").touch()
    except (OSError, MissingError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise MissingError(f"{peer.title} could not be installed: {error}") from error
    return python


def _run(command: list[str]) -> None:
    run = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if run.returncode:
        lines = [line for line in (run.stderr or run.stdout).splitlines() if line.strip()]
        message = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "no message")
        raise MissingError(message.strip())
