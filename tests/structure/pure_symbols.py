#!/usr/bin/env python3
"""The protocol core asks nothing of the system: no symbol that http/ leaves open is a system call, a clock, a lock.

usage: pure_symbols.py <nm> <libweir_http.a>

What may stay open is listed, so that whatever is new has to be thought about."""

import re
import subprocess
import sys

ALLOWED_C = re.compile(
    r"mem(cpy|move|set|cmp|chr|rchr|mem)|str(len|cmp|ncmp|chr|nlen)|(__)?(memcpy|memmove|memset)_chk"
    r"|__assert_fail|abort|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__dso_handle"
    r"|__cxa_\w+|__gxx_personality_v0|_Unwind_Resume|__cpu_model|__cpu_features2|__cpu_indicator_init"
    r"|__libc_single_threaded"  # a shared_ptr's count asks whether it must be atomic
    r"|__popcountdi2|__(u)?(div|mod)ti3"
)
# C++: ours, and the standard library's values, containers, memory and exceptions.
ALLOWED_CPP = re.compile(
    r"weir::|std::|operator (new|delete)|non-virtual thunk to weir::"
    r"|(typeinfo|typeinfo name|vtable|VTT|construction vtable|guard variable) for "
)
FORBIDDEN_CPP = re.compile(
    r"std::(chrono::.*clock|this_thread|thread|jthread|mutex|recursive_mutex|shared_mutex|condition_variable"
    r"|_V2::condition|filesystem|basic_\w*(stream|filebuf)|basic_filebuf|ios_base|cout|cerr|random_device|locale)"
    r"|std::__\w*(future|atomic_wait)"
)


def open_symbols(nm: str, archive: str) -> set[str]:
    """Undefined in one member of the archive and defined in none."""
    output = subprocess.run([nm, "--demangle", archive], check=True, capture_output=True, text=True).stdout
    return parse(output)


def parse(nm_output: str) -> set[str]:
    undefined, defined = set(), set()
    for kind, name in re.findall(r"^[0-9a-f ]{16} ([A-Za-z]) (.+)$", nm_output, re.MULTILINE):
        (undefined if kind in "Uwv" else defined).add(name)
    return undefined - defined


def is_allowed(symbol: str) -> bool:
    if FORBIDDEN_CPP.search(symbol):
        return False
    return bool(ALLOWED_C.fullmatch(symbol) or ALLOWED_CPP.match(symbol))


def main(nm: str, archive: str) -> int:
    symbols = open_symbols(nm, archive)
    if not symbols:
        print(f"{archive} leaves no symbol open, not even memcpy: is anything in it?")
        return 1
    refused = sorted(symbol for symbol in symbols if not is_allowed(symbol))
    for symbol in refused:
        print(f"http/ uses {symbol}")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
