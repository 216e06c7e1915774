"""How many sentence pairs are joined into one, in words; does not import torch."""


def sizes(most: int) -> str:
    """The numbers of pairs in a group of 2 to `most`."""
    return f"2 to {most}" if most > 2 else "2"
