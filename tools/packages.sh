# shellcheck shell=bash
# shellcheck disable=SC2154  # variables of ./run
# The commands of `./run` that make packages. `run` sources it: it has say, fail, need, configure and build.

packed_version() { build/package/weir_static --version | sed -n '1s/^weir //p'; }

# pack FILE [argument...]: an archive whose bytes depend on nothing but the contents, the names and SOURCE_DATE_EPOCH.
pack() {
    local file="$1"
    shift
    tar --sort=name --owner=0 --group=0 --numeric-owner --mode=go=u-w --mtime="@$SOURCE_DATE_EPOCH" --format=gnu \
        -c "$@" | gzip -9n >"$file"
}

# The static command with its pages, as it is unpacked below /usr/local.
pack_portable() {
    local name stage="$PWD/build/package/stage"
    name="weir-$(packed_version)-linux-$(uname -m)"
    rm -rf "$stage"
    DESTDIR="$stage" cmake --install build/package --prefix /usr/local --component portable --strip >/dev/null
    mv "$stage/usr/local" "$stage/$name"
    pack "dist/$name.tar.gz" -C "$stage" "$name"
}

# The files that git knows, for the recipes of other distributions.
pack_source() {
    local name
    name="weir-$(packed_version)"
    git ls-files -z | pack "dist/$name.tar.gz" --null --files-from=- --transform="flags=r;s|^|$name/|"
}

run_package() {
    need "${packages_package[@]}"
    # The time of everything that is packed is that of the changelog's last entry.
    SOURCE_DATE_EPOCH="$(dpkg-parsechangelog -l packaging/debian/changelog -STimestamp)"
    export SOURCE_DATE_EPOCH
    umask 022
    configure package
    build package
    rm -rf dist build/package/packages
    mkdir dist
    (cd build/package && cpack -B packages) >build/package/cpack.log 2>&1 || {
        cat build/package/cpack.log >&2
        fail "cpack could not make the packages"
    }
    mv build/package/packages/*.deb dist/
    pack_portable
    pack_source
    python3 tools/sbom.py build/package dist "$(packed_version)" >build/package/sbom.json
    mv build/package/sbom.json "dist/weir-$(packed_version).spdx.json"
    (cd dist && sha256sum -- * >../build/package/SHA256SUMS)
    mv build/package/SHA256SUMS dist/
    ls dist/*
}

run_release() {
    need git python3
    python3 tools/release.py || fail "this is no release yet, as shown above"
    run_package
    python3 tools/release.py --made || fail "dist/ is no release, as shown above"
}
