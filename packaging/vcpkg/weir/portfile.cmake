# An overlay port, which builds the tree that it lies in:
#
#     vcpkg install 'weir[tls]' --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features
    FEATURES
        asio WEIR_WITH_ASIO
        brotli WEIR_WITH_BROTLI
        glog WEIR_WITH_GLOG
        spdlog WEIR_WITH_SPDLOG
        tls WEIR_WITH_TLS
        zlib WEIR_WITH_ZLIB
        zstd WEIR_WITH_ZSTD
)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS ${features} -DWEIR_BUILD_CLI=OFF -DWEIR_BUILD_TESTS=OFF -DWEIR_WITH_QRENCODE=OFF -DWEIR_WITH_CRYPT=OFF -DWEIR_WITH_TOML=OFF -DWEIR_WITH_ARCHIVE=OFF -DWEIR_WITH_CMARK=OFF -DWEIR_WITH_EXPAT=OFF -DWEIR_WITH_LIBDEFLATE=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/weir)
vcpkg_fixup_pkgconfig()

# weir builds both libraries. A triplet has one of them.
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
    file(GLOB others "${CURRENT_PACKAGES_DIR}/lib/libweir.so*" "${CURRENT_PACKAGES_DIR}/debug/lib/libweir.so*")
else()
    file(GLOB others "${CURRENT_PACKAGES_DIR}/lib/libweir.a" "${CURRENT_PACKAGES_DIR}/debug/lib/libweir.a")
endif()
file(REMOVE ${others})
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
