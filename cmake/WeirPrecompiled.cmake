# Half of the time that compiling takes goes into the headers of the standard library. Precompiled, they are read once.
# <filesystem>, <thread> and <mutex> are not among them: they would cost every file more than few files gain.
#
# A file that forgets an include compiles all the same then. So builds with ccache, and clang-tidy, do without them and find
# it.
set(WEIR_PRECOMPILED_HEADERS
    <algorithm> <array> <charconv> <chrono> <deque> <expected> <functional> <memory> <optional> <span> <string> <string_view>
    <system_error> <unordered_map> <utility> <variant> <vector>)

# weir_precompile(<target>): the floors share one file, since they are compiled with the same flags.
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
