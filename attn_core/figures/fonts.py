"""The fonts that are installed, and text as outlines, which look the same on every machine."""

import os
import re
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path

import uharfbuzz as hb

USUAL = ("Liberation Sans", "Arial", "Helvetica", "DejaVu Sans")  # the default: the first of these that is installed
_ENDINGS = (".ttf", ".otf", ".ttc", ".otc")
_CLUSTERS = re.compile("[^\u0300-\u036f][\u0300-\u036f]*", re.DOTALL)  # a letter and the marks over it
_NORMAL, _BOLD = 400, 700  # weights


@dataclass(frozen=True)
class FontFace:
    """One face of a font file: a weight of a family, upright or italic."""

    file: Path
    index: int  # in a collection
    family: str
    weight: int
    stretch: int  # 5: neither condensed nor expanded
    italic: bool

    @cached_property
    def _face(self) -> hb.Face:
        return hb.Face(hb.Blob.from_file_path(str(self.file)), self.index)

    @cached_property
    def letters(self) -> frozenset[int]:
        """The code points that have a glyph."""
        return frozenset(self._face.unicodes)

    def has(self, text: str) -> bool:
        return all(ord(letter) in self.letters for letter in text)

    def outline(self, text: str, size: float, start: float) -> tuple[str, float]:
        """The glyphs of `text` as the data of an SVG path that starts at x = `start`, and the x at which they end."""
        font, buffer = hb.Font(self._face), hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        hb.shape(font, buffer)
        path = _Path(size / self._face.upem, start)
        for glyph, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            path.draw(font, glyph.codepoint, place.x_offset, place.y_offset)
            path.x += place.x_advance * path.scale
        return "".join(path.parts), path.x


class _Path:
    """The data of an SVG path, in which y grows downwards; glyphs are drawn at `x`."""

    def __init__(self, scale: float, x: float):
        self.scale, self.x, self.parts = scale, x, list[str]()
        self.shift: tuple[float, float] = (0, 0)
        self._to_path = hb.DrawFuncs()
        self._to_path.set_move_to_func(lambda *at: self._add("M", *at[:2]))
        self._to_path.set_line_to_func(lambda *at: self._add("L", *at[:2]))
        self._to_path.set_quadratic_to_func(lambda *at: self._add("Q", *at[:4]))
        self._to_path.set_cubic_to_func(lambda *at: self._add("C", *at[:6]))
        self._to_path.set_close_path_func(lambda *_: self.parts.append("Z"))

    def draw(self, font: hb.Font, glyph: int, right: float, up: float) -> None:
        self.shift = (right, up)
        font.draw_glyph(glyph, self._to_path)

    def _add(self, command: str, *at: float) -> None:
        right, up = self.shift
        numbers = (
            self.x + (value + right) * self.scale if i % 2 == 0 else -(value + up) * self.scale
            for i, value in enumerate(at)
        )
        self.parts.append(command + " ".join(f"{value:.2f}" for value in numbers))


@cache
def installed() -> dict[str, list[FontFace]]:
    """The installed faces by family, in alphabetical order. Files that are no fonts are left out."""
    families: dict[str, list[FontFace]] = {}
    for folder in _folders():
        for file in sorted(folder.rglob("*")):
            if file.suffix.lower() in _ENDINGS:
                for face in _faces(file):
                    families.setdefault(face.family, []).append(face)
    return dict(sorted(families.items()))


def family_of(font: str | None) -> str:
    """The name of an installed family; None is the first of USUAL that is there.

    Raises ValueError for a font that is not installed; the message names those that are.
    """
    by_name = {name.casefold(): name for name in installed()}
    names = USUAL if font is None else (font,)
    for name in names:
        if name.casefold() in by_name:
            return by_name[name.casefold()]
    known = [*installed()]
    some = ", ".join(known[:12]) + (f" and {len(known) - 12} more (figures.fonts.installed())" if known[12:] else "")
    raise ValueError(f"the font {' or '.join(map(repr, names))} is not installed; installed: {some or 'no font'}")


def check_letters(texts: Sequence[str]) -> None:
    """Raise ValueError for a letter that no installed font has."""
    for letter in sorted({letter for text in texts for letter in text}):
        if letter.isprintable() and not letter.isspace() and not _having(letter):
            raise ValueError(f"no installed font has the letter {letter!r}: install one that has it")


def outline(text: str, family: str, size: float, bold: bool = False) -> tuple[str, float]:
    """`text` as the data of an SVG path that starts at x = 0 on the line y = 0, and its width.

    A letter that the family lacks is drawn in another installed font.
    """
    parts, end = [], 0.0
    for face, clusters in groupby(_CLUSTERS.findall(text), lambda cluster: _face_for(cluster, family, bold)):
        path, end = face.outline("".join(clusters), size, end)
        parts.append(path)
    return "".join(parts), end


@cache
def _face_for(cluster: str, family: str, bold: bool) -> FontFace:
    """The face for a letter and the marks over it, which are drawn in one font."""
    weight = _BOLD if bold else _NORMAL
    own = min(installed()[family], key=lambda face: (face.italic, abs(face.stretch - 5), abs(face.weight - weight)))
    return own if own.has(cluster) or cluster.isspace() else next(iter(_having(cluster)), own)


@cache
def _having(cluster: str) -> list[FontFace]:
    """The upright faces with a letter and its marks: those of normal weight first, and those without serifs."""
    faces = (face for faces in installed().values() for face in faces)
    found = [face for face in faces if not face.italic and face.has(cluster)]
    return sorted(found, key=lambda face: (abs(face.weight - _NORMAL), "Sans" not in face.family))


def _folders() -> list[Path]:
    """The folders in which the system keeps fonts; those of vl-convert, which lays figures out, are the same."""
    home = Path.home()
    if sys.platform == "win32":
        local = Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local"))
        folders = [
            Path(os.environ.get("SYSTEMROOT", "C:\\Windows"), "Fonts"),
            local / "Microsoft" / "Windows" / "Fonts",
        ]
    elif sys.platform == "darwin":
        folders = [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library" / "Fonts"]
    else:
        data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
        folders = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), home / ".fonts", data / "fonts"]
    return [folder for folder in folders if folder.is_dir()]


def _faces(file: Path) -> Iterator[FontFace]:
    try:
        blob = hb.Blob.from_file_path(str(file))
    except (OSError, hb.HarfBuzzError):
        return
    for index in range(hb.Face(blob).count):
        face = hb.Face(blob, index)
        names = (face.get_name(hb.OTNameIdPredefined[name]) for name in ("TYPOGRAPHIC_FAMILY", "FONT_FAMILY"))
        style = face.reference_table("OS/2").data
        family = next(filter(None, names), None)
        if family and style and len(style) >= 64:
            weight, stretch, selection = (struct.unpack(">H", style[at : at + 2])[0] for at in (4, 6, 62))
            yield FontFace(file, index, family, weight, stretch, bool(selection & 1))
