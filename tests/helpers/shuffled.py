"""A pytest plugin: `-p tests.helpers.shuffled --shuffle SEED` shuffles the files, and the tests within each file.

The tests of a file stay together, because module fixtures are made once per file.
"""

import random
from itertools import groupby

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", type=int, metavar="SEED", help="shuffle the files, and the tests within each")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    seed = config.getoption("--shuffle")
    if seed is None:
        return
    dice = random.Random(seed)
    files = [list(tests) for _, tests in groupby(items, key=lambda item: item.path)]
    dice.shuffle(files)
    for tests in files:
        dice.shuffle(tests)
    items[:] = [test for tests in files for test in tests]
