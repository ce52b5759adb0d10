#include "server/log/line/log_escape.h"

#include <array>

#include "base/hexadecimal.h"

namespace weir::server {
namespace {

constexpr std::array<bool, 256> make_plain() {
    std::array<bool, 256> plain{};
    for (unsigned byte = 0x20; byte < 0x7f; ++byte) plain[byte] = byte != '"' && byte != '\\';
    return plain;
}

constexpr std::array<bool, 256> plain = make_plain();

void append_byte(std::string& out, unsigned char byte, Escape escape) {
    out += escape == Escape::json ? std::string_view{"\\u00"} : std::string_view{"\\x"};
    append_hex_byte(out, byte);
}

}  // namespace

void append_escaped(std::string& out, std::string_view text, Escape escape) {
    std::size_t run = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (plain[byte]) continue;
        out += text.substr(run, at - run);
        append_byte(out, byte, escape);
        run = at + 1;
    }
    out += text.substr(run);
}

}  // namespace weir::server
