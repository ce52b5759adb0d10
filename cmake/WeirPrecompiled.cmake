# The headers of the standard library take half of the compile time. Precompiled, the compiler reads them only once.
# <filesystem>, <thread> and <mutex> are not in the list: few files need them, and they would slow down all others.
#
# With precompiled headers, a file with a missing include still compiles. Builds with ccache and clang-tidy do not use
# them, and find the missing include.
set(WEIR_PRECOMPILED_HEADERS
    <algorithm> <array> <charconv> <chrono> <deque> <expected> <functional> <memory> <optional> <span> <string> <string_view>
    <system_error> <unordered_map> <utility> <variant> <vector>)

# weir_precompile(<target>): all floors share one precompiled header, because they have the same flags.
function(weir_precompile target)
    if(NOT WEIR_PCH)
        return()
    endif()
    if(NOT TARGET weir_precompiled)
        file(WRITE "${PROJECT_BINARY_DIR}/precompiled.cpp" "")
        add_library(weir_precompiled OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/precompiled.cpp")
        target_link_libraries(weir_precompiled PRIVATE weir_flags)
        set_target_properties(weir_precompiled PROPERTIES POSITION_INDEPENDENT_CODE ON VISIBILITY_INLINES_HIDDEN ON)
        target_precompile_headers(weir_precompiled PRIVATE ${WEIR_PRECOMPILED_HEADERS})
    endif()
    target_precompile_headers(${target} REUSE_FROM weir_precompiled)
endfunction()
