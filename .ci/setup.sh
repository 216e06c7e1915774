#!/bin/sh
# Makes .venv hold what requirements.txt names; make runs it first, and it returns at once when nothing changed.
#
#   sh .ci/setup.sh          PYTHON=...    the interpreter to build on (default: the first that fits)
#                              PIP_ARGS=...  more words for `pip install`
#
# .venv/installed.txt  a copy of the requirements.txt that was installed completely
# .venv/unfinished     an install began; if it is still there at the next start, the environment is rebuilt
# .venv/lock           a link naming the process that is installing
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

ready() { cmp -s requirements.txt "$venv/installed.txt" && "$python" -c '' 2>/dev/null; }

# One word about an interpreter: old, intel (PyTorch has no builds), bare (cannot make environments), good or new.
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
        say "$new is newer than the pinned packages were tried with; Python 3.11 to 3.14 is the safer choice."
    elif [ -n "$bare" ]; then
        version=$("$bare" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        fail "$bare is Python $version, but it cannot make virtual environments: its venv package is missing." \
            "  Debian, Ubuntu:  sudo apt-get install python$version-venv" \
            "Then run the same command again."
    elif [ -n "$intel" ]; then
        fail "$intel is built for Intel Macs, for which PyTorch has no current builds." \
            "On a Mac with Apple silicon, install a native Python (brew install python@3.13) and run this again."
    else
        seen=$("${PYTHON:-python3}" -V 2>/dev/null) || seen="not there"
        fail "Python 3.11 or newer is needed; ${PYTHON:-python3} is $seen." \
            "  Debian, Ubuntu:  sudo apt-get install python3 python3-venv" \
            "  macOS:           brew install python@3.13" \
            "It is somewhere else? Name it:  make app PYTHON=/where/it/is/python3"
    fi
}

alive() { kill -0 "$1" 2>/dev/null || ps -p "$1" >/dev/null 2>&1; } # another user's process cannot be signalled

take_lock() {
    mkdir -p "$venv"
    told=''
    until ln -s $$ "$venv/lock" 2>/dev/null; do
        owner=$(readlink "$venv/lock" || true)
        if [ -n "$owner" ] && ! alive "$owner"; then # it was killed
            # Another waiter may have found that too, and hold the lock by now: then it is given back.
            mv "$venv/lock" "$venv/lock.$$" 2>/dev/null || continue
            holder=$(readlink "$venv/lock.$$")
            rm -f "$venv/lock.$$"
            [ "$holder" = "$owner" ] || ln -s "$holder" "$venv/lock"
            continue
        fi
        [ -n "$told" ] || say "Process $owner is already installing into $venv; waiting for it."
        told=yes
        sleep 1
    done
    trap 'rm -f "$venv/lock"' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

build() {
    find_python
    say "Making a virtual environment in $venv with $("$found" -V) ($found)."
    find "$venv" -mindepth 1 -maxdepth 1 ! -name lock -exec rm -rf {} +
    : >"$venv/unfinished"
    "$found" -m venv "$venv" || fail "The virtual environment could not be made; the lines above say why."
}

warn_of_cuda() {
    [ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || return 0
    [ -z "${PIP_ARGS:-}" ] && [ ! -e /dev/nvidiactl ] || return 0
    case $("$python" -m pip config list 2>/dev/null) in *index* | *links*) return 0 ;; esac
    say "No NVIDIA GPU was found, yet pip's default torch for Linux brings CUDA, several GB of it. To save them, stop" \
        "here (Ctrl-C), copy the address of the CPU builds from PyTorch's page 'Get started' and give it to make:" \
        "    make app PIP_ARGS='--extra-index-url ADDRESS'"
}

install() {
    say "Installing requirements.txt into $venv: the first time some minutes and 2 GB, later only what is new."
    warn_of_cuda
    # Unquoted on purpose: PIP_ARGS is a list of words.
    # shellcheck disable=SC2086
    "$python" -m pip install --disable-pip-version-check --no-input -r requirements.txt ${PIP_ARGS:-} ||
        fail "The installation did not finish; pip's last lines say why. Run the same command again to go on:" \
            "what was downloaded is kept."
    cp requirements.txt "$venv/installed.new"
    mv "$venv/installed.new" "$venv/installed.txt"
    rm -f "$venv/unfinished"
    say "Installed."
}

ready && exit 0
take_lock
ready && exit 0 # another process has done it meanwhile
if [ -e "$venv/unfinished" ]; then
    say "An earlier installation was interrupted; starting it again (downloads were kept)."
    build
elif ! "$python" -m pip --version >/dev/null 2>&1; then
    build
elif [ -e "$venv/installed.txt" ]; then
    say "requirements.txt has changed."
    : >"$venv/unfinished"
fi # else: an environment that somebody made by hand; pip adds what is missing
install
