"""The files of the site.

index.html                     the first translation, as the dashboard shows it, and the addresses of the models
app.js, style.css              the page's script and style
sw.js                          the service worker: the page opens without a network after the first visit
models/NAME-DIGEST.json        a model's graphs, vocabularies and rules (web/model_files.py)
models/NAME-DIGEST.safetensors its weights

All addresses are relative. Those of models change with their contents, so that browsers may keep them.
"""

import json
import shutil
from hashlib import sha256
from html import escape
from pathlib import Path
from tempfile import mkdtemp

from app.service.catalogue import catalogue, first
from app.service.first import example, shipped_answer
from app.service.view import BEAMS, View
from attn_core import messages
from attn_core.messages import _
from attn_core.web import bundle, embedded
from attn_core.web.model_files import GRAPHS, model_files

_HERE = Path(__file__).parent
_POLICY = (
    # The engine's worker is started from a text of the page's own script; its kernel is WebAssembly.
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; "
    "worker-src 'self' blob:; img-src 'self' data:; base-uri 'none'; form-action 'none'"
)
_INDEX = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="description" content="{about}">
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="style.css">
<title>{title}</title>
</head>
<body>
<main>
<h1>{title}</h1>
<p class="about">{about}</p>
<noscript><p>{noscript}</p></noscript>
<p class="about" id="note" role="status"></p>
<div id="player"></div>
</main>
<script type="application/json" id="page">{page}</script>
<script type="module" src="app.js"></script>
</body>
</html>
"""


def write(out: Path) -> list[Path]:
    """Write the site to the folder `out` in place of a site written before; returns its files.

    Raises ValueError if no model is exported for the browser, if the first translation is not stored, or if `out` is
    something else than a site. Until all files are written, `out` stays as it is.
    """
    if out.exists() and any(out.iterdir() if out.is_dir() else [out]) and not (out / "sw.js").is_file():
        raise ValueError(_("{path} is not a folder that `make site` wrote; choose another one").format(path=out))
    out.parent.mkdir(parents=True, exist_ok=True)
    part = Path(mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    part.chmod(0o755)
    try:
        _fill(part)
        if out.exists():
            shutil.rmtree(out)
        part.rename(out)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return sorted(path for path in out.rglob("*") if path.is_file())


def first_view(out: Path) -> int:
    """The bytes that a browser fetches before a model."""
    return sum((out / name).stat().st_size for name in _SHELL)


_SHELL = ("index.html", "app.js", "style.css", "icon.svg")


def _fill(folder: Path) -> None:
    models, broken = catalogue()
    if broken:
        raise ValueError("\n".join(broken))
    live = [model for model in models.values() if (model.folder / GRAPHS).is_file()]
    name = first(models)
    answer = shipped_answer(models[name], View(example(), name)) if name in models else None
    if answer is None or name not in [model.name for model in live]:
        raise ValueError(_("the first translation is not stored; run `python -m app.service.first`"))
    (folder / "models").mkdir()
    page = {
        "trace": json.loads(answer.trace),
        "text": example(),
        "models": [_model(model.folder, folder) for model in live],
        "beams": BEAMS,
    }
    index = _INDEX.format(
        language=messages.language(),
        policy=escape(_POLICY),
        title=_("Attention explorer"),
        about=_(
            "Trained translation models run in this page. Drag the window, choose another model, or type a sentence."
        ),
        noscript=_("This page needs JavaScript: it translates by itself, and no server does it instead."),
        page=embedded(page),
    )
    shell = {
        "index.html": index,
        "app.js": bundle.module(_HERE / "site.js"),
        "style.css": bundle.page_style(bundle.LIVE),
        "icon.svg": (_HERE.parent / "shell" / "icon.svg").read_text("utf-8"),
    }
    for file, text in shell.items():
        (folder / file).write_text(text, "utf-8")
    record = {"name": f"shell-{_digest(''.join(shell.values()).encode())}", "files": ["./", *list(shell)[1:]]}
    worker = (_HERE / "sw.js").read_text("utf-8").replace("`SHELL`", f"`{json.dumps(record)}`")
    (folder / "sw.js").write_text(worker, "utf-8")


def _model(model: Path, site: Path) -> dict[str, str]:
    """Write the files of a model; returns their addresses."""
    found = model_files(model)
    record = json.dumps(found.record, ensure_ascii=False, separators=(",", ":")).encode()
    files = {"record": (".json", record), "weights": (".safetensors", found.weights)}
    addresses = {}
    for part, (ending, content) in files.items():
        addresses[part] = f"models/{model.name}-{_digest(content)}{ending}"
        (site / addresses[part]).write_bytes(content)
    return {"name": model.name} | addresses


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:12]
