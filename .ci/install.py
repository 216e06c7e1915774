"""Install packages into the environment that runs this file: with uv, which is much faster than pip, or else with pip.

    python .ci/install.py -r requirements.txt        PIP_ARGS=...    more words for `pip install`
                                                     INSTALLER=pip   leave uv out

uv does not read pip's settings, so they are handed over. Where uv has no such setting, or fails, pip installs.
"""

import ast
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

UV = "uv==0.13.8"
PIP = (sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input")

# Settings of pip that are lists, and the option of `uv pip install` that takes one entry.
LISTS = {"find-links": "--find-links", "constraint": "--constraint", "trusted-host": "--allow-insecure-host"}

# Settings of pip that become environment variables of uv: an address may hold a password, which every user of the
# machine could read in a command line.
VARIABLES = {
    "index-url": ("UV_INDEX_URL",),
    "extra-index-url": ("UV_INDEX",),
    "cert": ("SSL_CERT_FILE",),
    "client-cert": ("SSL_CLIENT_CERT",),
    "proxy": ("HTTP_PROXY", "HTTPS_PROXY"),
    "timeout": ("UV_HTTP_TIMEOUT",),
    "default-timeout": ("UV_HTTP_TIMEOUT",),
}

# Settings of pip that do not change what is installed, or from where.
INDIFFERENT = {
    *("cache-dir", "disable-pip-version-check", "log", "no-cache-dir", "no-color", "no-input", "prefer-binary"),
    *("no-warn-script-location", "progress-bar", "quiet", "require-virtualenv", "resume-retries", "retries"),
    *("root-user-action", "use-deprecated", "use-feature", "verbose"),
}

# What names a place to install from: settings of pip, the beginnings of its options, and environment variables of uv.
PLACES = {"index-url", "extra-index-url", "find-links", "no-index"}
PLACE_OPTIONS = ("-i", "-f", "--index", "--extra-index", "--default-index", "--find-links", "--no-index", "--torch")
PLACE_VARIABLES = {
    *("UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "UV_INDEX", "UV_INDEX_URL", "UV_TORCH_BACKEND")
}


def settings(listed: str) -> dict[str, str]:
    """The settings of `pip install` in what `pip config list` printed.

    PIP_* in the environment wins over the section [install], which wins over [global].
    """
    found: dict[str, str] = {}
    for section in ("global.", "install.", ":env:."):
        for line in listed.splitlines():
            name, _, value = line.partition("=")
            if name.startswith(section) and (text := str(ast.literal_eval(value))):
                found[name.removeprefix(section)] = text
    return found


def names_a_place(pip: Mapping[str, str], words: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Whether somebody has said where packages come from."""
    options = any(word.startswith(PLACE_OPTIONS) for word in words)
    return options or bool(PLACES & pip.keys() or PLACE_VARIABLES & environment.keys())


def uv_call(
    pip: Mapping[str, str], words: Sequence[str], environment: Mapping[str, str], system: str
) -> tuple[list[str], dict[str, str]]:
    """The command that installs with uv as pip is set up, and its environment.

    A UV_* variable that is already set stays. On Linux, where nobody has named an index, uv looks at the machine
    and takes the builds of PyTorch that fit it: without a GPU those for processors, which are several GB smaller.
    Raises ValueError with the name of a setting that uv lacks.
    """
    command = [sys.executable, "-m", "uv", "pip", "install", "--python", sys.executable]
    command += ["--index-strategy", "unsafe-best-match"]  # the best version of all indexes, as pip does
    variables: dict[str, str] = {}
    for name, value in pip.items():
        if name in LISTS:
            command += [word for entry in value.split() for word in (LISTS[name], entry)]
        elif name in VARIABLES:
            variables |= dict.fromkeys(VARIABLES[name], " ".join(value.split()))
        elif name == "no-index":
            command += ["--no-index"] if value.lower() in ("1", "true", "yes", "on") else []
        elif name not in INDIFFERENT:
            raise ValueError(name)
    if system == "Linux" and not names_a_place(pip, words, environment):
        command += ["--torch-backend", "auto"]
    said = {name: value for name, value in environment.items() if name.startswith("UV_")}
    return [*command, *words], {**environment, **variables, **said}


def brings_cuda(pip: Mapping[str, str], words: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Whether pip would fetch PyTorch with CUDA for a machine that has no NVIDIA GPU."""
    here = (platform.system(), platform.machine()) == ("Linux", "x86_64")
    return here and not names_a_place(pip, words, environment) and not Path("/dev/nvidiactl").exists()


def with_uv(pip: Mapping[str, str], words: Sequence[str], more: Sequence[str]) -> bool:
    """Install with uv. False, after a line that says why, when it could not."""
    try:
        command, environment = uv_call(pip, [*words, *more], os.environ, platform.system())
    except ValueError as error:
        say(f"pip is set up with `{error}`, which uv lacks; installing with pip.")
        return False
    if subprocess.call([*PIP, "--quiet", UV, *more]):
        say("uv could not be installed; going on with pip.")
        return False
    if subprocess.call(command, env=environment):
        say("uv could not install the packages (see above); going on with pip.")
        return False
    return True


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(words: Sequence[str]) -> int:
    """Install what the words name. Returns an exit status."""
    more = os.environ.get("PIP_ARGS", "").split()
    listed = subprocess.run([*PIP[:3], "config", "list"], capture_output=True, text=True, check=False).stdout
    pip = settings(listed)
    if os.environ.get("INSTALLER") != "pip" and with_uv(pip, words, more):
        return 0
    if brings_cuda(pip, more, os.environ):
        say("This machine has no NVIDIA GPU, but pip's default PyTorch for Linux includes CUDA, several GB of it.")
        say("To avoid that, stop here (Ctrl-C), copy the address of the CPU builds from PyTorch's page 'Get started',")
        say("and run:  make app PIP_ARGS='--extra-index-url ADDRESS'")
    return subprocess.call([*PIP, *words, *more])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
