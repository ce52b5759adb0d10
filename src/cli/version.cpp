#include "cli/version.h"

#include "engines/engines.h"

namespace weir::cli {
namespace {

#if defined(__clang__)
constexpr std::string_view compiler = __VERSION__;  // names itself
#else
constexpr std::string_view compiler = "GCC " __VERSION__;
#endif

#ifdef NDEBUG
constexpr std::string_view assertions = "off";
#else
constexpr std::string_view assertions = "on";
#endif

}  // namespace

std::string version() {
    std::string text = "weir ";
    text += version_number;
    text += "\ncompiler: ";
    text += compiler;
    text += "\nassertions: ";
    text += assertions;
    text += "\nengines:";
    for (const engines::Engine& engine : engines::all()) {
        text += ' ';
        text += engine.name;
    }
    const bool with_asio = engines::find("asio")->unavailable().empty();
    text += "\noptional parts: ";
    text += with_asio ? "asio\n" : "none\n";
    return text;
}

}  // namespace weir::cli
