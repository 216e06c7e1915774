"""Scripts of a reader, named with `--load FILE`: importing one registers its scores, windows and other parts.

Only scripts that the reader has named are imported. Importing this file does not import torch.
"""

import sys
import traceback
from pathlib import Path
from types import ModuleType

from attn_core.messages import _

OPTION = "--load"
_MODULE = "loaded_script_"  # the start of a script's name among the modules, so that `random.py` hides no other module
_loaded: dict[Path, ModuleType] = {}  # by the script's absolute path, in the order of import


class ScriptError(ValueError):
    """A script that cannot be imported. The message is one line that names the script and what to do."""


def load_script(named: str | Path) -> None:
    """Import a Python script, whose classes are then registered; a second call for the same script changes nothing.

    As when Python runs the script, it can import modules of its own folder. Its `__name__` is not "__main__".

    Raises ScriptError if there is no such file, if it is not Python, or if importing it raises an exception, such as
    ValueError for a class with the name of another one.
    """
    path = Path(named).resolve()
    if path in _loaded:
        return
    try:
        code = compile(path.read_bytes(), str(path), "exec")
    except OSError as error:
        message = _("{script} cannot be read ({reason}); give the path of a Python script that registers classes")
        raise ScriptError(message.format(script=str(named) or "''", reason=error.strerror)) from error
    except (SyntaxError, ValueError) as error:  # ValueError: null bytes
        line = getattr(error, "lineno", None)
        reason = _("line {line}: {reason}").format(line=line, reason=getattr(error, "msg", "")) if line else str(error)
        message = _("{script} is not a Python script ({reason}); correct it, or give the script that registers classes")
        raise ScriptError(message.format(script=named, reason=reason)) from error
    module = ModuleType(_module_name(path))
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # where dataclasses and pickle look for it
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # last, so that none of its files hides an installed module
    try:
        exec(code, module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[module.__name__]
        message = _("{script} cannot be imported: {place}{reason}; correct the script")
        raise ScriptError(message.format(script=named, place=_place(error, path), reason=_reason(error))) from error
    _loaded[path] = module


def loaded() -> list[Path]:
    """The absolute paths of the scripts that were imported; a training records their names."""
    return list(_loaded)


def load_options() -> list[str]:
    """The options with which another command of this package imports the same scripts."""
    return [word for path in _loaded for word in (OPTION, str(path))]


def _module_name(path: Path) -> str:
    name = _MODULE + path.stem
    taken = sum(module.__name__.partition("@")[0] == name for module in _loaded.values())
    return f"{name}@{taken}" if taken else name


def _place(error: BaseException, path: Path) -> str:
    """The last line of the script that was running when it raised `error`, for the start of a message."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return _("line {line}: ").format(line=lines[-1]) if lines else ""


def _reason(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return _("it ends the program")
    text = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
