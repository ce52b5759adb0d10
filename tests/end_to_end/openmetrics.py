"""A strict parser of OpenMetrics 1.0 text, for what weir uses of it: it raises ValueError for everything that the format forbids.

https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md"""

import re

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"'
LABELS = re.compile(rf"{LABEL}(?:,{LABEL})*")
SAMPLE = re.compile(rf"({NAME})(?:\{{([^\n]*)\}})? (\S+)")
NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]\d+)?|\+Inf")
SUFFIXES = {"counter": ("_total",), "gauge": ("",), "info": ("_info",), "histogram": ("_bucket", "_count", "_sum")}


class Family:
    def __init__(self, kind):
        self.kind = kind
        self.unit = self.help = None
        self.samples = {}  # by name and labels, in their order


def parse(text):
    """The families by name."""
    if not text.endswith("# EOF\n"):
        raise ValueError("the text does not end with # EOF")
    families = {}
    name = None
    for line in text.removesuffix("# EOF\n").splitlines():
        if line.startswith("#"):
            name = describe(families, name, line)
        else:
            add_sample(families, name, line)
    for name, family in families.items():
        check(name, family)
    return families


def describe(families, current, line):
    match = re.fullmatch(rf"# (TYPE|UNIT|HELP) ({NAME}) (.+)", line)
    if not match:
        raise ValueError(f"not a line of OpenMetrics: {line}")
    what, name, words = match.groups()
    if what == "TYPE":
        if name in families:
            raise ValueError(f"{name} comes twice")
        families[name] = Family(words)
        return name
    if name != current or families[name].samples:
        raise ValueError(f"out of place: {line}")
    if what == "UNIT":
        families[name].unit = words
    else:
        families[name].help = words
    return name


def add_sample(families, name, line):
    match = SAMPLE.fullmatch(line)
    if not match or not NUMBER.fullmatch(match[3]):
        raise ValueError(f"not a sample: {line}")
    family = families[name]
    if match[1].removeprefix(name) not in SUFFIXES[family.kind] or not match[1].startswith(name):
        raise ValueError(f"not a sample of {name}: {line}")
    if match[2] is not None and not LABELS.fullmatch(match[2]):
        raise ValueError(f"malformed labels: {line}")
    labels = tuple(re.findall(LABEL, match[2] or ""))
    key = (match[1], labels)
    if len({label for label, _ in labels}) != len(labels) or key in family.samples:
        raise ValueError(f"comes twice: {line}")
    family.samples[key] = float(match[3])


def check(name, family):
    if family.help is None or (family.unit and not name.endswith(f"_{family.unit}")):
        raise ValueError(f"{name} has no help, or another unit than its name")
    if family.kind in ("counter", "histogram") and any(value < 0 for value in family.samples.values()):
        raise ValueError(f"{name} is negative")
    if family.kind == "histogram":
        check_histogram(name, family.samples)


def check_histogram(name, samples):
    series = {}
    for (sample, labels), value in samples.items():
        if sample == f"{name}_bucket":
            series.setdefault(tuple(pair for pair in labels if pair[0] != "le"), []).append((float(dict(labels)["le"]), value))
    for labels, buckets in series.items():
        if buckets != sorted(buckets) or sorted(value for _, value in buckets) != [value for _, value in buckets]:
            raise ValueError(f"{name}{labels}: its buckets do not rise")
        if buckets[-1] != (float("inf"), samples[(f"{name}_count", labels)]) or (f"{name}_sum", labels) not in samples:
            raise ValueError(f"{name}{labels}: its last bucket is not its count, or it has no sum")


def value_of(families, sample, **labels):
    """The sum of all samples with that name and at least these labels."""
    return sum(value for family in families.values() for (name, given), value in family.samples.items()
               if name == sample and labels.items() <= dict(given).items())
