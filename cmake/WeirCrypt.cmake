# libcrypt (Debian's libcrypt-dev) compares the passwords of `weir serve --auth`, and makes the hashes of `weir password`; the
# library weir never links it. WEIR_HAS_CRYPT says whether the command is built with it.

set(WEIR_HAS_CRYPT FALSE)
if(WEIR_WITH_CRYPT OR WEIR_WITH_CRYPT STREQUAL "AUTO")
    find_path(WEIR_CRYPT_INCLUDE_DIR crypt.h)
    find_library(WEIR_CRYPT_LIBRARY crypt)
    mark_as_advanced(WEIR_CRYPT_INCLUDE_DIR WEIR_CRYPT_LIBRARY)
    if(WEIR_CRYPT_INCLUDE_DIR AND WEIR_CRYPT_LIBRARY)
        set(WEIR_HAS_CRYPT TRUE)
    elseif(NOT WEIR_WITH_CRYPT STREQUAL "AUTO")
        message(FATAL_ERROR "WEIR_WITH_CRYPT=${WEIR_WITH_CRYPT}, but libcrypt is not found: install libcrypt-dev, or say "
            "where it is by -DWEIR_CRYPT_INCLUDE_DIR=... and -DWEIR_CRYPT_LIBRARY=...")
    endif()
endif()
