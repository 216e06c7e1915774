"""Kill training at random moments, resume it, and compare the result bit for bit with an uninterrupted run.

python tests/benchmarks/kills.py                        (make bench-kills)
python tests/benchmarks/kills.py --trials 2 --busy 0    few trials, as a check that everything runs

A trial is a small training run on a synthetic task. It is started, sent SIGKILL, SIGTERM or SIGINT after a random time,
and resumed, as often as there are signals; then it runs to the end. Weights, vocabularies, metrics and state
(optimizer, random numbers, history) must equal those of an uninterrupted run; only times may differ. Busy loops run at
the same time, so that the moments of the signals and the scheduling of threads vary. The exit status is 1 if any trial
differs.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from safetensors import safe_open

from tests.robustness import busy

ROOT = Path(__file__).resolve().parents[2]
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
CLOCKS = ("seconds", "words_per_second", "train_seconds")
SETTINGS = {"epochs": 4, "save_every": 7, "patience": 0, "dropout": 0.2, "average": 0.9, "batch": 8}


def start(out: Path, examples: int) -> subprocess.Popen[bytes]:
    """Start or resume the training in `out` as a process."""
    words = ["train", "luong-general-global", "--task", "reverse", "--examples", str(examples), "--out", str(out)]
    words += [word for name, value in SETTINGS.items() for word in ("--set", f"{name}={value}")]
    words += ["--resume"] if (out / "state.safetensors").exists() else []
    command = [sys.executable, "-m", "attn_core", *words]
    # Waiting threads must not spin: on a loaded machine, two that wait for each other would take minutes.
    environment = os.environ | {"OMP_WAIT_POLICY": "PASSIVE"}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def finish(out: Path, examples: int) -> float:
    """Train to the end; returns the seconds it took. Raises RuntimeError if training fails."""
    began = time.monotonic()
    process = start(out, examples)
    error = process.communicate()[1].decode()
    if process.returncode:
        raise RuntimeError(f"training in {out} failed: {error}")
    return time.monotonic() - began


def kill(out: Path, examples: int, delay: float, number: signal.Signals) -> str:
    """Train, send a signal after `delay` seconds, and return a description of what happened."""
    process = start(out, examples)
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        process.send_signal(number)
    error = process.communicate()[1].decode()
    if process.returncode == 1:  # bad input, that is, a folder that cannot be resumed
        raise RuntimeError(f"after {number.name} training in {out} failed: {error}")
    return f"{number.name} after {delay:.1f} s" + (" (had ended)" if process.returncode == 0 else "")


def outcome(out: Path) -> dict[str, Any]:
    """All results of a training run except times: the bytes of files, or parsed JSON."""
    found: dict[str, Any] = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    found["metrics.jsonl"] = [timeless(json.loads(line)) for line in found["metrics.jsonl"].splitlines()]
    for name in found.keys() & {
        "config.json",
        "browser.json",
    }:  # with the name of the model, which is that of the folder
        found[name] = timeless(json.loads(found[name])) | {"name": ""}
    del found["state.safetensors"]
    with safe_open(out / "state.safetensors", "pt") as file:
        found |= {f"state: {key}": file.get_tensor(key).numpy().tobytes() for key in file.keys()}  # noqa: SIM118
        found |= {f"state: {key}": timeless(json.loads(value)) for key, value in file.metadata().items()}
    return found


def timeless(value: Any) -> Any:
    """A JSON value without its entries for times."""
    if isinstance(value, dict):
        return {key: timeless(entry) for key, entry in value.items() if key not in CLOCKS}
    return [timeless(entry) for entry in value] if isinstance(value, list) else value


def differences(found: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    """The names of the entries in which two outcomes differ."""
    return sorted(key for key in found.keys() | wanted.keys() if found.get(key) != wanted.get(key))


def trials(folder: Path, number: int, kills: int, examples: int, seed: int) -> Iterator[tuple[list[str], list[str]]]:
    """For each trial: the signals, and the differences from an uninterrupted run."""
    dice = random.Random(seed)
    seconds = finish(folder / "whole", examples)
    wanted = outcome(folder / "whole")
    for trial in range(number):
        out = folder / f"trial-{trial}"
        signals = [kill(out, examples, dice.uniform(0.2, seconds), dice.choice(SIGNALS)) for _ in range(kills)]
        finish(out, examples)
        yield signals, differences(outcome(out), wanted)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--kills", type=int, default=2, help="signals in each trial")
    parser.add_argument("--busy", type=int, default=8, help="busy loops beside the training")
    parser.add_argument("--examples", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    equal = 0
    with tempfile.TemporaryDirectory() as folder, busy(given.busy):
        for number, (signals, unlike) in enumerate(
            trials(Path(folder), given.trials, given.kills, given.examples, given.seed), 1
        ):
            equal += not unlike
            print(f"{number:>3}  {', '.join(signals)}: {', '.join(unlike) or 'equal'}", flush=True)
    print(f"{equal} of {given.trials} trials equal the uninterrupted run, bit for bit")
    return int(equal < given.trials)


if __name__ == "__main__":
    sys.exit(main())
