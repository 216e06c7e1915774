"""What `train` prints before the first epoch."""

import pytest

from attn_core.cli.screen import long_warmup
from attn_core.models.recipe import TrainConfig
from tests.cli.test_cli_train import SETS, SETTINGS, prefix  # noqa: F401  a fixture
from tests.helpers.terminal import run, set_options


@pytest.mark.parametrize(("warmup", "lines"), [(200, 1), (101, 1), (100, 0)])
def test_a_warmup_longer_than_the_run_is_pointed_out(warmup, lines):
    """10 epochs of 10 updates are 100 updates."""
    found = long_warmup(TrainConfig(epochs=10, warmup=warmup), 10)
    assert len(found) == lines
    for line in found:
        assert line.startswith(f"warm-up ({warmup} updates) is longer than this run (100 updates): the learning rate ")
        assert line.endswith("; try --set warmup=20")


def test_a_training_begins_with_the_line_about_its_warmup(prefix, tmp_path):  # noqa: F811
    """40 pairs in batches of 16 are 3 updates per epoch; the run is resumed with its 1 epoch, which is not given."""
    words = ["train", "luong-dot-global", "--train", prefix, "--valid", prefix, "--out", tmp_path / "o", "--tokenized"]
    found = run(*words, *SETS, "--set", "epochs=1", "--set", "warmup=4")
    assert found.status == 0
    assert found.err.splitlines()[1:] == [
        "warm-up (4 updates) is longer than this run (3 updates): the learning rate never reaches its full value; try "
        "--set warmup=1"
    ]
    others = {name: value for name, value in SETTINGS.items() if name != "epochs"}
    found = run(*words, *set_options(others | {"warmup": 4}), "--resume")
    assert (found.status, "best epoch: 1 of 1 " in found.out, "stopped early" in found.out) == (0, True, False)
