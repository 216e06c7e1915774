"""The Streamlit server of the browser tests: a failed start is an error."""

import pytest

from tests.helpers.serving import serving


def test_a_server_that_does_not_start_is_an_error(tmp_path):
    with pytest.raises(RuntimeError, match="ended with status"), serving(tmp_path / "missing.py"):
        pass
