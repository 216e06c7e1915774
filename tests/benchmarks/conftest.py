"""A small corpus on which the comparisons of toolkits are tested."""

import pytest


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """A folder in Multi30k's layout, with a separate cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, lines in (("train", ["a b", "b \u00a0 c", " "]), ("val", ["a"]), ("test_2016_flickr", ["b", "c"])):
        for lang in ("de", "en"):
            (tmp_path / f"{name}.lc.norm.tok.{lang}").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return tmp_path
