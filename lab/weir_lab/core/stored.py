"""Dataclasses as files of JSON. A member that has its default value may be missing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from weir_lab.core import built

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Kind = TypeVar("Kind")


def read_json(kind: type[Kind], path: Path, schema: int) -> Kind:
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


def sparse(value: object) -> dict[str, Any]:
    """As asdict(), without the members that have their default value."""
    found: dict[str, Any] = _adapter(cast(Any, type(value))).dump_python(value, exclude_defaults=True)
    return found


def made(kind: type[Kind], data: object) -> Kind:
    """Makes a dataclass from the output of asdict() or sparse(). Raises ValueError, which names the first wrong
    member."""
    import pydantic  # noqa: PLC0415 - it takes half a second, and most commands read no result

    try:
        found: Kind = _adapter(cast(Any, kind)).validate_python(data, extra="forbid")
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    return found


def first_wrong_member(kind: type, data: object) -> str:
    """Of a TypedDict, without any conversion. Empty if all are right."""
    import pydantic  # noqa: PLC0415 - as in made()

    try:
        _adapter(cast(Any, kind)).validate_python(data, strict=True, extra="forbid")
    except pydantic.ValidationError as error:
        return str(error.errors(include_url=False)[0]["loc"][0])
    return ""


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    import pydantic  # noqa: PLC0415 - as in made()

    return pydantic.TypeAdapter(kind)
