"""Reads one table of an experiment's file, and says in one line what is wrong with a member. Pydantic checks the types;
the last annotation of a type says in words what is allowed."""

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from annotated_types import Ge, Gt, MinLen

from weir_lab.core import stored

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
Text = Annotated[str, 'text, as in {0} = "..."']
Texts = Annotated[dict[str, str], 'a table of texts, as in {0} = {{ NAME = "value" }}']
Command = Annotated[
    str | Annotated[list[str], MinLen(1)], 'text or a list of texts, as in ["server", "--port", "{{port}}"]'
]
Flag = Annotated[bool, "true or false"]
Number = Annotated[float, Ge(0), "a number from 0"]
From0 = Annotated[int, Ge(0), "a whole number from 0"]
From1 = Annotated[int, Ge(1), "a whole number from 1"]
Wholes = Annotated[list[Annotated[int, Ge(1)]], "a list of whole numbers from 1, as in {0} = [10, 100]"]
Rates = Annotated[list[Annotated[float, Gt(0)]], "a list of requests per second, as in {0} = [1000, 5000]"]
Members = TypeVar("Members")  # a TypedDict


class WrongTable(ValueError):
    """Names the file, the table, the member, and what is allowed."""


@dataclass(frozen=True)
class Table:
    where: str  # "my.toml: target 'mine'"
    data: dict[str, object]

    def wrong(self, words: str) -> WrongTable:
        return WrongTable(f"{self.where}: {words}")

    def read(self, kind: type[Members]) -> Members:
        if wrong := stored.first_wrong_member(kind, self.data):
            raise self.wrong(self._words(wrong, get_type_hints(kind, include_extras=True)))
        return cast(Members, self.data)

    def _words(self, member: str, known: dict[str, Any]) -> str:
        if member not in known:
            return f"'{member}' means nothing here; there are {', '.join(known)}"
        found, of = self.data.get(member), known[member]
        if get_origin(of) is Literal:
            return f"{member} is {found!r}; allowed are {', '.join(get_args(of))}"
        return f"{member} is {of.__metadata__[-1].format(member)}; it is {found!r}"


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
