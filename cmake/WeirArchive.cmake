# libarchive (Debian's libarchive-dev) makes the library weir-archive, and `weir serve --archive`; the library weir does not
# link it. WEIR_HAS_ARCHIVE says whether it is built.

set(WEIR_HAS_ARCHIVE FALSE)
set(WEIR_REQUIRES_archive libarchive)  # of its file for pkg-config
if(WEIR_WITH_ARCHIVE OR WEIR_WITH_ARCHIVE STREQUAL "AUTO")
    find_path(WEIR_ARCHIVE_INCLUDE_DIR archive.h)
    find_library(WEIR_ARCHIVE_LIBRARY archive)
    mark_as_advanced(WEIR_ARCHIVE_INCLUDE_DIR WEIR_ARCHIVE_LIBRARY)
    if(WEIR_ARCHIVE_INCLUDE_DIR AND WEIR_ARCHIVE_LIBRARY)
        set(WEIR_HAS_ARCHIVE TRUE)
    elseif(NOT WEIR_WITH_ARCHIVE STREQUAL "AUTO")
        message(FATAL_ERROR "WEIR_WITH_ARCHIVE=${WEIR_WITH_ARCHIVE}, but libarchive is not found: install libarchive-dev, or "
            "say where it is by -DWEIR_ARCHIVE_INCLUDE_DIR=... and -DWEIR_ARCHIVE_LIBRARY=...")
    endif()
endif()
