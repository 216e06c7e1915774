"""The shell of the site's pages: policy, heading, menu, and the record that the page's script reads."""

from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

import rcssmin

from attn_core import messages
from attn_core.browser import bundle, embedded
from attn_core.messages import N_, _

ENGINE = "engine.js"
_NAME = N_("Attention explorer")
_POLICY = (
    # The engine's worker is started from a text of the page's own script; its kernel is WebAssembly.
    "default-src 'none'; script-src 'self' '{again}' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; "
    "worker-src 'self' blob:; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'"
)
# If only half of the page's script came, it is fetched again under another address, past the browser's own cache.
_AGAIN = """{
let asked = false;
addEventListener("error", ({ error, target }) => {
  if (asked || !(error instanceof SyntaxError || target instanceof HTMLScriptElement)) return;
  asked = true;
  import(`./SCRIPT?again=${Date.now()}`);
}, true);
}"""
_DOCUMENT = """<!doctype html>
<html lang="{language}"{code} data-pages="{pages}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="description" content="{about}">
<link rel="icon" href="icon.svg">
<link rel="preload" href="{font}" as="font" type="font/woff2" crossorigin>
{sheets}
<title>{title}</title>
</head>
<body>
<script>{again}</script>
<header><strong>{name}</strong><nav>{menu}</nav>{present}</header>
<main>
<noscript><p>{noscript}</p></noscript>
{body}
</main>
<script type="application/json" id="page">{record}</script>
<script type="module" src="{script}"></script>
</body>
</html>
"""


_PRESENT = '<button type="button" class="live-button present"></button>'


@dataclass(frozen=True)
class SitePage:
    """A page of the site: its file, its title in the menu, what it is about, its content, script and style sheets."""

    file: str
    title: str
    about: str
    body: str  # HTML
    script: str
    record: Any = None
    sheets: tuple[str, ...] = ("style.css",)
    presents: bool = False  # whether lab.js shows it in lecture layout


def script(entry: Path) -> str:
    """A page's script with all its modules but the engine: all pages share it, and fetch it with their first model."""
    return bundle.module(entry, engine=f"./{ENGINE}")


def styles(text: str) -> str:
    """Style sheets without comments and spaces that they do not need."""
    return str(rcssmin.cssmin(text))


def document(page: SitePage, pages: list[tuple[str, str]], lecture: tuple[str, ...] = (), code: str = "") -> str:
    """The page as HTML, with a menu of `pages` (file and title).

    `lecture`: the files that Page Down goes through in lecture layout; `code`: the file with the page's QR code, if
    there is one.
    """
    links = (
        f'<a href="{_address(file)}"{" aria-current=page" if file == page.file else ""}>{escape(title)}</a>'
        for file, title in pages
    )
    again = _AGAIN.replace("SCRIPT", page.script)
    allowed = f"sha256-{b64encode(sha256(again.encode()).digest()).decode()}"
    return _DOCUMENT.format(
        language=messages.language(),
        code=f' data-qr="{code}"' if code else "",
        pages=" ".join(map(_address, lecture)),
        present=_PRESENT if page.presents else "",
        policy=escape(_POLICY.format(again=allowed)),
        again=again,
        font=bundle.FONT.name,
        name=escape(_(_NAME)),
        title=escape(f"{page.title} · {_(_NAME)}"),
        about=escape(page.about),
        sheets="\n".join(f'<link rel="stylesheet" href="{sheet}">' for sheet in page.sheets),
        menu="".join(links),
        noscript=escape(_("This page needs JavaScript: everything is computed in your browser.")),
        body=page.body,
        record=embedded(page.record),
        script=page.script,
    )


def _address(file: str) -> str:
    return "./" if file == "index.html" else file
