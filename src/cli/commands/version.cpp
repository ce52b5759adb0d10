#include "cli/commands/version.h"

#include "acme/acme.h"
#include "cli/access/crypt.h"
#include "cli/announce/qr_code.h"
#include "cli/config/document.h"
#include "cli/help/version_number.h"
#include "engines/engines.h"
#include "weir/archive/archive.h"
#include "weir/compress/compress.h"
#include "weir/dav/dav.h"
#include "weir/markdown/markdown.h"
#include "weir/tls/tls.h"

namespace weir::cli {
namespace {

#if defined(__clang__)
constexpr std::string_view compiler = __VERSION__;  // contains the compiler's name
#else
constexpr std::string_view compiler = "GCC " __VERSION__;
#endif

#ifdef NDEBUG
constexpr std::string_view assertions = "off";
#else
constexpr std::string_view assertions = "on";
#endif

std::string optional_parts() {
    std::string parts;
    if (engines::find("asio")->unavailable().empty()) parts += " asio";
    if (can_make_qr_codes()) parts += " qrencode";
    if (crypt_unavailable().empty()) parts += " crypt";
    if (tls::unavailable().empty()) parts += " openssl";
    if (config::unavailable().empty()) parts += " toml++";
    if (archive::unavailable().empty()) parts += " libarchive";
    if (markdown::Renderer::open()) parts += " cmark-gfm";
    if (dav::unavailable().empty()) parts += " expat";
    if (acme::unavailable().empty()) parts += " nlohmann-json";
    for (const std::string& coding : compress::available()) parts += " " + coding;
    return parts.empty() ? " none" : parts;
}

std::string listed(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    return list.empty() ? "none" : list;
}

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
    text += "\nprotocols: HTTP/1.1 HTTP/2 WebSocket";
    text += "\nTLS: " + (tls::unavailable().empty() ? tls::library() : "none");
    text += "\ncompression: " + listed(compress::libraries());
    text += "\noptional parts:" + optional_parts() + '\n';
    return text;
}

}  // namespace weir::cli
