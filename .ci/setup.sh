#!/bin/sh
# Installs requirements.txt into .venv. Every make command runs it first; it returns at once when nothing has changed.
#
#   sh .ci/setup.sh          PYTHON=...     the interpreter to use (default: the first suitable one)
#                              PIP_ARGS=...   more arguments for `pip install`
#                              INSTALLER=pip  install with pip instead of uv
#
# .venv/installed.txt  a copy of the requirements.txt that was installed completely
# .venv/unfinished     an installation has started; if the file remains, the next start rebuilds the environment
# .venv/lock           a symbolic link to the id of the installing process
# attn_core.pth        in its site-packages, the path of this folder: the environment's Python, also as the kernel of a
#                      notebook in another program, imports attn_core in any folder
set -eu
cd "$(dirname "$0")/.."
venv=.venv
python=$venv/bin/python

say() { printf '%s\n' "$*"; }
fail() {
    printf '\n' >&2
    printf '%s\n' "$@" >&2
    exit 1
}

link='
import os, sysconfig
path = os.path.join(sysconfig.get_path("purelib"), "attn_core.pth")
line = os.fsencode(os.getcwd() + "\n")
try:
    if not os.path.exists(path) or open(path, "rb").read() != line:
        with open(f"{path}.{os.getpid()}", "wb") as new:
            new.write(line)
        os.replace(new.name, path)
except OSError:
    pass # make works without it, so an environment that this user cannot write to is still ready
'

ready() { cmp -s requirements.txt "$venv/installed.txt" && "$python" -I -c "$link" 2>/dev/null; }

# Classifies an interpreter: old, intel (no PyTorch builds), bare (cannot create environments), good or new.
probe='
import platform, sys
if sys.version_info < (3, 11):
    print("old")
elif sys.platform == "darwin" and platform.machine() == "x86_64":
    print("intel")
else:
    try:
        import ensurepip, venv
        print("good" if sys.version_info < (3, 15) else "new")
    except ImportError:
        print("bare")
'

find_python() {
    bare='' intel='' new='' found=''
    for candidate in "${PYTHON:-python3}" ${PYTHON:+-} python3.13 python3.12 python3.11 python3.14; do
        [ "$candidate" = - ] && break # PYTHON was given: only that one
        case $("$candidate" -c "$probe" 2>/dev/null || true) in
            good) found=$candidate && return ;;
            new) new=$candidate ;;
            bare) bare=${bare:-$candidate} ;;
            intel) intel=$candidate ;;
        esac
    done
    if [ -n "$new" ]; then
        found=$new
        say "$new is newer than the versions tested with the pinned packages; Python 3.11 to 3.14 is safer."
    elif [ -n "$bare" ]; then
        version=$("$bare" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        fail "$bare (Python $version) cannot create virtual environments because its venv package is missing." \
            "  Debian, Ubuntu:  sudo apt-get install python$version-venv" \
            "Then run the same command again."
    elif [ -n "$intel" ]; then
        fail "$intel is built for Intel Macs, for which PyTorch has no current builds." \
            "On a Mac with Apple silicon, install a native Python (brew install python@3.13) and run this again."
    else
        version=$("${PYTHON:-python3}" -V 2>/dev/null) || version="not installed"
        fail "Python 3.11 or newer is needed; ${PYTHON:-python3} is $version." \
            "  Debian, Ubuntu:  sudo apt-get install python3 python3-venv" \
            "  macOS:           brew install python@3.13" \
            "If it is installed elsewhere, give its path:  make app PYTHON=/path/to/python3"
    fi
}

alive() { kill -0 "$1" 2>/dev/null || ps -p "$1" >/dev/null 2>&1; } # kill fails for another user's process

take_lock() {
    mkdir -p "$venv"
    announced=''
    until ln -s $$ "$venv/lock" 2>/dev/null; do
        owner=$(readlink "$venv/lock" || true)
        if [ -n "$owner" ] && ! alive "$owner"; then # it was killed
            # Another waiting process may have taken the lock in the meantime: then put its lock back.
            mv "$venv/lock" "$venv/lock.$$" 2>/dev/null || continue
            holder=$(readlink "$venv/lock.$$")
            rm -f "$venv/lock.$$"
            [ "$holder" = "$owner" ] || ln -s "$holder" "$venv/lock"
            continue
        fi
        [ -n "$announced" ] || say "Process $owner is already installing into $venv; waiting for it."
        announced=yes
        sleep 1
    done
    trap 'rm -f "$venv/lock"' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

build() {
    find_python
    say "Creating a virtual environment in $venv with $("$found" -V) ($found)."
    find "$venv" -mindepth 1 -maxdepth 1 ! -name lock -exec rm -rf {} +
    : >"$venv/unfinished"
    "$found" -m venv "$venv" || fail "The virtual environment could not be created; see the messages above."
}

install() {
    say "Installing requirements.txt into $venv. The first time takes 2 GB of disk space."
    "$python" .ci/install.py -r requirements.txt ||
        fail "The installation failed; see the last messages. Run the same command again to continue;" \
            "downloaded packages are kept."
    cp requirements.txt "$venv/installed.new"
    mv "$venv/installed.new" "$venv/installed.txt"
    rm -f "$venv/unfinished"
    "$python" -I -c "$link"
    say "Installed."
}

ready && exit 0
take_lock
ready && exit 0 # another process has finished the installation
if [ -e "$venv/unfinished" ]; then
    say "An earlier installation was interrupted; starting again (downloads are kept)."
    build
elif ! "$python" -m pip --version >/dev/null 2>&1; then
    build
elif [ -e "$venv/installed.txt" ]; then
    say "requirements.txt has changed."
    : >"$venv/unfinished"
fi # otherwise an environment created by hand: missing packages are added
install
