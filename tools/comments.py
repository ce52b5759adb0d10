"""How comments open: docs/style.md, as far as a program can read it."""

import re
from collections.abc import Iterator

from cpp_source import Tree, is_cpp
from finding import Finding

# A comment of one line or more, alone on its lines, or one behind code.
_ALONE = re.compile(r"^\s*///?(?!/)(?: (?P<text>.*))?$")
_BEHIND = re.compile(r"\S.*?\s//(?!/) ?(?P<text>[^/].*)$")
_SENTENCE = re.compile(r"(?<=[.!?:;])\s+")

CLAUSES = ("what", "whatever", "who", "whoever", "whom", "whose")
PEOPLE = ("nobody", "somebody", "anybody", "everybody")
# "This constructor", "one connection": there the word belongs to a noun, and the next word is no verb.
_VERB = r"(?:is|are|was|were|has|have|had|does|do|did|may|must|can|could|will|would|should|needs?|comes?|goes|go|who|that|which|for|of|in|with|without|and|or|to|at)\b"
_CLAUSE = re.compile(rf"(?:{'|'.join(CLAUSES + PEOPLE)})\b(?! (?:waits|is shared):)", re.IGNORECASE)  # a heading of the engines' comments
_PRONOUN = re.compile(rf"(?:(?:it|they|them)\b|(?:one|ones|that|those|these|this) {_VERB})", re.IGNORECASE)


def comments(text: str) -> Iterator[tuple[int, str]]:
    """(line, text) of each comment. Lines that follow each other are one."""
    begun, lines = 0, []
    for number, line in enumerate(text.splitlines(), 1):
        alone = _ALONE.match(line)
        if alone and (alone["text"] or "").strip():
            begun = begun if lines else number
            lines.append(alone["text"].strip())
            continue
        if lines:
            yield begun, " ".join(lines)
            lines = []
        if not alone and (behind := _BEHIND.search(line)) and '"' not in line:
            yield number, behind["text"].strip()
    if lines:
        yield begun, " ".join(lines)


def fault_of(comment: str) -> str | None:
    """Of its opening, or of a later sentence."""
    if _PRONOUN.match(comment):
        return "a comment opens with a pronoun"
    for sentence in _SENTENCE.split(comment):
        if _CLAUSE.match(sentence):
            return "a subject is a noun, and no clause"
    return None


def comments_open_with_nouns(tree: Tree) -> Iterator[Finding]:
    """A rule of structure.py."""
    for path, text in tree.items():
        if not is_cpp(path) or not path.startswith(("src/", "include/")):
            continue
        for line, comment in comments(text):
            if fault := fault_of(comment):
                yield Finding(path, line, f'{fault}: "{comment[:60]}" (docs/style.md)')
