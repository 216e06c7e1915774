"""The dashboard's log in the terminal where it was started: links, file names and errors of others in its lines."""

import logging

from attn_core.messages import visible_lines


class _Visible(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return visible_lines(super().format(record))


def log_visibly() -> None:
    """Print warnings and tracebacks of the dashboard with their control characters escaped."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Visible())
    handler.setLevel(logging.WARNING)
    logging.getLogger("app").handlers = [handler]
