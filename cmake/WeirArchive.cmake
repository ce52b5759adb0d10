# The headers of libarchive (Debian's libarchive-dev) make the library weir-archive, and `weir serve --archive`. Nothing links
# libarchive: it is loaded where an archive is wanted. WEIR_HAS_ARCHIVE says whether weir-archive is built.

set(WEIR_HAS_ARCHIVE FALSE)
if(WEIR_WITH_ARCHIVE OR WEIR_WITH_ARCHIVE STREQUAL "AUTO")
    find_path(WEIR_ARCHIVE_INCLUDE_DIR archive.h)
    mark_as_advanced(WEIR_ARCHIVE_INCLUDE_DIR)
    if(WEIR_ARCHIVE_INCLUDE_DIR)
        set(WEIR_HAS_ARCHIVE TRUE)
    elseif(NOT WEIR_WITH_ARCHIVE STREQUAL "AUTO")
        message(FATAL_ERROR "WEIR_WITH_ARCHIVE=${WEIR_WITH_ARCHIVE}, but the headers of libarchive are not found: install "
            "libarchive-dev, or say where they are by -DWEIR_ARCHIVE_INCLUDE_DIR=...")
    endif()
endif()
