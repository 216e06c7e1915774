"""Numbers as people read them on a page, where a minus sign is no hyphen."""

MINUS = "−"
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def number(text: str) -> float:
    """The value of a number on a page."""
    digits, _, power = text.replace(MINUS, "-").removeprefix("<").partition("×10")
    return float(digits) * 10 ** int(power.translate(RAISED) or 0)


def written(value: float, decimals: int) -> str:
    """A number as a page shows it."""
    return f"{value:.{decimals}f}".replace("-", MINUS)
