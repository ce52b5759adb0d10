"""Finds declarations that nothing uses and files that nothing names. structure.py runs these rules.

Names are compared, not symbols: no compiler runs. A name that something else shares counts as used, except for member
functions. For those, the object before the dot is looked up among all declarations: `epoll_.fd()` is a use of Epoll::fd
and of no other fd. Where the type of the object isn't known, every class that has such a function counts as used. So
the rule may miss dead code, but what it reports is dead."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import PurePosixPath

from cpp_source import Declaration, Tree, code_alone, declarations, is_cpp, line_of, own_includes
from finding import Finding

# What is used where no name shows it, or by tests alone, and why.
EXCEPTIONS = {
    "main": "the system calls it",
    "await_ready": "the compiler calls it",
    "await_suspend": "the compiler calls it",
    "await_resume": "the compiler calls it",
    "get_return_object": "the compiler calls it",
    "initial_suspend": "the compiler calls it",
    "final_suspend": "the compiler calls it",
    "return_void": "the compiler calls it",
    "return_value": "the compiler calls it",
    "unhandled_exception": "the compiler calls it",
    "promise_type": "the compiler looks for it",
    "coroutine_traits": "the compiler looks for it",
    "await_transform": "the compiler calls it",
    "is_transparent": "std::unordered_map asks a hash for it",
    "rep": "std::chrono asks a clock for it",
    "period": "std::chrono asks a clock for it",
    "is_steady": "std::chrono asks a clock for it",
    "Transition::unused": "it fills the structure to 4 bytes",
    "State::fork_hook_": "its constructor and destructor do the work",
    "FaultAnswer::section": "it documents a row of the table, and a test shows that each row has one",
    "Ring::no_operation": "tests of the ring need an operation that needs no descriptor",
}

_WORD = re.compile(r"[A-Za-z_]\w*")
# A parameter, a local variable or an element of a loop: its type, and its name.
_LOCAL = re.compile(r"\b([A-Za-z_][\w:]*(?:<[^;{}()]*?>)?[\s&*]+(?:const\s+)?)([a-z_]\w*)\s*(?=[;,)={(\[:])")
_ALIAS = re.compile(r"\busing\s+(\w+)\s*=([^;]*);")
_BASES = re.compile(r"\b(?:class|struct)\s+(\w+)[^;{()]*?:\s*([^{;]*)\{")


def is_ours(path: str) -> bool:
    return path.startswith(("src/", "include/"))


@cache
def stem(path: str) -> str:
    return str(PurePosixPath(path).with_suffix(""))


class Names:
    """Where the names of a tree are declared, and which of these declarations are used."""

    def __init__(self, tree: Tree) -> None:
        self.code = {path: code_alone(text) for path, text in tree.items() if is_cpp(path)}
        # An .inc file holds the rows of a table.
        self.declared = {path: declarations(tree[path]) if not path.endswith(".inc") else () for path in self.code}
        self.owners: dict[str, set[str]] = defaultdict(set)  # of a member function's name
        self.homes: dict[str, set[str]] = defaultdict(set)  # where a class is declared, without the ending
        self.types: dict[str, set[str]] = defaultdict(set)  # what stands in a declaration before a variable's name
        self.kin: dict[str, set[str]] = defaultdict(set)  # of a class: what it derives from and is named by, and back
        self.overrides: set[str] = set()  # the base class has the function that is used
        self.uses: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}  # in src/, and elsewhere
        self.member_uses: dict[bool, set[tuple[str, str]]] = {True: set(), False: set()}
        self.closure = cache(self._closure)
        for path in self.code:
            self._note_declarations(path)
        for path in self.code:
            self._note_uses(path)

    def _note_declarations(self, path: str) -> None:
        code = self.code[path]
        for each in self.declared[path]:
            if each.kind == "type":
                self.homes[each.name].add(stem(path))
            else:
                self.types[each.name].update(_WORD.findall(code, each.begin, each.name_at))
            if each.kind == "function" and each.owner and is_ours(path):
                self.owners[each.name].add(each.owner)
                if re.search(r"\boverride\b", code[each.name_at : each.end].partition("{")[0]):
                    self.overrides.add(each.full_name)
        for type_text, name in _LOCAL.findall(code):
            self.types[name].update(_WORD.findall(type_text))
        for name, meant in _ALIAS.findall(code):
            self.kin[name].update(_WORD.findall(meant))
        for derived, bases in _BASES.findall(code):
            for base in _WORD.findall(bases):
                self.kin[derived].add(base)
                self.kin[base].add(derived)

    def _note_uses(self, path: str) -> None:
        code, ours = self.code[path], is_ours(path)
        positions = {each.name_at for each in self.declared[path]}
        for match in _WORD.finditer(code):
            name = match[0]
            if match.start() in positions:
                continue
            self.uses[ours][name] += 1
            if name in self.owners:
                before = code[max(0, match.start() - 400) : match.start()].rstrip()
                self.member_uses[ours].update((owner, name) for owner in self._meant(path, name, before))

    def _meant(self, path: str, name: str, before: str) -> set[str]:
        """Whose function is meant by `name` after `before`: every class that has one, where that can't be told."""
        owners = self.owners[name]
        if before.endswith("::"):
            qualifier = last_word(before[:-2])
            return owners & self.closure(qualifier) if qualifier in self.homes else owners
        if before.endswith((".", "->")):
            types = self.types.get(last_word(before.rstrip(".->")), set())
            known = set().union(*map(self.closure, types)) if types else set()
            return owners & known if known & self.homes.keys() and "auto" not in known else owners
        return {owner for owner in owners if stem(path) in self.homes[owner]} or owners

    def _closure(self, name: str) -> frozenset[str]:
        found, due = {name}, [name]
        while due:
            fresh = self.kin.get(due.pop(), set()) - found
            found |= fresh
            due += fresh
        return frozenset(found)

    def is_used(self, each: Declaration, ours: bool) -> bool:
        if each.kind == "function" and each.owner:
            return (each.owner, each.name) in self.member_uses[ours]
        return self.uses[ours][each.name] > 0


def last_word(text: str) -> str:
    """The name of what stands at the end of `text`: of `a.b`, `b(x)` and `b[i]` it is b."""
    text = text.rstrip()
    while text and text[-1] in ")]":
        opening, depth, at = {")": "(", "]": "["}[text[-1]], 0, len(text)
        while at > 0 and (depth > 0 or at == len(text)):
            at -= 1
            depth += (text[at] in ")]") - (text[at] in "([")
        text = text[:at].rstrip() if text[at] == opening else ""
    begin = len(text)
    while begin > 0 and (text[begin - 1].isalnum() or text[begin - 1] == "_"):
        begin -= 1
    return text[begin:]


# --- rules --------------------------------------------------------------------------------------------------------


def declarations_are_used(tree: Tree) -> Iterator[Finding]:
    names = Names(tree)
    documented = {word for path, text in tree.items() if path.endswith(".md") for word in _WORD.findall(text)}
    found: dict[str, tuple[str, Declaration]] = {}  # by its full name, where it is first declared
    for path in sorted(filter(is_ours, names.code), key=lambda path: (not path.endswith(".h"), path)):
        for each in names.declared[path]:
            if is_checked(each) and each.full_name not in names.overrides and not names.is_used(each, True):
                found.setdefault(each.full_name, (path, each))
    for path, each in found.values():
        by_tests, public = names.is_used(each, False), path.startswith("include/")
        # What a program may use is used where the documents or the tests show it; of a list of names, all may be used.
        if public and (by_tests or each.name in documented or each.kind == "enumerator"):
            continue
        how = "only tests use" if by_tests else "nothing uses"
        yield Finding(path, line_of(tree[path], each.name_at), f"{how} {each.full_name}")


def is_checked(each: Declaration) -> bool:
    listed = each.name in EXCEPTIONS or each.full_name in EXCEPTIONS
    return not (listed or each.name.startswith("~") or each.name == each.owner or each.kind == "unscoped enumeration")


def exceptions_are_needed(tree: Tree) -> Iterator[Finding]:
    declared = {name for path, text in tree.items() if is_ours(path) and path.endswith((".h", ".cpp"))
                for each in declarations(text) for name in (each.name, each.full_name)}
    for name in sorted(EXCEPTIONS.keys() - declared):
        yield Finding("tools/dead_code.py", 1, f"EXCEPTIONS lists {name}, which is not declared")


def files_are_named(tree: Tree) -> Iterator[Finding]:
    """Each header is included somewhere, and each .cpp is built."""
    included = {target for path in tree if is_cpp(path) for _, _, target in own_includes(tree, path)}
    for path in tree:
        if path.endswith((".h", ".inc")) and path.startswith(("src/", "include/", "tests/")) and path not in included:
            yield Finding(path, 1, "nothing includes this file")
        if path.endswith(".cpp") and path.startswith(("src/", "tests/", "bench/")) and not is_built(tree, path):
            yield Finding(path, 1, "no CMakeLists.txt names this file")


def is_built(tree: Tree, path: str) -> bool:
    """A source of the library stands in the list of its floor; a test's may stand anywhere, and without its ending."""
    file = PurePosixPath(path)
    if path.startswith("src/"):
        named = {f"{folder}/CMakeLists.txt": str(file.relative_to(folder)) for folder in file.parents}
    else:
        near = [name for name in tree if name.startswith(f"{file.parts[0]}/")]
        named = {name: file.stem for name in near if name.endswith(("CMakeLists.txt", ".cmake"))}
    before = r"[\w/]" if path.startswith("src/") else r"\w"
    return any(re.search(rf"(?<!{before}){re.escape(name)}\b", tree.get(list_, "")) for list_, name in named.items())
