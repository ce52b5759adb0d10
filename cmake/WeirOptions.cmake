# What can be switched, and the flags that every target of ours is compiled with.

# In another project's tree, the library alone is built unless more is asked for.
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
set(WEIR_WITH_ASIO AUTO CACHE STRING "Build the engines asio and asio-wait: AUTO (where Asio is there), ON or OFF")
set_property(CACHE WEIR_WITH_ASIO PROPERTY STRINGS AUTO ON OFF)
set(WEIR_WITH_QRENCODE AUTO CACHE STRING "Build serve --qr: AUTO (where libqrencode is there), ON or OFF")
set_property(CACHE WEIR_WITH_QRENCODE PROPERTY STRINGS AUTO ON OFF)
set(WEIR_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them (address,undefined or thread)")

if(NOT "cxx_std_23" IN_LIST CMAKE_CXX_COMPILE_FEATURES)
    message(FATAL_ERROR "weir needs a compiler with C++23, such as GCC 12 or Clang 17; this is "
        "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} (${CMAKE_CXX_COMPILER})")
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

if(PROJECT_IS_TOP_LEVEL)
    # -O2 rather than CMake's -O3: what -O3 is worth is for a measurement to say. Assertions are for programmer faults;
    # they are out of the release and in every other build. No -march: the binary runs on any x86-64 (or other) machine,
    # and the vectorised paths are chosen at run time.
    set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
    set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")
    if(WEIR_SANITIZE)
        set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g")  # at -O0 the suites take several times as long
    endif()
    set(CMAKE_CXX_EXTENSIONS OFF)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

    find_program(WEIR_CCACHE ccache)
    if(WEIR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
        set(CMAKE_CXX_COMPILER_LAUNCHER "${WEIR_CCACHE}")
    endif()
endif()

set(weir_default ON)
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
    set(weir_default OFF)  # ccache takes more from the cache without them
endif()
option(WEIR_UNITY "Compile several files at once: less time for all of them, more for one" OFF)
option(WEIR_PCH "Precompile the headers of the standard library" ${weir_default})

find_package(Threads REQUIRED)
include(GNUInstallDirs)

# Linked by every target of ours, and by nobody outside.
add_library(weir_flags INTERFACE)
target_compile_features(weir_flags INTERFACE cxx_std_23)
target_include_directories(weir_flags INTERFACE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
target_compile_options(weir_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    # Clang counts sign conversions among -Wconversion and GCC does not: one meaning for both.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>
    # Position-independent code would otherwise forbid inlining a global function in its own file.
    -fno-semantic-interposition
)
if(NOT PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # At -O3, which another project may choose, GCC 12 warns falsely of "text" + std::string{} (GCC bug 105651).
    target_compile_options(weir_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
endif()
if(WEIR_PCH)
    # What GCC guesses while it optimises, it also says of precompiled system headers, often wrongly. The builds without them
    # find what is true of it.
    target_compile_options(weir_flags INTERFACE
        $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread;-Wno-stringop-overflow;-Wno-array-bounds;-Wno-restrict;-Wno-maybe-uninitialized>)
elseif(WEIR_WERROR)
    target_compile_options(weir_flags INTERFACE -Werror)
endif()

if(WEIR_SANITIZE)
    set(weir_sanitize_flags -fsanitize=${WEIR_SANITIZE} -fno-omit-frame-pointer -g)
    if(WEIR_SANITIZE MATCHES "undefined")
        # vptr asks pipe(2) whether memory is there, and takes a process that is out of descriptors for a wild pointer.
        list(APPEND weir_sanitize_flags -fno-sanitize-recover=all -fno-sanitize=vptr)
    endif()
    target_compile_options(weir_flags INTERFACE ${weir_sanitize_flags})
    target_link_options(weir_flags INTERFACE -fsanitize=${WEIR_SANITIZE})
endif()

if(WEIR_BUILD_FUZZERS)
    target_compile_options(weir_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
