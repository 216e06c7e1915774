"""Numbers as people read them on a page, where a minus sign is no hyphen."""

MINUS = "−"


def number(text: str) -> float:
    """The value of a number on a page."""
    return float(text.replace(MINUS, "-"))


def written(value: float, decimals: int) -> str:
    """A number as a page shows it."""
    return f"{value:.{decimals}f}".replace("-", MINUS)
