"""A headless Chromium for the tests of the player and the app."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Locator, Page, Playwright, sync_playwright

from tests.helpers.javascript import settle

# Root in a container cannot use the sandbox; the other flags stop background requests that would wait for a network.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def launch_browser(executable: str) -> Iterator[Browser]:
    """Launch the browser at `executable` (see the fixture `chromium`); it is closed at the end."""
    with sync_playwright() as playwright, launched_by(playwright, executable) as browser:
        yield browser


@contextmanager
def launched_by(playwright: Playwright, executable: str) -> Iterator[Browser]:
    """`launch_browser` for a driver that runs already: its synchronous API can run only once at a time."""
    browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
    try:
        yield browser
    finally:
        browser.close()


def drag(page: Page, half_width: int) -> None:
    """Move the slider for D as a pointer does, without releasing it."""
    page.get_by_label("Half-width D").evaluate(
        """(knob, d) => {
          knob.dispatchEvent(new PointerEvent("pointerdown"));
          knob.value = d;
          knob.dispatchEvent(new Event("input"));
        }""",
        half_width,
    )


def pull(handle: Locator, right: float, down: float = 0, hold: bool = False) -> None:
    """Drag a handle by its middle with the mouse; with `hold`, the button stays pressed."""
    handle.scroll_into_view_if_needed()
    page, box = handle.page, handle.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, y + down, steps=5)
    if not hold:
        page.mouse.up()
    settle(page)


def swipe(page: Page, *points: tuple[float, float]) -> None:
    """Swipe over the points with one finger. The page must have been opened with `has_touch`."""
    finger = page.context.new_cdp_session(page)
    for kind, (x, y) in zip(["touchStart", *["touchMove"] * (len(points) - 1)], points, strict=True):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    finger.detach()
