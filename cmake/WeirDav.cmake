# Expat (Debian's libexpat1-dev) makes the library weir-dav, and `weir serve --webdav`; the library weir does not link it.
# WEIR_HAS_DAV says whether it is there.

set(WEIR_HAS_DAV FALSE)
set(WEIR_REQUIRES_dav expat)  # of the file for pkg-config
if(WEIR_WITH_EXPAT OR WEIR_WITH_EXPAT STREQUAL "AUTO")
    find_path(WEIR_EXPAT_INCLUDE_DIR expat.h)
    find_library(WEIR_EXPAT_LIBRARY expat)
    mark_as_advanced(WEIR_EXPAT_INCLUDE_DIR WEIR_EXPAT_LIBRARY)
    if(WEIR_EXPAT_INCLUDE_DIR AND WEIR_EXPAT_LIBRARY)
        set(WEIR_HAS_DAV TRUE)
    elseif(NOT WEIR_WITH_EXPAT STREQUAL "AUTO")
        message(FATAL_ERROR "WEIR_WITH_EXPAT=${WEIR_WITH_EXPAT}, but Expat is not found: install libexpat1-dev, or say where "
            "it is by -DWEIR_EXPAT_INCLUDE_DIR=... and -DWEIR_EXPAT_LIBRARY=...")
    endif()
endif()
