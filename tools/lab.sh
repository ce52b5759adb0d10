# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # what ./run reads of it, and it of ./run
# Provides what the lab needs before it can measure, and checks its code. ./run sources this file.

# Debian 12 has an old Rust, and a current one to build its browsers with.
packages_rust=(pkg-config)
command -v cargo >/dev/null || packages_rust+=(cargo-web rustc-web)
# For ./run check. rustup brings its own formatter and linter.
packages_lab_check=("${packages_rust[@]}" python3-venv)
command -v rustfmt >/dev/null || packages_lab_check+=(rustfmt-web)
command -v cargo-clippy >/dev/null || packages_lab_check+=(rust-web-clippy)
readonly crates=(lab/rps lab/peers/hyper lab/peers/may)
readonly crates_to_build=(lab/peers/axum lab/peers/uwebsockets lab/handshakes lab/echoes) # only when an experiment names them
# The lab's tests against servers of ours; and the live ones, which need everything that the lab can use.
packages_lab_test=(g++ cmake ninja-build liburing-dev git python3-venv)
packages_lab_live=("${packages_build[@]}" "${packages_rust[@]}" liburing-dev libssl-dev git python3-venv strace apache2-utils wrk
    nghttp2-client h2o lighttpd caddy haproxy iproute2 nlohmann-json3-dev "${packages_browser[@]}")
[[ -x /usr/sbin/nginx ]] || packages_lab_live+=(nginx-light)
readonly services_of_peers=(nginx h2o lighttpd caddy haproxy)
readonly lab="$PWD/build/lab"

# The package of a server starts it on port 80, now and at each boot. policy-rc.d prevents the start, and servers that
# are new here are disabled. Servers that were installed before stay as they are.
need_without_services() {
    local policy=/usr/sbin/policy-rc.d service new=()
    [[ -n "$(missing_packages "$@")" && ! -e "$policy" ]] || {
        need "$@"
        return
    }
    for service in "${services_of_peers[@]}"; do
        [[ -e "/lib/systemd/system/$service.service" ]] || new+=("$service")
    done
    trap 'as_root rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
    need "$@"
    as_root rm -f "$policy"
    trap - EXIT
    ((${#new[@]} == 0)) || ! command -v systemctl >/dev/null || as_root systemctl --quiet disable "${new[@]}" || true
}

has_python_packages() { cmp -s "lab/$1" "$lab/venv/$1"; }

# --no-compile: Python compiles modules when it imports them, and most of these are never imported.
install_python_packages() {
    "$lab/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile -r "lab/$1" >&2 ||
        fail "the installation failed, as shown above"
    cp "lab/$1" "$lab/venv/$1"
}

# The environment that every command of weir-lab uses. It is made anew if the file changes.
python_environment() {
    ! has_python_packages requirements.txt || return 0
    need python3 python3-venv
    say "Installing Python packages (typer, rich, pydantic, h2 and scipy) into build/lab/venv. This happens once."
    rm -rf "$lab/venv"
    python3 -m venv "$lab/venv"
    install_python_packages requirements.txt
}

# Adds the tools of the lab's tests.
test_python_packages() {
    python_environment
    has_python_packages requirements-test.txt || install_python_packages requirements-test.txt
}

# Adds Locust.
all_python_packages() {
    test_python_packages
    ! has_python_packages requirements-all.txt || return 0
    say "Installing Python packages (Locust) into build/lab/venv."
    install_python_packages requirements-all.txt
}

# Adds the linters of C++ and Python, for ./run check.
linters() {
    python_environment
    has_python_packages requirements-check.txt || install_python_packages requirements-check.txt
}

# clippy_is_content CRATE: what it has found clean once, byte for byte, it is not asked again, in any clone. Clones share the
# crates that it has compiled.
clippy_is_content() {
    local crate="$1" clean="$store/clippy" key
    key="$({ cargo clippy --version && find "$crate" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum; } | sha256sum)"
    mkdir -p "$clean"
    [[ ! -e "$clean/${key%% *}" ]] || return 0
    CARGO_TARGET_DIR="$store/cargo" cargo clippy --quiet --locked --all-targets --jobs "$jobs" \
        --manifest-path "$crate/Cargo.toml" -- -D warnings || return 1
    touch "$clean/${key%% *}"
}

# Checks format and lint of the lab's Python and Rust, and lint alone of the other Python, which has its own format.
lab_is_clean() {
    local crate failed=0 ruff="$lab/venv/bin/ruff"
    linters
    "$ruff" format --quiet --check lab || {
        say "to have it formatted: build/lab/venv/bin/ruff format lab"
        failed=1
    }
    "$ruff" check --quiet lab || failed=1
    "$ruff" check --quiet --config lab/pyproject.toml --select B,E,F,UP,W --ignore E501 bench tests tools || failed=1
    # rustfmt does not break comments and strings.
    ! git grep -nE '^.{121}' -- 'lab/*.rs' || failed=1
    for crate in "${crates[@]}" "${crates_to_build[@]}"; do
        cargo fmt --check --manifest-path "$crate/Cargo.toml" || failed=1
    done
    for crate in "${crates[@]}"; do
        clippy_is_content "$crate" || failed=1
    done
    return "$failed"
}

floors() {
    cmake -S lab/floor -B "$lab/floor" -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null || fail "cmake could not configure lab/floor"
    ninja -C "$lab/floor" >&2 || fail "lab/floor did not build"
}

# rust_program PLACE FOLDER [OPTION...]
rust_program() {
    CARGO_TARGET_DIR="$lab/$1" cargo build --release --locked --jobs "$jobs" --manifest-path "lab/$2/Cargo.toml" "${@:3}" >&2 ||
        fail "lab/$2 did not build"
}

# oha does not compile without a TLS library. The system's takes the least time to build.
oha() {
    local wanted=1.16.0
    [[ "$("$lab/oha/bin/oha" --version 2>/dev/null)" != "oha $wanted" ]] || return 0
    announce "oha $wanted" "five to fifteen minutes"
    cargo install oha --version "$wanted" --locked --no-default-features --features native-tls --root "$lab/oha" --jobs "$jobs" >&2 ||
        fail "oha did not build"
}

# announce NAME TIME: what is built for an experiment that names it, and how long that takes on two cores.
announce() { say "Building $1, as the experiment names it: about $2 on two cores. This happens once."; }

# Builds nothing where the program is newer than all its sources, so that the time is stated only if it is spent.
peer_is_built() {
    [[ -x "$lab/$1" && -z "$(find "lab/peers/$2" -type f -newer "$lab/$1" -print -quit)" ]]
}

rust_peer() {
    peer_is_built "$1/release/$1-peer" "$1" || announce "$1" "$2"
    rust_program "$1" "peers/$1"
}

# The client of handshakes, and the peer hyper with TLS and HTTP/2. Both have rustls, which is most of their build.
handshakes() {
    [[ -x "$lab/handshakes/release/handshakes" ]] || announce handshakes "a minute"
    rust_program handshakes handshakes
}

# The client of echo servers.
echoes() {
    [[ -x "$lab/echoes/release/echoes" ]] || announce echoes "half a minute"
    rust_program echoes echoes
}

hyper_rustls() {
    peer_is_built hyper-rustls/release/hyper-peer hyper || announce hyper-rustls "a minute"
    rust_program hyper-rustls peers/hyper --features tls
}

# Debian 12 has Go 1.19, which is too old.
go_peer() {
    ! peer_is_built "$1/$1-peer" "$1" || return 0
    command -v go >/dev/null || fail "$1 needs Go 1.25 or newer, which Debian 12 does not have: https://go.dev/dl"
    announce "$1" "$2"
    (cd "lab/peers/$1" && go build -mod=readonly -trimpath -ldflags="-s -w" -o "$lab/$1/$1-peer" .) >&2 ||
        fail "lab/peers/$1 did not build (it needs Go 1.25 or newer)"
}

cpp_peer() {
    cmake -S lab/peers/cpp -B "$lab/cpp" -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null || fail "cmake could not configure lab/peers/cpp"
    ninja -C "$lab/cpp" -n "$1-peer" | grep -q '^ninja: no work to do' || announce "$1" "$2"
    ninja -C "$lab/cpp" --quiet "$1-peer" >&2 || fail "lab/peers/cpp did not build"
}

# A program on the library of this tree, as any program finds it: installed, from the release build.
weir_program() {
    local place="$lab/weir-program"
    mkdir -p "$place"
    cmake --install build/release --prefix "$place/installed" >"$place/installed.log" 2>&1 ||
        fail "the library could not be installed: see $place/installed.log"
    cmake -S lab/peers/weir -B "$place" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$place/installed" >/dev/null ||
        fail "cmake could not configure lab/peers/weir"
    ninja -C "$place" --quiet >&2 || fail "lab/peers/weir did not build"
}

# uWebSockets is in no Debian package. A crate contains its sources, and Cargo.lock has the hash of the crate.
uwebsockets() {
    local place="$lab/uwebsockets" crate=lab/peers/uwebsockets
    cmp -s "$crate/Cargo.lock" "$place/Cargo.lock" || {
        announce uwebsockets "half a minute"
        rm -rf "$place"
        mkdir -p "$place"
        cargo vendor --quiet --locked --manifest-path "$crate/Cargo.toml" "$place/crates" >/dev/null ||
            fail "the sources of uWebSockets could not be fetched"
        mv "$place/crates/libuwebsockets-sys/uWebSockets" "$place/sources"
        rm -rf "$place/crates"
        cp "$crate/Cargo.lock" "$place/Cargo.lock"
    }
    cmake -S "$crate" -B "$place" -G Ninja -DCMAKE_BUILD_TYPE=Release -DUWEBSOCKETS="$place/sources" >/dev/null ||
        fail "cmake could not configure $crate"
    ninja -C "$place" --quiet >&2 || fail "$crate did not build"
}

# The lab's tests with generators and servers of other people. Their verdicts depend on the machine: measure on a quiet
# one.
live_tests() {
    need_without_services "${packages_lab_live[@]}"
    provide weir floor rps hyper may oha locust handshakes echoes weir-program
    CARGO_TARGET_DIR="$lab/rps" cargo test --quiet --release --locked --jobs "$jobs" --manifest-path lab/rps/Cargo.toml >&2 ||
        fail "lab/rps: a test failed"
    CARGO_TARGET_DIR="$lab/echoes" cargo test --quiet --release --locked --jobs "$jobs" --manifest-path lab/echoes/Cargo.toml >&2 ||
        fail "lab/echoes: a test failed"
    (cd lab && "$lab/venv/bin/python" -m pytest -q -rs -m live "$@")
}

# packages_of NEED...: prints the Debian packages that are needed to provide these.
packages_of() {
    local need
    for need in "$@"; do
        case "$need" in
            weir) printf '%s\n' "${packages_build[@]}" ;;
            floor) printf '%s\n' "${packages_build[@]}" liburing-dev ;;
            rps | hyper | may | axum | handshakes | echoes | hyper-rustls) printf '%s\n' "${packages_rust[@]}" ;;
            caddy-go | go-http) ;;
            weir-program) printf '%s\n' "${packages_build[@]}" nlohmann-json3-dev ;;
            uwebsockets) printf '%s\n' "${packages_rust[@]}" "${packages_build[@]}" ;;
            cpp-httplib) printf '%s\n' "${packages_build[@]}" libcpp-httplib-dev ;;
            oha) printf '%s\n' "${packages_rust[@]}" libssl-dev ;;
            locust) ;;
            *) printf '%s\n' "$need" ;;
        esac
    done
}

# provide NEED...: builds the parts and installs the packages. The names are those that `weir-lab needs` prints.
provide() {
    local need packages
    mapfile -t packages < <(packages_of "$@" | sort -u)
    need_without_services "${packages[@]}"
    for need in "$@"; do
        case "$need" in
            weir) run_build ;;
            floor) floors ;;
            rps) rust_program rps rps ;;
            hyper | may) rust_program "$need" "peers/$need" ;;
            oha) oha ;;
            handshakes | echoes | uwebsockets) "$need" ;;
            weir-program) weir_program ;;
            hyper-rustls) hyper_rustls ;;
            locust) all_python_packages ;;
            axum) rust_peer axum "a minute" ;;
            go-http) go_peer go-http "half a minute" ;;
            caddy-go) go_peer caddy "two minutes" ;;
            cpp-httplib) cpp_peer httplib "five seconds" ;;
        esac
    done
}
