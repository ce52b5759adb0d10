# cmark-gfm (Debian's libcmark-gfm-dev and libcmark-gfm-extensions-dev) makes the library weir-markdown, and `weir serve
# --markdown`; the library weir does not link it. WEIR_HAS_MARKDOWN says whether it is there.

set(WEIR_HAS_MARKDOWN FALSE)
set(WEIR_REQUIRES_markdown libcmark-gfm)  # of the file for pkg-config
if(WEIR_WITH_CMARK OR WEIR_WITH_CMARK STREQUAL "AUTO")
    find_path(WEIR_CMARK_INCLUDE_DIR cmark-gfm-core-extensions.h)
    find_library(WEIR_CMARK_LIBRARY cmark-gfm)
    find_library(WEIR_CMARK_EXTENSIONS_LIBRARY cmark-gfm-extensions)
    mark_as_advanced(WEIR_CMARK_INCLUDE_DIR WEIR_CMARK_LIBRARY WEIR_CMARK_EXTENSIONS_LIBRARY)
    if(WEIR_CMARK_INCLUDE_DIR AND WEIR_CMARK_LIBRARY AND WEIR_CMARK_EXTENSIONS_LIBRARY)
        set(WEIR_HAS_MARKDOWN TRUE)
    elseif(NOT WEIR_WITH_CMARK STREQUAL "AUTO")
        message(FATAL_ERROR "WEIR_WITH_CMARK=${WEIR_WITH_CMARK}, but cmark-gfm is not found: install libcmark-gfm-dev and "
            "libcmark-gfm-extensions-dev, or say where it is by -DWEIR_CMARK_INCLUDE_DIR=..., -DWEIR_CMARK_LIBRARY=... and "
            "-DWEIR_CMARK_EXTENSIONS_LIBRARY=...")
    endif()
endif()
