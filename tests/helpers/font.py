"""Write the font of the pages, attn_core/browser/vendor/attention-sans.woff2, from Adobe's Source Sans 3.

It was run once, with packages that the project does not need otherwise:

    npm pack source-sans@3.52.0 && tar xzf source-sans-3.52.0.tgz
    python -m venv fonts && fonts/bin/pip install fonttools==4.68.0 brotli==1.2.1
    fonts/bin/python -m tests.helpers.font package/VF/SourceSans3VF-Upright.ttf

The result has the letters of the interface and of its languages, in weights from 400 to 700. The licence reserves the
name "Source" for the font as published, so the part has a name of its own.
"""

import io
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

NAME = "Attention Sans"
FILE = Path(__file__).parents[2] / "attn_core" / "browser" / "vendor" / "attention-sans.woff2"
WEIGHTS = (400, 400, 700)  # the lightest, the default, the heaviest
LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x100)]  # as far as Latin-1
MORE = (
    "ıŁłŒœŠšŸŽžĆćČčĞğŘřŞş"
    "αβγδεζηθλμνξπρστφχψωΓΔΘΛΠΣΦΨΩ"
    "\u0302\u0303\u0304\u0305\u0307\u0308"  # over a letter: ^ ~ and bars, dots
    "⁰⁴⁵⁶⁷⁸⁹⁻ᵀ₀₁₂₃₄₅₆₇₈₉₋"
    "–—‘’‚“”„†•…‰‹›‖€™←↑→↓↔−×÷±√∞∑≤≥≠≈∂✓✗▾▸○●"
    "\u2009\u202f\u200b"  # spaces
)
SUBSCRIPTS = {"ₜ": "ᵗ", "ᵢ": "ⁱ", "ₐ": "ᵃ"}  # the font has the raised letters only
DROP = 580  # from a raised digit to a lowered one, in units of the font
FEATURES = ["kern", "mark", "mkmk", "ccmp", "tnum"]


def main(published: Path) -> None:
    # Imported by name: fonttools is no dependency of the project.
    instancer, subset = import_module("fontTools.varLib.instancer"), import_module("fontTools.subset")
    open_font = import_module("fontTools.ttLib").TTFont
    font = open_font(published, recalcTimestamp=False)
    instancer.instantiateVariableFont(font, {"wght": WEIGHTS}, inplace=True)
    whole = io.BytesIO()
    font.save(whole)
    font = open_font(whole, recalcTimestamp=False)
    lower_letters(font)
    options = subset.Options(flavor="woff2", layout_features=FEATURES, name_IDs=[0, 1, 2, 4, 6, 13, 14], hinting=False)
    options.drop_tables += ["MVAR", "STAT"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[*LATIN, *map(ord, [*MORE, *SUBSCRIPTS])])
    subsetter.subset(font)
    for record in font["name"].names:
        if record.nameID in (1, 4, 6):
            record.string = NAME if record.nameID != 6 else NAME.replace(" ", "")
    subset.save_font(font, FILE, options)
    left = [letter for letter in [*MORE, *SUBSCRIPTS] if ord(letter) not in font.getBestCmap()]
    print(f"{FILE}: {FILE.stat().st_size} bytes; not in the font: {' '.join(left) or 'nothing'}")


def lower_letters(font: Any) -> None:
    """Turn raised letters, which no page uses, into lowered ones."""
    shapes, names = font["glyf"], font.getBestCmap()
    for low, high in SUBSCRIPTS.items():
        name = names[ord(high)]
        shapes[name].coordinates.translate((0, -DROP))
        shapes[name].recalcBounds(shapes)
        for table in font["cmap"].tables:
            if table.cmap.pop(ord(high), None):
                table.cmap[ord(low)] = name


if __name__ == "__main__":
    main(Path(sys.argv[1]))
