# libqrencode (Debian's libqrencode-dev) draws the QR code of `weir serve --qr`; the library never links it.
# WEIR_HAS_QRENCODE says whether the command is built with it.

set(WEIR_HAS_QRENCODE FALSE)
if(WEIR_WITH_QRENCODE OR WEIR_WITH_QRENCODE STREQUAL "AUTO")
    find_path(WEIR_QRENCODE_INCLUDE_DIR qrencode.h)
    find_library(WEIR_QRENCODE_LIBRARY qrencode)
    mark_as_advanced(WEIR_QRENCODE_INCLUDE_DIR WEIR_QRENCODE_LIBRARY)
    if(WEIR_QRENCODE_INCLUDE_DIR AND WEIR_QRENCODE_LIBRARY)
        set(WEIR_HAS_QRENCODE TRUE)
    elseif(NOT WEIR_WITH_QRENCODE STREQUAL "AUTO")
        message(FATAL_ERROR "WEIR_WITH_QRENCODE=${WEIR_WITH_QRENCODE}, but libqrencode is not found: install libqrencode-dev, "
            "or say where it is by -DWEIR_QRENCODE_INCLUDE_DIR=... and -DWEIR_QRENCODE_LIBRARY=...")
    endif()
endif()
