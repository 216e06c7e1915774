"""One registry per axis: names and settings are available at once, classes are imported on first use."""

import sys
from collections.abc import Callable, Iterator, MutableMapping
from importlib import import_module
from typing import Any, Generic, TypeVar

from attn_core.messages import _, meant

Member = TypeVar("Member")
Variant = TypeVar("Variant", bound=type)


def load(where: str) -> Any:
    """Import `package.module:name` or `package.module` and return it: the project's only deferred import."""
    module, _colon, name = where.partition(":")
    found = import_module(module)
    return getattr(found, name) if name else found


class Unregistered(ValueError):
    """A name that is not in the registry of its axis."""

    def __init__(self, message: str, axis: str, name: str):
        super().__init__(message)
        self.axis, self.name = axis, name


class Registry(MutableMapping[str, type[Member]], Generic[Member]):
    """The classes of one axis, by name.

        WINDOWS: Registry[Window] = Registry("window", Part)
        WINDOWS.at("global", "attn_core.attention.windows:Global")     # imported on first use
        WINDOWS.at("local-m", "attn_core.attention.windows:LocalM", LocalMSettings)

        @WINDOWS.add("mine")                                           # registered at run time
        class Mine(Window): ...

    Iterating yields names without importing anything; `registry[name]` is the class. `plain` is the settings dataclass
    of classes without settings of their own. `at` and `add` also take the words for a class on pages: its `label` in
    menus, and one sentence `about` it.
    """

    def __init__(self, axis: str, plain: type[Any] | None = None):
        self.axis, self.plain = axis, plain
        self._where: dict[str, str] = {}
        self._settings: dict[str, type[Any]] = {}
        self._words: dict[str, tuple[str, str]] = {}
        self._loaded: dict[str, type[Member]] = {}

    def at(self, name: str, where: str, settings: type[Any] | None = None, *, label: str = "", about: str = "") -> None:
        """Register the class at `where` (`package.module:Class`) under `name`, with its settings dataclass.

        Raises ValueError for the name of another class.
        """
        self._check_free(name, where.partition(":")[0])
        self._where[name] = where
        self._words[name] = label, about
        if settings is not None:
            self._settings[name] = settings

    def add(
        self, name: Any, settings: type[Any] | None = None, *, label: str = "", about: str = ""
    ) -> Callable[[Variant], Variant]:
        """Register the decorated class under `name`, with its settings dataclass.

        A class from outside this package can be replaced by one of the same module, as when a cell of a notebook runs
        again. Raises ValueError for the name of any other class, and TypeError if `name` is not a string, as when the
        decorator is used without parentheses.
        """
        if not isinstance(name, str):
            raise TypeError(f'expected the name of a {self.axis} in parentheses, such as add("mine"), not {name!r}')
        self._check_free(name)

        def register(variant: Variant) -> Variant:
            self._check_free(name, variant.__module__)
            self[name] = variant
            self._words[name] = label, about
            setattr(variant, "name", name)  # noqa: B010  the type checker knows of no such attribute
            if settings is not None:
                self._settings[name] = settings
            return variant

        return register

    def _check_free(self, name: str, module: str | None = None) -> None:
        """Raise ValueError if a class of this package has the name, or one of another module than `module`."""
        owner = self._where.get(name, "").partition(":")[0]
        if owner.startswith("attn_core."):
            raise ValueError(f"there is a {self.axis} {name!r} in attn_core; choose another name")
        if owner and module not in (None, owner):
            there = getattr(sys.modules.get(owner), "__file__", None) or owner
            raise ValueError(f"there is a {self.axis} {name!r} in {there}; choose another name")

    def place(self, name: str) -> str:
        """The place of the class `name`, `package.module:Class`. Raises ValueError for an unknown name."""
        return self._where[self.check(name)]

    def label(self, name: str) -> str:
        """The name of the class `name` in menus; a name that is not registered is its own label."""
        label, _about = self._words.get(name, ("", ""))
        return _(label) if label else name

    def about(self, name: str) -> str:
        """One sentence about the class `name`; of a class that was added without one, its docstring's first line."""
        _label, about = self._words.get(name, ("", ""))
        if about:
            return _(about)
        variant = self._loaded.get(name)
        first, *_rest = (getattr(variant, "__doc__", None) or "").strip().splitlines() or [""]
        return f"{name}: {first}" if first else ""

    def settings_class(self, name: str) -> type[Any]:
        """The settings dataclass of the class `name`. Raises ValueError for an unknown name."""
        found = self._settings.get(self.check(name), self.plain)
        if found is None:
            raise ValueError(_("{axis} {name} has no settings").format(axis=self.axis, name=name))
        return found

    def settings(self, name: str, **values: Any) -> Any:
        """The settings of the class `name`, with `values`. Raises ValueError for an unknown name or invalid value."""
        return self.settings_class(name)(**({"name": name} | values))

    def build(self, name: str, *sizes: Any, **values: Any) -> Member:
        """An instance of the class `name`, with these `sizes` and with `values` for its settings."""
        return self[name](*sizes, self.settings(name, **values))  # type: ignore[call-arg]

    def check(self, name: Any) -> str:
        """`name` itself. Raises ValueError for another one, with the registered names: Unregistered for a string."""
        if name not in self:
            message = _("unknown {axis} {name!r}{hint}; choose one of: {values}").format(
                axis=self.axis, name=name, hint=meant(str(name), self), values=", ".join(self)
            )
            raise Unregistered(message, self.axis, name) if isinstance(name, str) else ValueError(message)
        return str(name)

    def __getitem__(self, name: str) -> type[Member]:
        if name not in self._loaded:
            variant = self._loaded[name] = load(self._where[name])
            setattr(variant, "name", name)  # noqa: B010  the type checker knows of no such attribute
        return self._loaded[name]

    def __setitem__(self, name: str, variant: type[Member]) -> None:
        self._loaded[name] = variant
        self._where.setdefault(name, f"{variant.__module__}:{variant.__qualname__}")

    def __delitem__(self, name: str) -> None:
        del self._where[name]
        self._loaded.pop(name, None)
        self._settings.pop(name, None)
        self._words.pop(name, None)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._where

    def __iter__(self) -> Iterator[str]:
        return iter(self._where)

    def __len__(self) -> int:
        return len(self._where)
