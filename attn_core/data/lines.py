"""What a line of text is, for files, gzip files, columns and standard input. The page has app/lab/corpus/text.js.

A text is UTF-8, with or without a byte order mark, and has no NUL. A line ends with LF or CR LF, the last one also with
the end of the text. Nothing else ends a line: a CR within it separates words, as a space does, and so do the other
characters that Python's `splitlines` splits at. Otherwise one stray CR would shift all later lines of a parallel text.
"""

GZIP_MAGIC = b"\x1f\x8b"  # the first two bytes of a gzip file


def line_of(raw: bytes, number: int) -> str:
    """The text of line `number`, counted from 1, whose bytes were split after LF; without its end.

    Raises ValueError with the reason and what to do if it is not text.
    """
    advice = "convert it to UTF-8, for example with iconv"
    if number == 1 and raw.startswith(GZIP_MAGIC):
        advice = "it is compressed by gzip: decompress it, or give it a name that ends in .gz"
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8; {advice}") from error
    if "\0" in text:
        raise ValueError(f"it has a NUL character, as UTF-16 and binary files have; {advice}")
    return (text.removeprefix("\ufeff") if number == 1 else text).removesuffix("\n").removesuffix("\r")
