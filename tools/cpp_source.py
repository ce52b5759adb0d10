"""What the tools read out of C++ without a compiler: comments, includes, declarations.

This is no parser of all C++. It reads this source, which clang-format lays out and in which no macro makes a
declaration."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

Tree = dict[str, str]  # path -> text

_LEXEME = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"(?P<own>[^"\n]+)"|<(?P<system>[^>\n]+)>)', re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)


# --- text -----------------------------------------------------------------------------------------------------


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


@cache
def without_comments(text: str) -> str:
    """The same text, line for line, with blanks where comments were."""
    return _LEXEME.sub(lambda m: _blank(m[0]) if m[0].startswith(("//", "/*")) else m[0], text)


@cache
def code_alone(text: str) -> str:
    """The same text, line for line, with blanks where comments and literals were."""
    return _LEXEME.sub(lambda m: _blank(m[0]), text)


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def is_cpp(path: str) -> bool:
    return path.endswith((".h", ".cpp", ".inc"))


def own_includes(tree: Tree, path: str) -> Iterator[tuple[int, str, str | None]]:
    """(line, as written, the file it means or None) of each quoted include."""
    text = without_comments(tree[path])
    for match in INCLUDE.finditer(text):
        if written := match["own"]:
            ours = path.startswith(("src/", "include/"))
            folders = ["src", "include"] if ours else ["src", "include", "tests", str(PurePosixPath(path).parent)]
            candidates = [f"{folder}/{written}" for folder in folders]
            yield line_of(text, match.start()), written, next((c for c in candidates if c in tree), None)


# --- declarations -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Declaration:
    """A function, a variable or a type that is declared in a namespace or a class: not what is local to a function."""

    kind: str  # "function", "variable", "type", "unscoped enumeration", "enumerator"
    name: str
    owner: str  # the class, or "" in a namespace
    name_at: int
    begin: int
    end: int
    has_body: bool = False

    @property
    def full_name(self) -> str:
        return f"{self.owner}::{self.name}" if self.owner else self.name


_TYPE_HEAD = re.compile(r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:\w+::)*(?P<name>\w+)")
_NO_DECLARATION = re.compile(
    r"\s*(?:static_assert|friend|catch|using\s+namespace|extern\s+template|using\s[^=]*$|namespace\s[^=]*=)"
    r"|.*\boperator\b",
    re.DOTALL,
)
_BLANKS = re.compile(r"\s*")
_IN_PARENTHESES = re.compile(r"\[\[.*?\]\]|\b(?:alignas|decltype|noexcept|explicit)\s*\([^)]*\)", re.DOTALL)
_POINTER_TO_FUNCTION = re.compile(r"\(\s*\*\s*(?P<name>\w+)\s*\)")
# Between the last token of a function's head and its body.
_BODY_FOLLOWS = re.compile(r"(?:[)}]|\b(?:const|noexcept|override|final|try|mutable)|->[\w:<>&*,\s]+)\s*$")


def _without_templates(head: str) -> str:
    """The same length, with blanks where template parameters, template arguments and attributes were."""
    head = _IN_PARENTHESES.sub(lambda m: _blank(m[0]), head).replace("->", "  ")
    while (shorter := re.sub(r"<[^<>;{}]*>", lambda m: _blank(m[0]), head)) != head:
        head = shorter
    return head


def _classify(head: str) -> tuple[str, re.Match[str]] | None:
    """The kind of declaration that `head` is, the code up to its body or semicolon, and the match of its name."""
    if _NO_DECLARATION.match(head):
        return None
    plain = _without_templates(head)
    paren, equals = plain.find("("), plain.find("=")
    if alias := re.search(r"\b(?:using|concept)\s+(?P<name>\w+)\s*=", plain):
        return "type", alias
    if paren >= 0 and (equals < 0 or paren < equals):
        name = re.search(r"(?:\b(?P<owner>\w+)\s*::\s*)?(?P<name>~?\w+)\s*$", plain[:paren])
        if pointer := _POINTER_TO_FUNCTION.match(plain, paren):
            return "variable", pointer
        return ("function", name) if name else None
    if found := _TYPE_HEAD.search(plain):
        return "unscoped enumeration" if re.match(r"enum\s+(?!class|struct)", found[0]) else "type", found
    before = plain[:equals] if equals >= 0 else plain
    name = re.search(r"\s[&*]?(?P<name>\w+)\s*(?:\[[^\]]*\]\s*)*(?::\s*\w+\s*)?$", before)
    return ("variable", name) if name else None


def _opens_body(head: str) -> bool:
    """Whether the brace after `head` opens a function's body, and not an initialiser."""
    plain = _without_templates(head)
    if "(" not in plain or 0 <= plain.find("=") < plain.find("("):
        return False
    if re.search(r"\)\s*(?:noexcept\s*)?:[^:]", plain):  # a constructor's initialisers
        return bool(re.search(r"[)}]\s*$", plain))
    return bool(_BODY_FOLLOWS.search(head.rstrip()))


@dataclass(frozen=True)
class _Scope:
    """What a brace has opened."""

    kind: str  # "namespace", "class", "enum", "function", "braces" (an initialiser, or what lies in a function)
    name: str
    head_at: int
    brace_at: int


class _Reader:
    """Goes through the code once. The present declaration begins at `begin`; `scopes` are the braces around it."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.found: list[Declaration] = []
        self.scopes: list[_Scope] = []
        self.parens = 0
        self.begin_after(-1)

    def read(self) -> list[Declaration]:
        for match in re.finditer(r"[(){};:]", self.code):
            self.take(match[0], match.start())
        return self.found

    def take(self, char: str, at: int) -> None:
        if char in "()":
            self.parens += 1 if char == "(" else -1
        elif char == "{":
            self.scopes.append(self.opened(at))
        elif char == "}":
            self.close(self.scopes.pop(), at)
        elif self.parens or not self.declares():
            pass
        elif char == ";":
            self.end_declaration(at)
        elif re.fullmatch(r"\s*(public|private|protected)\s*", self.code[self.begin : at]):
            self.begin_after(at)

    def begin_after(self, at: int) -> None:
        self.begin = _BLANKS.match(self.code, at + 1).end()

    def declares(self) -> bool:
        return not self.scopes or self.scopes[-1].kind in ("namespace", "class")

    def opened(self, at: int) -> _Scope:
        head_at, head = self.begin, self.code[self.begin : at]
        if self.parens or not self.declares():
            return _Scope("braces", "", head_at, at)
        plain = _without_templates(head)
        type_head = _TYPE_HEAD.search(plain) if "(" not in plain else None
        if type_head and type_head[0].startswith("enum"):
            return _Scope("enum", type_head["name"], head_at, at)
        if type_head or ("(" not in plain and re.search(r"\b(namespace|extern)\b", plain)):
            self.declare(at, at) if type_head else None
            self.begin_after(at)
            return _Scope("class" if type_head else "namespace", type_head["name"] if type_head else "", head_at, at)
        return _Scope("function" if _opens_body(head) else "braces", "", head_at, at)

    def close(self, scope: _Scope, at: int) -> None:
        if scope.kind == "function":
            self.declare(scope.brace_at, at + 1, has_body=True)
        if scope.kind == "enum":
            self.declare(scope.brace_at, at + 1)
            for each in re.finditer(r"(?:^|,)\s*(?P<name>\w+)", self.code[scope.brace_at + 1 : at]):
                name_at = scope.brace_at + 1 + each.start("name")
                self.found.append(Declaration("enumerator", each["name"], scope.name, name_at, name_at, name_at))
        if scope.kind in ("function", "class", "namespace"):
            self.begin_after(at)

    def end_declaration(self, at: int) -> None:
        brace = self.code.find("{", self.begin, at)
        declared_at_brace = brace >= 0 and re.search(r"\benum\b", self.code[self.begin : brace])
        if not declared_at_brace:
            self.declare(brace if brace >= 0 else at, at + 1)
        self.begin_after(at)

    def declare(self, head_end: int, end: int, has_body: bool = False) -> None:
        owner = next((scope.name for scope in reversed(self.scopes) if scope.kind == "class"), "")
        if classified := _classify(self.code[self.begin : head_end]):
            kind, name = classified
            name_at = self.begin + name.start("name")
            owner = name.groupdict().get("owner") or owner
            self.found.append(Declaration(kind, name["name"], owner, name_at, self.begin, end, has_body))


@cache
def declarations(text: str) -> tuple[Declaration, ...]:
    """What `text` declares outside the bodies of functions."""
    return tuple(_Reader(_DIRECTIVE.sub(lambda m: _blank(m[0]), code_alone(text))).read())


# --- files ------------------------------------------------------------------------------------------------------


def source_names(root: Path) -> list[str]:
    """What git tracks or would track; in an unpacked release, which has no git, what lies in the source directories."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
        return listed.stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        tops = ("src", "include", "tests", "tools", "bench", "lab", "docs")
        found = [file for top in tops for file in (root / top).rglob("*")]
        return [str(file.relative_to(root)) for file in found] + ["run"]
