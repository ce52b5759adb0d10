#pragma once

#include <span>
#include <string>
#include <string_view>

namespace weir::cli {

/// A drawing of the documents, without its style.
struct EngineDrawing {
    std::string_view engine;
    std::string_view before_style;
    std::string_view after_style;
};

/// cmake/WeirEngineDrawings.cmake writes them.
extern const std::string_view drawing_style;
extern const std::span<const EngineDrawing> engine_drawings;

/// The SVG of an engine. Its texts of the class "figure" are empty: the live page fills them. Empty
/// if there is no drawing.
std::string drawing_of(std::string_view engine);

}  // namespace weir::cli
