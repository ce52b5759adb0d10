# OpenSSL 3 (Debian's libssl-dev) makes the library weir-tls, and `weir serve --tls`; the library weir never links it.
# WEIR_HAS_TLS says whether they are built.

set(WEIR_HAS_TLS FALSE)
if(WEIR_WITH_TLS OR WEIR_WITH_TLS STREQUAL "AUTO")
    find_path(WEIR_OPENSSL_INCLUDE_DIR openssl/ssl.h)
    mark_as_advanced(WEIR_OPENSSL_INCLUDE_DIR)
    if(WEIR_OPENSSL_INCLUDE_DIR)
        find_package(OpenSSL 3.0 QUIET)
    endif()
    if(OPENSSL_FOUND)
        set(WEIR_HAS_TLS TRUE)
        set(WEIR_STATIC_OPENSSL "-l:libssl.a;-l:libcrypto.a")
    elseif(NOT WEIR_WITH_TLS STREQUAL "AUTO")
        message(FATAL_ERROR "WEIR_WITH_TLS=${WEIR_WITH_TLS}, but OpenSSL 3.0 is not found: install libssl-dev, "
            "or say where it is by -DOPENSSL_ROOT_DIR=...")
    endif()
endif()
