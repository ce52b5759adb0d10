"""The families of weir's engines, and their colours: from the rows that the documents are made of."""

import tomllib

from weir_lab.core import built

_ROWS = tomllib.loads((built.REPOSITORY / "src" / "engines" / "engines.toml").read_text(encoding="utf-8"))

# The family of each engine. An engine that is not here is one of another weir.
ENGINES: dict[str, str] = {name: row["family"] for name, row in _ROWS["engine"].items()}
TITLES: dict[str, str] = {name: row["title"] for name, row in _ROWS["family"].items()}
_COLOURS: dict[str, list[str]] = {name: row["colour"] for name, row in _ROWS["family"].items()}


def style() -> str:
    """For a style sheet: what is of a family has its colour as `--of`."""
    palette = "".join(f"  --{name}: light-dark({light}, {dark});\n" for name, (light, dark) in _COLOURS.items())
    chosen = "".join(f".plot .{name}, .families .{name}, .won.{name} {{ --of: var(--{name}); }}\n" for name in TITLES)
    return f":root {{\n{palette}}}\n{chosen}"
