// Stands in for renderer.cpp in builds without cmark-gfm.

#include "weir/markdown/markdown.h"

namespace weir::markdown {

std::expected<Renderer, std::string> Renderer::open() {
    return std::unexpected{
        std::string{"this build has no cmark-gfm: install libcmark-gfm-dev and "
                    "libcmark-gfm-extensions-dev, and build weir again"}};
}

std::optional<Rendered> Renderer::render(std::string_view, int) const { return std::nullopt; }

}  // namespace weir::markdown
