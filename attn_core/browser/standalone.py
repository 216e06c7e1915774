"""The frame of an HTML page that needs no other file."""

from html import escape

from attn_core import messages

GENERATOR = '<meta name="generator" content="attn_core">'  # in the head of each page, by which `is_page` knows it
# The page cannot reach any address, and runs only the scripts in it, if any.
_POLICY = "default-src 'none'; {scripts}style-src 'unsafe-inline'; img-src data:; font-src data:"
_DOCUMENT = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
{generator}
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def standalone_page(title: str, style: str, body: str, scripts: str = "") -> str:
    """The page with this title (text), style sheet and content (HTML), in the current language.

    `scripts`: the directives of its security policy for scripts; without them, it can run none.
    """
    return _DOCUMENT.format(
        language=messages.language(),
        policy=escape(_POLICY.format(scripts=f"{scripts}; " if scripts else "")),
        generator=GENERATOR,
        title=escape(title),
        style=style,
        body=body,
    )
