# shellcheck shell=bash
# shellcheck disable=SC2154  # what it reads of ./run
# The commands of `./run` that test. `run` sources it: it has say, fail, need, configure and build.

# Most tests wait most of the time; under a sanitizer they compute.
readonly tests_at_once="$((4 * jobs))" sanitized_at_once="$((2 * jobs))"

# run_tests <preset> <at once> [ctest argument...]: the last line is "N passed, N failed"; the exit status is ctest's.
run_tests() {
    local directory="build/$1" report="$PWD/build/$1/tests.xml" at_once="$2" status=0
    shift 2
    rm -f "$report"
    ctest --test-dir "$directory" --output-on-failure --no-tests=error -j "$at_once" \
        --output-junit "$report" "$@" </dev/null || status=$?
    python3 tools/test_summary.py "$report" "$SECONDS" || status=1
    return "$status"
}

# run_sanitized PRESET LEFT_OUT [REGEX]: LEFT_OUT matches the names of the tests that are not for it.
run_sanitized() {
    local preset="$1" left_out="$2"
    shift 2
    need "${packages_sanitize[@]}"
    configure "$preset"
    build "$preset"
    export ASAN_OPTIONS="detect_stack_use_after_return=1:strict_string_checks=1:${ASAN_OPTIONS:-}"
    export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"
    # Tests fork while other threads run, and some of the children start threads.
    export TSAN_OPTIONS="halt_on_error=1:die_after_fork=0:second_deadlock_stack=1:${TSAN_OPTIONS:-}"
    run_tests "$preset" "$sanitized_at_once" -L "$tested_under_sanitizers" -E "$left_out" ${1:+-R "$1"}
}

# The contract tests of one engine, and what they mean for it.
run_contract() {
    local engine="$1" report="$PWD/build/release/contract.xml"
    build release contract_test
    rm -f "$report"
    say "Running the contract tests of $engine. They mostly wait; while much is missing, that takes two minutes."
    ctest --test-dir build/release --quiet -j 16 --output-junit "$report" \
        -R "^contract\\..*/${engine//-/_}\$" </dev/null >&2 || true # the report says it
    python3 tools/contract_grade.py "$report" "$engine"
}

run_new_engine() { python3 tools/new_engine.py "$@"; }

run_test() {
    need "${packages_test[@]}"
    configure release -DWEIR_BUILD_TESTS=ON
    if [[ "${1:-}" == contract/* ]]; then
        run_contract "${1#contract/}"
        return
    fi
    build release
    run_tests release "$tests_at_once" ${1:+-R "$1"}
}

# All tests, again and again, beside a busy machine: docs/testing.md has the last table.
run_steady() {
    [[ "${1:-10}" =~ ^[1-9][0-9]*$ ]] || fail "steady takes a number of rounds, not '$1'"
    need "${packages_test[@]}"
    configure release -DWEIR_BUILD_TESTS=ON
    build release
    python3 tools/steady.py build/release "${1:-10}" --jobs "$tests_at_once"
}

run_thorough() {
    if [[ " $* " != *" --list "* && " $* " != *" --help "* ]]; then
        command -v go >/dev/null || need golang-go # for h2spec
        command -v npm >/dev/null || need npm      # for axe-core, which judges accessibility
    fi
    python3 tools/thorough.py "$@"
}

run_asan() { run_sanitized asan '^$' "$@"; }

# In the child of a process with other threads TSan turns itself off, and may wait for ever for its own locks
# (llvm/llvm-project#96600): nothing is learned of engines that fork.
# GCC 12's ThreadSanitizer cannot map its shadow where the kernel randomises more address bits than it knew of.
run_tsan() {
    if [[ -z "${WEIR_FIXED_ADDRESSES:-}" ]] && setarch -R true 2>/dev/null; then
        WEIR_FIXED_ADDRESSES=1 exec setarch -R "$BASH" ./run tsan "$@"
    fi
    run_sanitized tsan '/(prefork|fork_per_connection)$' "$@"
}

# Every call of the program fails once: see docs/testing.md. The report is build/asan/faults.md.
run_faults() {
    need "${packages_sanitize[@]}"
    configure asan
    build asan weir fault_supervisor weir_failing_allocations
    python3 tests/faults/program/run_faults.py build/asan --jobs "$jobs" "$@"
}

# fuzz_one PROGRAM SECONDS: says what became of it; a fault's output and the path of its input go to standard error.
fuzz_one() {
    local name log
    name="$(basename "$1")"
    log="build/fuzz/logs/$name.log"
    mkdir -p "build/fuzz/found/$name"
    if "$1" -max_total_time="$2" -max_len=4096 -timeout=25 -print_final_stats=1 -print_funcs=0 \
        -dict=tests/fuzz/words.dict -artifact_prefix="build/fuzz/crashes/$name-" \
        "build/fuzz/found/$name" >"$log" 2>&1; then
        say "fuzz: $name: no fault in $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions"
        return
    fi
    tail -n 60 "$log" >&2
    say "fuzz: $name found a fault; its input: $(sed -n 's/.*Test unit written to //p' "$log"); its output: $log"
    return 1
}

# As many at a time as there are jobs, for `seconds` each.
run_fuzz() {
    local seconds="${1:-60}" programs program running=0 faults=0
    [[ "$seconds" =~ ^[1-9][0-9]*$ ]] || fail "fuzz takes a number of seconds, not '$seconds'"
    need "${packages_fuzz[@]}"
    configure fuzz
    build fuzz fuzzers
    mkdir -p build/fuzz/{crashes,logs}
    # Clang's own symbolizer is in a large package. Without one, a report has addresses and no names.
    export ASAN_SYMBOLIZER_PATH="${ASAN_SYMBOLIZER_PATH:-$(command -v addr2line)}"
    programs=(build/fuzz/fuzzers/*)
    say "fuzz: ${#programs[@]} fuzzers, $seconds s each, $jobs at a time"
    for program in "${programs[@]}"; do
        if ((running == jobs)); then
            wait -n || faults=$((faults + 1))
            running=$((running - 1))
        fi
        say "fuzz: $(basename "$program") starts"
        fuzz_one "$program" "$seconds" &
        running=$((running + 1))
    done
    for (( ; running > 0; --running)); do
        wait -n || faults=$((faults + 1))
    done
    ((faults == 0)) || fail "$faults of the fuzzers found a fault, as said above"
}

run_soak() {
    need "${packages_build[@]}" python3 util-linux
    configure release
    build release weir
    (($#)) || set -- 20
    WEIR_BINARY="$PWD/build/release/weir" WEIR_SOURCE_DIR="$PWD" python3 tests/soak/soak.py "$@"
}
