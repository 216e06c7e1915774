"""No page of the dashboard or of the site logs an error when it is opened by its address."""

from playwright.sync_api import Browser, Page, expect

from app.shell.pages import EXPLORER, labs
from tests.helpers.visits import patience


def opened(browser: Browser, addresses: list[str], ready: str) -> dict[str, list[str]]:
    """The errors that the pages at these addresses log until `ready` is there, by address."""
    errors: dict[str, list[str]] = {}
    context = browser.new_context()
    for address in addresses:
        page: Page = context.new_page()
        page.set_default_timeout(patience())
        found = errors.setdefault(address, [])
        page.on("pageerror", lambda error, found=found: found.append(str(error)))
        page.on("console", lambda message, found=found: message.type == "error" and found.append(message.text))
        page.goto(address)
        expect(page.locator(ready).first).to_be_visible()
        page.wait_for_load_state("networkidle")
        page.close()
    context.close()
    return errors


def test_no_page_of_the_dashboard_logs_an_error(browser, live_dashboard):
    places = [f"{live_dashboard}/{place.path}" for place in (EXPLORER, *labs())]
    assert opened(browser, places, '[data-testid="stApp"] [data-testid="stVerticalBlock"]') == {
        one: [] for one in places
    }


def test_no_page_of_the_site_logs_an_error(browser, site_address, written_site):
    places = [f"{site_address}{path.name}" for path in sorted(written_site.glob("*.html"))]
    assert opened(browser, places, "main, h1") == {one: [] for one in places}
