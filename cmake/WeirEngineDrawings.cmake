# Writes a source with the drawings of the engines, www/images/engines/*.svg, for the live page of --admin. They have the
# same style, which it has once.

set(folder "${PROJECT_SOURCE_DIR}/www/images/engines")
file(GLOB names RELATIVE "${folder}" CONFIGURE_DEPENDS "${folder}/*.svg")
foreach(name IN LISTS names)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${name}")
    file(READ "${folder}/${name}" text)
    string(FIND "${text}" "<style>" style_begin)
    string(FIND "${text}" "</style>" style_end)
    math(EXPR style_length "${style_end} - ${style_begin}")
    string(SUBSTRING "${text}" 0 ${style_begin} before)
    string(SUBSTRING "${text}" ${style_begin} ${style_length} style)
    string(SUBSTRING "${text}" ${style_end} -1 after)
    string(REPLACE ".svg" "" engine "${name}")
    string(APPEND drawings "    {\"${engine}\", R\"svg(${before})svg\", R\"svg(${after})svg\"},\n")
endforeach()
list(LENGTH names count)
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/engine_drawings_data.cpp" @ONLY CONTENT [[
#include "cli/beside/engine_drawings.h"

#include <array>

namespace weir::cli {

const std::string_view drawing_style = R"svg(@style@)svg";

namespace {
constexpr std::array<EngineDrawing, @count@> drawings{{
@drawings@}};
}  // namespace

const std::span<const EngineDrawing> engine_drawings{drawings};

}  // namespace weir::cli
]])
