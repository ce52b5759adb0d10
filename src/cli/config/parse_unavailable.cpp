#include "cli/config/document.h"

// Replaces parse.cpp in a build without toml++.
namespace weir::cli::config {

std::string_view unavailable() noexcept {
    return "this build has no toml++: install libtomlplusplus-dev, and build weir again";
}

Document parse(std::string_view, std::string file) {
    Document document;
    document.file = std::move(file);
    document.problems.push_back({.place = {}, .text = std::string{unavailable()}});
    return document;
}

}  // namespace weir::cli::config
