"""Measure time and memory of training on a corpus that is streamed from disk, with the real command line.

python tests/benchmarks/big_corpus.py                   5 million pairs: an hour on two cores
python tests/benchmarks/big_corpus.py --pairs 100000    the same on a small scale

Generates parallel text of random words (23 per side, 30,000 different ones per language, Zipf frequencies), trains a
small model on it, stops it in the middle of the epoch with Ctrl-C, resumes it and stops it again. Prints seconds and
memory of both phases, and writes them to tests/benchmarks/results/big-corpus-DATE.json.
"""

import argparse
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from safetensors import safe_open

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from attn_core.files import replacing  # noqa: E402

RESULTS = Path(__file__).with_name("results")
WORDS = 30_000
BLOCK = 100_000  # pairs generated at a time
LIMIT = 1.5e9  # target: bytes of memory of the process
INTERVAL = 0.1  # seconds between two measurements of its memory


def write_text(path: Path, dice: np.random.Generator, lengths: list[np.ndarray]) -> None:
    """Write lines of random words, `lengths` words each; word i has a frequency proportional to 1 / i."""
    letters = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz", dtype="S1")
    words = {dice.choice(letters, n).tobytes().decode() for n in dice.integers(3, 11, 2 * WORDS)}
    words = sorted(words)[:: max(1, len(words) // WORDS)][:WORDS]
    dice.shuffle(words)
    # Each word exists with a space and with a line end. Drawing from a long table is faster than from a distribution.
    spelled = np.array([word + end for end in (" ", "\n") for word in words], dtype=object)
    share = 1 / np.arange(1, len(words) + 1)
    table = dice.choice(len(words), 2**22, p=share / share.sum())
    with path.open("w", encoding="utf-8") as file:
        for block in lengths:
            chosen = table[dice.integers(0, len(table), int(block.sum()))]
            chosen[np.cumsum(block) - 1] += len(words)
            file.write("".join(spelled[chosen]))


def make_corpus(folder: Path, pairs: int) -> float:
    """Write train.xx, train.yy, valid.xx and valid.yy; returns the seconds it took."""
    dice = np.random.default_rng(0)
    began = time.perf_counter()
    for name, n in (("train", pairs), ("valid", 500)):
        sizes = [min(BLOCK, n - start) for start in range(0, n, BLOCK)]
        sources = [np.clip(dice.lognormal(3.03, 0.45, size).round(), 1, 100).astype(np.int64) for size in sizes]
        targets = [
            np.maximum(1, (block * dice.normal(1, 0.12, len(block))).round()).astype(np.int64) for block in sources
        ]
        write_text(folder / f"{name}.xx", dice, sources)
        write_text(folder / f"{name}.yy", dice, targets)
    return time.perf_counter() - began


def progress_in(out: Path) -> dict[str, Any]:
    """The progress in the saved training state; zeros if there is none yet."""
    path = out / "state.safetensors"
    if not path.exists():
        return {"updates": 0, "words": 0, "seconds": 0.0}
    with safe_open(path, "np") as file:
        return json.loads(file.metadata()["progress"])


def train(folder: Path, updates: int, save_every: int, *more: str) -> dict[str, Any]:
    """Run the command line until it has saved `updates` more updates, then send Ctrl-C; returns time and memory."""
    out = folder / "model"
    words = ["train", "luong-general-local-p", "--train", str(folder / "train"), "--valid", str(folder / "valid")]
    words += ["--source-lang", "xx", "--target-lang", "yy", "--tokenized", "--out", str(out)]
    words += ["--set", "epochs=1", "--set", "half_width=10", "--set", f"save_every={save_every}", *more]
    before = progress_in(out)
    ready = out / "corpus" / "train.json"
    began, prepared, peaks = time.perf_counter(), None, {"tokenise": 0, "train": 0}
    process = subprocess.Popen([sys.executable, "-m", "attn_core", *words], cwd=ROOT)
    watched = psutil.Process(process.pid)
    cpu = anonymous = 0.0
    while process.poll() is None:
        if prepared is None and ready.exists():
            prepared, cpu = time.perf_counter() - began, sum(watched.cpu_times()[:2])
        memory = watched.memory_info()
        phase = "tokenise" if prepared is None else "train"
        peaks[phase] = max(peaks[phase], memory.rss)
        anonymous = max(anonymous, memory.rss - memory.shared)
        if progress_in(out)["updates"] >= before["updates"] + updates:
            process.send_signal(signal.SIGINT)
            break
        time.sleep(INTERVAL)
    status = process.wait()
    if status != 130:
        sys.exit(f"training ended with status {status}; expected 130")
    after = progress_in(out)
    done, seconds = after["words"] - before["words"], after["seconds"] - before["seconds"]
    return {
        "updates": after["updates"] - before["updates"],
        "seconds until the corpus was there": prepared,
        "processor seconds until then": cpu,
        "peak while reading": peaks["tokenise"],
        "peak while training": peaks["train"],
        "peak, without mapped files": anonymous,
        "words a second": done / seconds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=5_000_000)
    parser.add_argument("--updates", type=int, default=300, help="before the stop and after it (default: 300)")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--folder", type=Path, help="folder in which the corpus is kept (default: a temporary one)")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="big-corpus-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        if not (folder / "valid.yy").exists():
            print(f"generated {options.pairs:,} pairs in {make_corpus(folder, options.pairs):.0f} s")
        shutil.rmtree(folder / "model", ignore_errors=True)
        save_every = max(1, options.updates // 10)
        threads = ["--threads", str(options.threads)]
        report = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": f"{platform.machine()}, {os.cpu_count()} cores",
            "load": os.getloadavg(),
            "versions": {name: version(name) for name in ("torch", "pyarrow", "numpy")},
            "pairs": options.pairs,
            "bytes of text": sum((folder / f"train.{lang}").stat().st_size for lang in ("xx", "yy")),
            "begun": train(folder, options.updates, save_every, *threads),
            "resumed": train(folder, options.updates, save_every, *threads, "--resume"),
            "bytes of the store": (folder / "model" / "corpus" / "train.arrow").stat().st_size,
        }
    finally:
        if not options.folder:
            shutil.rmtree(folder)
    print(json.dumps(report, indent=1))
    path = RESULTS / f"big-corpus-{report['date'][:10]}.json"
    with replacing(path) as part:
        part.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    highest = max(
        report[run][f"peak while {phase}"] for run in ("begun", "resumed") for phase in ("reading", "training")
    )
    print(f"peak memory {highest / 1e9:.2f} GB (target: below {LIMIT / 1e9} GB); written to {path.relative_to(ROOT)}")
    sys.exit(highest > LIMIT)


if __name__ == "__main__":
    main()
