"""Numbers as the pages write them."""

import pytest

from tests.helpers.javascript import CORE, evaluator


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    modules = tuple(path for path in CORE if path.stem == "numbers")
    return evaluator(node, tmp_path_factory.mktemp("numbers"), modules)


SIGNIFICANT = {
    0: "0",
    -1: "−1",
    5921: "5921",
    0.58823: "0.588",
    0.04: "0.0400",
    0.00123: "0.00123",
    0.000893: "8.93×10⁻⁴",
    19.04: "19.0",
    13.0712: "13.1",
    -874.25: "−874",
    1234567: "1.23×10⁶",
    -0.99987: "−0.9999",  # a saturated tanh
    0.9996: "0.9996",
    1.0004: "1.00",
    -3.4e38: "−∞",
}


def test_a_number_by_itself_has_three_significant_digits(run_js):
    assert run_js("input.map(js.significant)", [*SIGNIFICANT]) == [*SIGNIFICANT.values()]


def test_a_number_in_a_column_has_four_decimals(run_js):
    assert run_js("input.map(js.exact)", [0.58823, -12.5, 0.0000893]) == ["0.5882", "−12.5000", "8.93×10⁻⁵"]
