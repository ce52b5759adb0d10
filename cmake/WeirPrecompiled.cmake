# The headers of the standard library take half of the compile time. Precompiled, the compiler reads them only once.
# <filesystem>, <thread> and <mutex> are not in the list: few files need them, and they would slow down all others.
#
# With precompiled headers, a file with a missing include still compiles. Builds with ccache and clang-tidy do not use
# them, and find the missing include.
set(WEIR_PRECOMPILED_HEADERS
    <algorithm> <array> <charconv> <chrono> <deque> <expected> <functional> <memory> <optional> <span> <string> <string_view>
    <system_error> <unordered_map> <utility> <variant> <vector>)

# Makes the target <target>, which others take their precompiled headers from.
function(weir_precompiled target)
    cmake_parse_arguments(PARSE_ARGV 1 precompiled "" "" "LINKS;HEADERS")
    file(WRITE "${PROJECT_BINARY_DIR}/precompiled.cpp" "")
    add_library(${target} OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/precompiled.cpp")
    target_link_libraries(${target} PRIVATE weir_flags ${precompiled_LINKS})
    target_precompile_headers(${target} PRIVATE ${WEIR_PRECOMPILED_HEADERS} ${precompiled_HEADERS})
endfunction()

# weir_precompile(<target>): all floors share one precompiled header, because they have the same flags.
function(weir_precompile target)
    if(NOT WEIR_PCH)
        return()
    endif()
    if(NOT TARGET weir_precompiled)
        weir_precompiled(weir_precompiled)
        set_target_properties(weir_precompiled PROPERTIES POSITION_INDEPENDENT_CODE ON VISIBILITY_INLINES_HIDDEN ON)
    endif()
    target_precompile_headers(${target} REUSE_FROM weir_precompiled)
endfunction()

# weir_precompile_test(<target>): so do the tests, with GoogleTest, which takes most of theirs.
function(weir_precompile_test target)
    if(NOT WEIR_PCH)
        return()
    endif()
    if(NOT TARGET weir_precompiled_test)
        weir_precompiled(weir_precompiled_test LINKS GTest::gmock HEADERS <gmock/gmock.h> <gtest/gtest.h>)
    endif()
    target_precompile_headers(${target} REUSE_FROM weir_precompiled_test)
endfunction()
