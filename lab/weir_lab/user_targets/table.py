"""Reads the members of one table of an experiment's file, and says in one line what is wrong with one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class WrongTable(ValueError):
    """Names the file, the table, the member, and what is allowed."""


@dataclass(frozen=True)
class Table:
    where: str  # "my.toml: target 'mine'"
    data: dict[str, object]

    def wrong(self, words: str) -> WrongTable:
        return WrongTable(f"{self.where}: {words}")

    def allow_only(self, members: Sequence[str]) -> None:
        for key in self.data:
            if key not in members:
                raise self.wrong(f"'{key}' means nothing here; there are {', '.join(members)}")

    def text(self, member: str, default: str) -> str:
        found = self.data.get(member, default)
        if not isinstance(found, str):
            raise self.wrong(f'{member} is text, as in {member} = "..."; it is {found!r}')
        return found

    def choice(self, member: str, allowed: Sequence[str]) -> str:
        """The first one is the default."""
        found = self.data.get(member, allowed[0])
        if found not in allowed:
            raise self.wrong(f"{member} is {found!r}; allowed are {', '.join(allowed)}")
        return str(found)

    def flag(self, member: str, default: bool) -> bool:
        found = self.data.get(member, default)
        if not isinstance(found, bool):
            raise self.wrong(f"{member} is true or false; it is {found!r}")
        return found

    def whole(self, member: str, default: int, least: int = 0) -> int:
        found = self.data.get(member, default)
        if not _is_whole(found, least):
            raise self.wrong(f"{member} is a whole number from {least}; it is {found!r}")
        return int(str(found))

    def wholes(self, member: str) -> tuple[int, ...]:
        found = self.data.get(member, [])
        if not isinstance(found, list) or not all(_is_whole(one, 1) for one in found):
            raise self.wrong(f"{member} is a list of whole numbers from 1, as in {member} = [10, 100]; it is {found!r}")
        return tuple(found)

    def rates(self, member: str) -> tuple[float, ...]:
        found = self.data.get(member, [])
        if not isinstance(found, list) or not all(_is_number(one) and one > 0 for one in found):
            raise self.wrong(
                f"{member} is a list of requests per second, as in {member} = [1000, 5000]; it is {found!r}"
            )
        return tuple(map(float, found))

    def number(self, member: str, default: float) -> float:
        found = self.data.get(member, default)
        if not _is_number(found) or found < 0:
            raise self.wrong(f"{member} is a number from 0; it is {found!r}")
        return float(found)

    def texts(self, member: str) -> dict[str, str]:
        found = self.data.get(member, {})
        if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
            raise self.wrong(f'{member} is a table of texts, as in {member} = {{ NAME = "value" }}; it is {found!r}')
        return dict(found)

    def list_of_texts(self, member: str) -> list[str]:
        found = self.data.get(member)
        if not isinstance(found, list) or not found or not all(isinstance(one, str) for one in found):
            raise self.wrong(
                f'{member} is text or a list of texts, as in ["server", "--port", "{{port}}"]; it is {found!r}'
            )
        return list(found)


def tables(file: str, kind: str, rows: object) -> list[tuple[str, Table]]:
    """The rows of [[kind]] with their names."""
    if not isinstance(rows, list) or not all(isinstance(one, dict) for one in rows):
        raise WrongTable(f"{file}: {kind} is a list of tables: each begins with [[{kind}]]")
    found: dict[str, Table] = {}
    for number, data in enumerate(rows, 1):
        name = data.get("name")
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise WrongTable(
                f"{file}: {kind} {number}: name is letters, digits, dots, dashes and underscores, as in "
                f'name = "mine"; it is {name!r}'
            )
        if name in found:
            raise WrongTable(f"{file}: {kind} '{name}' is there twice; each name stands for one")
        found[name] = Table(f"{file}: {kind} '{name}'", data)
    return list(found.items())


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least
