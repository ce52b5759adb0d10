# zlib (Debian's zlib1g-dev), brotli (libbrotli-dev) and zstd (libzstd-dev) make the library weir-compress, and `weir serve
# --compress`; the library weir links none of them. WEIR_HAS_COMPRESS says whether there is at least one, and
# WEIR_HAS_CODING_<coding> which.

set(WEIR_CODINGS gzip brotli zstandard)
set(WEIR_HAS_COMPRESS FALSE)
set(WEIR_COMPRESS_LINKS "")     # of the library weir-compress
set(WEIR_REQUIRES_compress "")  # of its file for pkg-config

# weir_find_coding(<coding> <option> <header> <library> <module of pkg-config> <package> <archives>)
macro(weir_find_coding coding option header library module package archives)
    set(WEIR_HAS_CODING_${coding} FALSE)
    if(${option} OR ${option} STREQUAL "AUTO")
        find_path(WEIR_${coding}_INCLUDE_DIR ${header})
        find_library(WEIR_${coding}_LIBRARY ${library})
        mark_as_advanced(WEIR_${coding}_INCLUDE_DIR WEIR_${coding}_LIBRARY)
        if(WEIR_${coding}_INCLUDE_DIR AND WEIR_${coding}_LIBRARY)
            set(WEIR_HAS_CODING_${coding} TRUE)
            set(WEIR_HAS_COMPRESS TRUE)
            set(WEIR_STATIC_${coding} "${archives}")
            list(APPEND WEIR_COMPRESS_LINKS
                $<BUILD_INTERFACE:${WEIR_${coding}_LIBRARY}> $<INSTALL_INTERFACE:${library}>)
            list(APPEND WEIR_REQUIRES_compress ${module})
        elseif(NOT ${option} STREQUAL "AUTO")
            message(FATAL_ERROR "${option}=${${option}}, but ${header} or its library is not found: install ${package}, "
                "or say where they are by -DWEIR_${coding}_INCLUDE_DIR=... and -DWEIR_${coding}_LIBRARY=...")
        endif()
    endif()
endmacro()

weir_find_coding(gzip WEIR_WITH_ZLIB zlib.h z zlib zlib1g-dev "-l:libz.a")
# Beside zlib, for contents that are there as a whole (coding/whole_gzip.cpp).
set(WEIR_HAS_LIBDEFLATE FALSE)
if(WEIR_HAS_CODING_gzip AND (WEIR_WITH_LIBDEFLATE OR WEIR_WITH_LIBDEFLATE STREQUAL "AUTO"))
    find_path(WEIR_LIBDEFLATE_INCLUDE_DIR libdeflate.h)
    find_library(WEIR_LIBDEFLATE_LIBRARY deflate)
    mark_as_advanced(WEIR_LIBDEFLATE_INCLUDE_DIR WEIR_LIBDEFLATE_LIBRARY)
    if(WEIR_LIBDEFLATE_INCLUDE_DIR AND WEIR_LIBDEFLATE_LIBRARY)
        set(WEIR_HAS_LIBDEFLATE TRUE)
        list(APPEND WEIR_COMPRESS_LINKS
            $<BUILD_INTERFACE:${WEIR_LIBDEFLATE_LIBRARY}> $<INSTALL_INTERFACE:deflate>)
        list(APPEND WEIR_REQUIRES_compress libdeflate)
    elseif(NOT WEIR_WITH_LIBDEFLATE STREQUAL "AUTO")
        message(FATAL_ERROR "WEIR_WITH_LIBDEFLATE=${WEIR_WITH_LIBDEFLATE}, but libdeflate.h or its library is not found: "
            "install libdeflate-dev, or say where they are by -DWEIR_LIBDEFLATE_INCLUDE_DIR=... and "
            "-DWEIR_LIBDEFLATE_LIBRARY=...")
    endif()
endif()
weir_find_coding(brotli WEIR_WITH_BROTLI brotli/encode.h brotlienc libbrotlienc libbrotli-dev "-l:libbrotlienc.a$<SEMICOLON>-l:libbrotlicommon.a")
weir_find_coding(zstandard WEIR_WITH_ZSTD zstd.h zstd libzstd libzstd-dev "-l:libzstd.a")
list(JOIN WEIR_REQUIRES_compress ", " WEIR_REQUIRES_compress)
