"""The server of the browser tests: when it does not come up, that is said."""

import pytest

from tests.helpers.serving import serving


def test_a_server_that_does_not_come_up_is_an_error(tmp_path):
    with pytest.raises(RuntimeError, match="ended with status"), serving(tmp_path / "missing.py"):
        pass
