# The options of the build, and the flags for all of weir's targets.

# The number of the binary interface, which the soname carries. Before 1.0, each minor version has one of its own.
set(WEIR_INTERFACE ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(WEIR_INTERFACE ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endif()

# As part of another project, only the library is built by default.
set(weir_default OFF)
if(PROJECT_IS_TOP_LEVEL)
    set(weir_default AUTO)
endif()
set(WEIR_BUILD_CLI ${weir_default} CACHE STRING "Build the weir command (needs CLI11): AUTO (where CLI11 is found), ON or OFF")
set(WEIR_BUILD_TESTS ${weir_default} CACHE STRING
    "Build the tests (need GoogleTest with GMock, Python): AUTO (where they are found), ON or OFF")
set_property(CACHE WEIR_BUILD_CLI WEIR_BUILD_TESTS PROPERTY STRINGS AUTO ON OFF)
option(WEIR_INSTALL "Make the install target" ${PROJECT_IS_TOP_LEVEL})
option(WEIR_BUILD_BENCH "Build the microbenchmarks (needs Google Benchmark)" OFF)
option(WEIR_BUILD_FUZZERS "Build the fuzzers (needs Clang and its libFuzzer)" OFF)
option(WEIR_PACKAGE "Prepare for CPack, and build the static command; see the preset package" OFF)
option(WEIR_WERROR "Treat warnings as errors" OFF)
set(WEIR_WITH_ASIO AUTO CACHE STRING "Build the engine asio: AUTO (where Asio is there), ON or OFF")
set_property(CACHE WEIR_WITH_ASIO PROPERTY STRINGS AUTO ON OFF)
set(WEIR_WITH_TLS AUTO CACHE STRING "Build weir-tls and serve --tls: AUTO (where OpenSSL 3 is there), ON or OFF")
set_property(CACHE WEIR_WITH_TLS PROPERTY STRINGS AUTO ON OFF)
set(WEIR_WITH_ZLIB AUTO CACHE STRING "Build gzip in weir-compress and serve --compress: AUTO (where zlib is there), ON or OFF")
set_property(CACHE WEIR_WITH_ZLIB PROPERTY STRINGS AUTO ON OFF)
set(WEIR_WITH_LIBDEFLATE AUTO CACHE STRING "Compress small contents by libdeflate, beside zlib: AUTO (where it is there), ON or OFF")
set_property(CACHE WEIR_WITH_LIBDEFLATE PROPERTY STRINGS AUTO ON OFF)
set(WEIR_WITH_BROTLI AUTO CACHE STRING "Build br in weir-compress and serve --compress: AUTO (where brotli is there), ON or OFF")
set_property(CACHE WEIR_WITH_BROTLI PROPERTY STRINGS AUTO ON OFF)
set(WEIR_WITH_ZSTD AUTO CACHE STRING "Build zstd in weir-compress and serve --compress: AUTO (where libzstd is there), ON or OFF")
set_property(CACHE WEIR_WITH_ZSTD PROPERTY STRINGS AUTO ON OFF)
set(WEIR_WITH_CMARK AUTO CACHE STRING "Build weir-markdown and serve --markdown: AUTO (where cmark-gfm is there), ON or OFF")
set_property(CACHE WEIR_WITH_CMARK PROPERTY STRINGS AUTO ON OFF)
set(WEIR_WITH_EXPAT AUTO CACHE STRING "Build weir-dav and serve --webdav: AUTO (where Expat is there), ON or OFF")
set_property(CACHE WEIR_WITH_EXPAT PROPERTY STRINGS AUTO ON OFF)
set(WEIR_WITH_JSON AUTO CACHE STRING "Build serve --domain: AUTO (where nlohmann/json and OpenSSL are there), ON or OFF")
set_property(CACHE WEIR_WITH_JSON PROPERTY STRINGS AUTO ON OFF)
set(WEIR_WITH_GLOG AUTO CACHE STRING "Build weir-glog: AUTO (where glog is there), ON or OFF")
set_property(CACHE WEIR_WITH_GLOG PROPERTY STRINGS AUTO ON OFF)
set(WEIR_WITH_SPDLOG AUTO CACHE STRING "Build weir-spdlog: AUTO (where spdlog is there), ON or OFF")
set_property(CACHE WEIR_WITH_SPDLOG PROPERTY STRINGS AUTO ON OFF)
set(WEIR_WITH_QRENCODE AUTO CACHE STRING "Build serve --qr: AUTO (where libqrencode is there), ON or OFF")
set_property(CACHE WEIR_WITH_QRENCODE PROPERTY STRINGS AUTO ON OFF)
set(WEIR_WITH_ARCHIVE AUTO CACHE STRING "Build weir-archive and serve --archive: AUTO (where libarchive is there), ON or OFF")
set_property(CACHE WEIR_WITH_ARCHIVE PROPERTY STRINGS AUTO ON OFF)
set(WEIR_WITH_TOML AUTO CACHE STRING "Build serve --config: AUTO (where toml++ is there), ON or OFF")
set_property(CACHE WEIR_WITH_TOML PROPERTY STRINGS AUTO ON OFF)
set(WEIR_WITH_CRYPT AUTO CACHE STRING "Build serve --auth and weir password: AUTO (where libcrypt is there), ON or OFF")
set_property(CACHE WEIR_WITH_CRYPT PROPERTY STRINGS AUTO ON OFF)
set(WEIR_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them (address,undefined or thread)")

if(NOT "cxx_std_23" IN_LIST CMAKE_CXX_COMPILE_FEATURES)
    message(FATAL_ERROR "weir needs a compiler with C++23, such as GCC 12 or Clang 19; this is "
        "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} (${CMAKE_CXX_COMPILER})")
endif()

if(PROJECT_IS_TOP_LEVEL)
    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
    endif()
    # -O2 instead of CMake's -O3, until a measurement shows that -O3 is better. Assertions check for programming
    # errors; all builds except the release have them. No -march: the binary runs on any x86-64 (or other) machine, and
    # chooses the vectorised code at run time.
    set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
    set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")
    if(WEIR_SANITIZE)
        set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g")  # with -O0, the test suites take several times as long
    endif()
    set(CMAKE_CXX_EXTENSIONS OFF)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

    # Paths below the project are relative for ccache, so that another clone finds what this one compiled. ccache asks
    # for this sloppiness where a header is precompiled (ccache(1), "Precompiled headers"). It reads the precompiled
    # header once, not for each file (inode cache), and asks the compiler for what a file includes (depend mode): together
    # a fifth of the time of a first build.
    find_program(WEIR_CCACHE ccache)
    if(WEIR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
        set(CMAKE_CXX_COMPILER_LAUNCHER env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
            CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1 CCACHE_INODECACHE=1 "${WEIR_CCACHE}")
    endif()
endif()

option(WEIR_PCH "Precompile the headers of the standard library" ON)

find_package(Threads REQUIRED)
include(GNUInstallDirs)

# All of weir's targets link this, and no other target does.
add_library(weir_flags INTERFACE)
target_compile_features(weir_flags INTERFACE cxx_std_23)
target_include_directories(weir_flags INTERFACE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
target_compile_options(weir_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    # Clang includes sign conversions in -Wconversion, GCC does not. Use GCC's meaning for both.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>
    # Otherwise, position-independent code could not inline a global function in its own file.
    -fno-semantic-interposition
)
if(NOT PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # With -O3, which another project may use, GCC 12 has false warnings for "text" + std::string{} (GCC bug 105651).
    target_compile_options(weir_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
endif()
if(WEIR_PCH)
    # With precompiled headers, GCC's optimiser also warns about system headers, often wrongly. Builds without
    # precompiled headers still have these warnings.
    target_compile_options(weir_flags INTERFACE
        $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread;-Wno-stringop-overflow;-Wno-array-bounds;-Wno-restrict;-Wno-maybe-uninitialized>)
endif()
if(WEIR_WERROR)
    target_compile_options(weir_flags INTERFACE -Werror)
endif()

if(WEIR_SANITIZE)
    set(weir_sanitize_flags -fsanitize=${WEIR_SANITIZE} -fno-omit-frame-pointer -g)
    if(WEIR_SANITIZE MATCHES "undefined")
        # -fsanitize=vptr checks memory through pipe(2). If the process has no descriptors left, it reports a false
        # error.
        list(APPEND weir_sanitize_flags -fno-sanitize-recover=all -fno-sanitize=vptr)
    endif()
    target_compile_options(weir_flags INTERFACE ${weir_sanitize_flags})
    target_link_options(weir_flags INTERFACE -fsanitize=${WEIR_SANITIZE})
endif()

if(WEIR_BUILD_FUZZERS)
    target_compile_options(weir_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
