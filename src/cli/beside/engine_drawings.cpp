#include "cli/beside/engine_drawings.h"

#include <algorithm>

namespace weir::cli {

std::string drawing_of(std::string_view engine) {
    const auto found = std::ranges::find(engine_drawings, engine, &EngineDrawing::engine);
    if (found == engine_drawings.end()) return {};
    std::string svg{found->before_style};
    return (svg += drawing_style) += found->after_style;
}

}  // namespace weir::cli
