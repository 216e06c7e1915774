"""Warnings and notes that several commands print."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from attn_core.data.form import Form, visible_words
from attn_core.data.language import doubt_of
from attn_core.data.tokenizer import Tokenizer
from attn_core.messages import print_message, print_warning
from attn_core.models.translator import Translator


def warn_of_language(model: Translator, file: Path, lines: Sequence[str], tokenized: bool) -> None:
    """Print a warning if most `lines` of `file` do not seem to be in the model's source language."""
    found = (doubt_of(model.source.tokens(line, tokenized), model.source, model.target) for line in lines)
    doubts = list(filter(None, found))
    if 2 * len(doubts) > len(lines):
        count = f"{len(doubts)} of the {len(lines)} lines of {file}"
        print_warning(f"{model.name} may translate {count} poorly. The first: {doubts[0]}")


@dataclass
class FormNote:
    """Counts the lines of tokenised text that are brought to a form, and those that a vocabulary's text has escaped."""

    vocabulary: Tokenizer
    form: Form
    lines: int = 0
    cleaned: int = 0
    lowered: int = 0
    normalised: int = 0
    unescaped: int = 0

    def count(self, lines: Iterable[str]) -> None:
        """Count the changes to some more lines."""
        letters = Form(self.form.lower, None)
        for line in lines:
            self.lines += 1
            seen = visible_words(line)
            cased = letters.of(line)
            self.cleaned += seen != line
            self.lowered += cased != seen
            self.normalised += self.form.of(line) != cased
            self.unescaped += self._escaped and ("'" in line or '"' in line)

    @cached_property
    def _escaped(self) -> bool:
        """Whether the text of the vocabulary had Moses' escapes."""
        tokens = map(self.vocabulary.token, range(len(self.vocabulary)))
        return any("&apos;" in token or "&quot;" in token for token in tokens)

    def print(self, text: str | Path, more: str = "", whose: str = "the model's") -> None:
        """Print what was changed in `text`, the name of the input, if anything was; `more` is added to the note."""
        changes = [
            f"{self._of_lines(n, text)} {change}"
            for n, change in (
                (self.lowered, "lower-cased"),
                (self.normalised, f"converted to {self.form.unicode}"),
                (self.cleaned, "freed of invisible characters"),
            )
            if n
        ]
        if changes:
            print_message(f"note: {' and '.join(changes)}, as {whose} text was{more}")
        if self.unescaped:
            have = "has" if self.unescaped == 1 else "have"
            print_warning(
                f"{self.unescaped} of {self.lines} lines of {text} {have} ' or \", which {whose} text has as &apos; "
                "and &quot;, as Moses writes them: give the text with these escapes, or text without --tokenized"
            )

    def _of_lines(self, n: int, text: str | Path) -> str:
        return f"{n} of {self.lines} lines of {text} {'was' if n == 1 else 'were'}"


def note_form(
    vocabulary: Tokenizer, text: str | Path, lines: Iterable[str], more: str = "", form: Form | None = None
) -> None:
    """Print a note on the tokenised `lines` of `text` that are brought to a form, by default that of `vocabulary`."""
    note = FormNote(vocabulary, form or vocabulary.form)
    note.count(lines)
    note.print(text, more)
