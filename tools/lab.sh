# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # what ./run reads of it, and it of ./run
# What the lab needs before it can measure: a part of ./run, which reads it in.

# Debian 12 has a current Rust beside the old one: the one that its browsers are built with.
packages_lab=("${packages_build[@]}" liburing-dev libssl-dev pkg-config git python3-venv strace apache2-utils wrk nghttp2-client h2o lighttpd caddy haproxy)
[[ -x /usr/sbin/nginx ]] || packages_lab+=(nginx-light)
command -v cargo >/dev/null || packages_lab+=(cargo-web rustc-web)
packages_lab_test=("${packages_lab[@]}" iproute2 "${packages_browser[@]}")
readonly services_of_peers=(nginx h2o lighttpd caddy haproxy)
readonly lab="$PWD/build/lab"

# A package of a server starts it, now and at each boot, on port 80 for all to see. Not for the lab's sake: those that
# were there before are left as they are.
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

# The environment of the lab, made anew when its requirements change.
python_environment() {
    cmp -s lab/requirements.txt "$lab/venv/requirements.txt" && return
    say "Installing the lab's Python packages into build/lab/venv."
    rm -rf "$lab/venv"
    python3 -m venv "$lab/venv"
    "$lab/venv/bin/pip" install --quiet --disable-pip-version-check -r lab/requirements.txt >&2 ||
        fail "that did not work, as it says above"
    "$lab/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --editable lab >&2
    cp lab/requirements.txt "$lab/venv/requirements.txt"
}

floors() {
    cmake -S lab/floor -B "$lab/floor" -G Ninja -DCMAKE_BUILD_TYPE=Release >/dev/null || fail "cmake could not configure lab/floor"
    ninja -C "$lab/floor" >&2 || fail "lab/floor did not build"
}

rust_program() {
    CARGO_TARGET_DIR="$lab/$1" cargo build --release --locked --jobs "$jobs" --manifest-path "lab/$2/Cargo.toml" >&2 ||
        fail "lab/$2 did not build"
}

# Without a TLS library of its own it does not compile; the system's takes the least time.
oha() {
    local wanted=1.16.0
    [[ "$("$lab/oha/bin/oha" --version 2>/dev/null)" != "oha $wanted" ]] || return 0
    cargo install oha --version "$wanted" --locked --no-default-features --features native-tls --root "$lab/oha" --jobs "$jobs" >&2 ||
        fail "oha did not build"
}

prepare_lab() {
    need_without_services "$@"
    python_environment
    run_build
    floors
    rust_program rps rps
    rust_program hyper peers/hyper
    rust_program may peers/may
    oha
    export WEIR_BINARY="$PWD/build/release/weir" WEIR_LAB_BUILD="$lab"
}
