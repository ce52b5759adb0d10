"""Dataclasses as files of JSON. A member that has its default value may be missing."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from weir_lab.core import built


def read_json(kind: type, path: Path, schema: int) -> object:
    """A member that the file does not have yet gets its default."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data.get("schema") != schema:
            raise ValueError(f"schema {data.get('schema')}, and this lab reads schema {schema}")
        return made(kind, data)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is no result of an experiment: {error}") from error


def write_json(data: object, path: Path) -> None:
    _write(json.dumps(data, indent=1) + "\n", path)


def read_lines(path: Path) -> list[Any]:
    """Of a file with one JSON value a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_lines(values: Iterable[object], path: Path) -> None:
    _write("".join(json.dumps(one, separators=(",", ":")) + "\n" for one in values), path)


def _write(text: str, path: Path) -> None:
    """Writes the whole file or nothing: an interrupted write leaves the previous file. Commands name this repository's
    files relative to its root."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    beside.write_text(built.without_root(text), encoding="utf-8")
    beside.replace(path)


def sparse(value: Any) -> Any:
    """As asdict(), without the members that have their default value."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            one.name: sparse(getattr(value, one.name))
            for one in dataclasses.fields(value)
            if getattr(value, one.name) != _default(one)
        }
    if isinstance(value, list):
        return [sparse(one) for one in value]
    return value


def _default(of: dataclasses.Field[Any]) -> Any:
    return of.default_factory() if of.default_factory is not dataclasses.MISSING else of.default


def made(kind: Any, data: Any) -> Any:
    """Makes a dataclass from the output of asdict() or sparse()."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return None if data is None else made(next(one for one in arguments if one is not type(None)), data)
    if origin is list:
        return [made(arguments[0], one) for one in data]
    if origin is dict:
        return {key: made(arguments[1], one) for key, one in data.items()}
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        make: Any = kind
        return make(**{name: made(hints[name], one) for name, one in data.items()})
    return data
