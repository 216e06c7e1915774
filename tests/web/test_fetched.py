"""Promises that are kept by name until they fail."""

import pytest

from attn_core.web import bundle
from tests.helpers.javascript import evaluator


@pytest.fixture(scope="module")
def run_js(node, tmp_path_factory):
    return evaluator(node, tmp_path_factory.mktemp("fetched"), (bundle.PLAYER.parent / "hosts" / "fetched.js",))


def test_a_failed_promise_is_tried_again_and_another_is_kept(run_js):
    """A promise that was removed in the meantime does not take the newer one with it when it fails."""
    found = run_js(
        """await (async () => {
          const map = new Map();
          const fail = () => Promise.reject(new Error("no"));
          const kept = js.once(map, "a", async () => 1) === js.once(map, "a", fail);
          await js.once(map, "b", fail).catch(() => {});
          const again = await js.once(map, "b", async () => 2);
          let reject = () => {};
          const slow = js.once(map, "c", () => new Promise((_, no) => { reject = no; }));
          map.delete("c");
          const newer = js.once(map, "c", async () => 3);
          reject(new Error("late"));
          await slow.catch(() => {});
          return [kept, again, map.get("c") === newer];
        })()""",
        None,
    )
    assert found == [True, 2, True]
