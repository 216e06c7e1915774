"""Install packages into the environment that runs this file, with uv, which is much faster than pip, or else with pip.

    python .ci/install.py -r requirements.txt        PIP_ARGS=...    more arguments for `pip install`
                                                     INSTALLER=pip   do not use uv

uv does not read pip's configuration, so it is passed on. If uv lacks one of the settings, or fails, pip is used.
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

# Settings of pip that are lists, and the option of `uv pip install` for one entry.
LISTS = {"find-links": "--find-links", "constraint": "--constraint", "trusted-host": "--allow-insecure-host"}

# Settings of pip passed as environment variables: an address may contain a password, and other users of the machine
# can read command lines.
VARIABLES = {
    "index-url": ("UV_INDEX_URL",),
    "extra-index-url": ("UV_INDEX",),
    "cert": ("SSL_CERT_FILE",),
    "client-cert": ("SSL_CLIENT_CERT",),
    "proxy": ("HTTP_PROXY", "HTTPS_PROXY"),
    "timeout": ("UV_HTTP_TIMEOUT",),
    "default-timeout": ("UV_HTTP_TIMEOUT",),
}

# Settings of pip that affect neither the packages nor their source.
INDIFFERENT = {
    *("cache-dir", "disable-pip-version-check", "log", "no-cache-dir", "no-color", "no-input", "prefer-binary"),
    *("no-warn-script-location", "progress-bar", "quiet", "require-virtualenv", "resume-retries", "retries"),
    *("root-user-action", "use-deprecated", "use-feature", "verbose"),
}

# Settings, (beginnings of) options and environment variables that choose the source of the packages.
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
    """Whether the user has chosen a source of packages."""
    options = any(word.startswith(PLACE_OPTIONS) for word in words)
    return options or bool(PLACES & pip.keys() or PLACE_VARIABLES & environment.keys())


def uv_call(
    pip: Mapping[str, str], words: Sequence[str], environment: Mapping[str, str], system: str
) -> tuple[list[str], dict[str, str]]:
    """The command that installs with uv under pip's configuration, and its environment variables.

    UV_* variables that are already set take precedence. On Linux, if no source of packages is configured, uv chooses
    PyTorch's build for this machine; without a GPU, that is the CPU build, which is several GB smaller. Raises
    ValueError with the name of a setting that uv lacks.
    """
    command = [sys.executable, "-m", "uv", "pip", "install", "--python", sys.executable]
    command += ["--index-strategy", "unsafe-best-match"]  # the best version of all indexes, as in pip
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
    """Whether pip would install PyTorch with CUDA on a machine without an NVIDIA GPU."""
    here = (platform.system(), platform.machine()) == ("Linux", "x86_64")
    return here and not names_a_place(pip, words, environment) and not Path("/dev/nvidiactl").exists()


def with_uv(pip: Mapping[str, str], words: Sequence[str], more: Sequence[str]) -> bool:
    """Install with uv. If that is impossible, print the reason in one line and return False."""
    try:
        command, environment = uv_call(pip, [*words, *more], os.environ, platform.system())
    except ValueError as error:
        say(f"pip is configured with `{error}`, which uv does not support; installing with pip.")
        return False
    if subprocess.call([*PIP, "--quiet", UV, *more]):
        say("uv could not be installed; continuing with pip.")
        return False
    if subprocess.call(command, env=environment):
        say("uv could not install the packages (see above); continuing with pip.")
        return False
    return True


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(words: Sequence[str]) -> int:
    """Install as `pip install` with these arguments would. Returns the exit status."""
    more = os.environ.get("PIP_ARGS", "").split()
    listed = subprocess.run([*PIP[:3], "config", "list"], capture_output=True, text=True, check=False).stdout
    pip = settings(listed)
    if os.environ.get("INSTALLER") != "pip" and with_uv(pip, words, more):
        return 0
    if brings_cuda(pip, more, os.environ):
        say("No NVIDIA GPU was found, but pip's default torch for Linux includes several GB of CUDA. To avoid them,")
        say("press Ctrl-C, copy the address of the CPU builds from PyTorch's 'Get started' page and pass it to make:")
        say("    make app PIP_ARGS='--extra-index-url ADDRESS'")
    return subprocess.call([*PIP, *words, *more])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
