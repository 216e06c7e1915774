"""Threads follow what a process may use; a bad OMP_NUM_THREADS is ignored with a line; caches are bounded."""

import subprocess
import sys

import pytest
import torch

from attn_core.training.speed import cpu_tuning, threads


@pytest.mark.parametrize(("asked", "wanted"), [(None, 2), ("5", 5)])
def test_threads_are_limited_to_the_usable_cores_unless_more_are_asked_for(asked, wanted, monkeypatch):
    monkeypatch.setattr(threads, "cpu_count", lambda: 2)
    if asked:
        monkeypatch.setenv("OMP_NUM_THREADS", asked)
    else:
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    torch.set_num_threads(5)
    threads.limit_threads()
    assert torch.get_num_threads() == wanted
    torch.set_num_threads(1)
    threads.limit_threads()
    assert torch.get_num_threads() == 1, "fewer threads stay as they are"


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, {"GOMP_SPINCOUNT": "30000"}),
        ({"GOMP_SPINCOUNT": "5"}, {"GOMP_SPINCOUNT": "5"}),
        ({"OMP_WAIT_POLICY": "active"}, {"OMP_WAIT_POLICY": "active"}),
    ],
)
def test_waiting_is_bounded_unless_the_environment_says_otherwise(given, wanted, monkeypatch):
    monkeypatch.setattr(cpu_tuning.os, "environ", dict(given))
    cpu_tuning.bound_waiting()
    assert cpu_tuning.os.environ == wanted


def test_a_process_bound_to_one_core_has_one(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {0}, raising=False)
    assert threads.usable_cores() == 1


@pytest.mark.parametrize("good", ["1", "16", "1024", "4,2", " 3 "])
def test_a_number_of_threads_is_kept(good, monkeypatch, capsys):
    monkeypatch.setenv("OMP_NUM_THREADS", good)
    cpu_tuning.check_thread_count()
    assert cpu_tuning.os.environ["OMP_NUM_THREADS"] == good
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("bad", ["two", "0", "-1", "", "1.5", "4,x", "1025", "9" * 20, "٣"])
def test_what_is_no_number_of_threads_is_ignored_with_a_line(bad, monkeypatch, capsys):
    monkeypatch.setenv("OMP_NUM_THREADS", bad)
    cpu_tuning.check_thread_count()
    assert "OMP_NUM_THREADS" not in cpu_tuning.os.environ
    assert capsys.readouterr().err == (
        f"warning: OMP_NUM_THREADS={bad!r} is ignored: it takes a number of threads, 1 to 1024\n"
    )


def test_caches_are_bounded_unless_the_environment_says_otherwise(monkeypatch):
    monkeypatch.setattr(cpu_tuning.os, "environ", {"LRU_CACHE_CAPACITY": "1000"})
    cpu_tuning.bound_caches()
    assert cpu_tuning.os.environ == {"LRU_CACHE_CAPACITY": "1000", "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "64"}


def test_tuning_can_be_imported_without_torch():
    code = "import sys, attn_core.training.speed.cpu_tuning as t; t.tune_before_torch(); print('torch' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stdout.split() == ["False"], run.stderr
