"""One registry per axis: names and settings at once, classes when they are first used."""

from collections.abc import Callable, Iterable, Iterator, MutableMapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Generic, TypeVar

Member = TypeVar("Member")
Variant = TypeVar("Variant", bound=type)


def meant(name: str, names: Iterable[str]) -> str:
    """What an error adds about `name` when one of `names` is spelled much like it: (did you mean ...?); or nothing."""
    near = get_close_matches(name, list(names), n=1, cutoff=0.7)
    return f" (did you mean {near[0]!r}?)" if near else ""


def offered(name: str, names: Iterable[str]) -> str:
    """What an error adds about `name` where there are many `names`: what was meant, or else all of them."""
    names = list(names)
    return meant(name, names) or f"; there are: {', '.join(names)}"


def load(where: str) -> Any:
    """What `package.module:name` or `package.module` names, imported now: the project's only deferred import."""
    module, _, name = where.partition(":")
    found = import_module(module)
    return getattr(found, name) if name else found


class Registry(MutableMapping[str, type[Member]], Generic[Member]):
    """The classes of one axis by name.

        WINDOWS: Registry[Window] = Registry("window", Part)
        WINDOWS.at("global", "attn_core.attention.windows:Global")     # loaded when it is first used
        WINDOWS.at("local-m", "attn_core.attention.windows:LocalM", LocalMSettings)

        @WINDOWS.add("mine")                                           # or at run time, without such a line
        class Mine(Window): ...

    Iterating gives names and loads nothing; `registry[name]` is the class. `plain` is the settings dataclass of a class
    that has no settings of its own.
    """

    def __init__(self, axis: str, plain: type[Any] | None = None):
        self.axis, self.plain = axis, plain
        self._where: dict[str, str] = {}
        self._settings: dict[str, type[Any]] = {}
        self._loaded: dict[str, type[Member]] = {}

    def at(self, name: str, where: str, settings: type[Any] | None = None) -> None:
        """Say where the class called `name` is (`package.module:Class`), and which dataclass its settings are."""
        self._where[name] = where
        if settings is not None:
            self._settings[name] = settings

    def add(self, name: str, settings: type[Any] | None = None) -> Callable[[Variant], Variant]:
        """Register the decorated class, and the dataclass of its settings, under `name`."""

        def register(variant: Variant) -> Variant:
            self[name] = variant
            setattr(variant, "name", name)  # noqa: B010  the type checker knows of no such attribute
            if settings is not None:
                self._settings[name] = settings
            return variant

        return register

    def settings_class(self, name: str) -> type[Any]:
        """The dataclass of the settings of the class called `name`. Raises ValueError for an unknown name."""
        found = self._settings.get(self.check(name), self.plain)
        if found is None:
            raise ValueError(f"{self.axis} {name} has no settings")
        return found

    def settings(self, name: str, **values: Any) -> Any:
        """The settings of the class called `name`, with `values`. Raises ValueError for an unknown name or value."""
        return self.settings_class(name)(**({"name": name} | values))

    def build(self, name: str, *sizes: Any, **values: Any) -> Member:
        """A member called `name` of these sizes, with `values` for its settings; as its class raises."""
        return self[name](*sizes, self.settings(name, **values))  # type: ignore[call-arg]

    def check(self, name: Any) -> str:
        """`name` itself, or a ValueError that lists the names there are."""
        if name not in self:
            raise ValueError(f"unknown {self.axis} {name!r}{meant(str(name), self)}; choose one of: {', '.join(self)}")
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

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._where

    def __iter__(self) -> Iterator[str]:
        return iter(self._where)

    def __len__(self) -> int:
        return len(self._where)
