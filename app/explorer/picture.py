"""The README's picture: one decoding step of a trained model, drawn by the player in headless Chromium.

python -m app.explorer.picture        writes app/assets/step.png
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from app.service import first
from attn_core import load, translate
from attn_core.browser import html
from attn_core.files import replacing
from attn_core.messages import print_text
from attn_core.program import run_program

MODEL = "luong-concat-local-p"
PICTURE = Path(__file__).parents[1] / "assets" / "step.png"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def main() -> None:
    """Write the picture; exits with a line on standard error where there is no Chromium."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        sys.exit(f"no Chromium was found; looked for {', '.join(BROWSERS)}")
    trace = translate(load(MODEL), first.TEXT)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page(viewport={"width": 1440, "height": 960}, color_scheme="light")
        page.set_content(html(trace, models=[MODEL]))
        page.locator(".live-question").wait_for()  # the model has translated: a recording has no vectors
        page.locator(".ap").focus()
        for _ in range(trace.target.index(first.WORD)):
            page.keyboard.press("ArrowRight")
        page.evaluate("document.activeElement.blur()")
        page.wait_for_timeout(1500)  # until the glide between two steps has ended
        with replacing(PICTURE) as part:
            page.locator(".ap").screenshot(path=part, type="png")
        chromium.close()
    print_text(f"wrote {PICTURE}\n")


if __name__ == "__main__":
    run_program(main)
