#include <string_view>

#include "cli/announce/qr_code.h"

namespace weir::cli {
namespace {

constexpr unsigned quiet_zone = 4;  // modules on each side (ISO/IEC 18004)

bool is_dark(const QrCode& code, unsigned row, unsigned column) {
    // Before the first row or column, the unsigned difference wraps around to a value beyond the
    // last one.
    const unsigned y = row - quiet_zone;
    const unsigned x = column - quiet_zone;
    return y < code.width && x < code.width && code.dark[y * code.width + x];
}

/// Two modules, one above the other, as one character.
std::string_view block(bool upper, bool lower) {
    if (upper) return lower ? "\u2588" : "\u2580";
    return lower ? "\u2584" : " ";
}

}  // namespace

std::string draw(const QrCode& code, bool in_colours) {
    constexpr std::string_view black_on_white = "\x1b[38;5;16;48;5;231m";
    constexpr std::string_view as_before = "\x1b[0m";
    const unsigned width = code.width + 2 * quiet_zone;
    std::string text;
    for (unsigned row = 0; row < width; row += 2) {
        if (in_colours) text += black_on_white;
        for (unsigned column = 0; column < width; ++column) {
            const bool upper = is_dark(code, row, column);
            const bool lower = is_dark(code, row + 1, column);
            text += in_colours ? block(upper, lower) : block(!upper, !lower);
        }
        if (in_colours) text += as_before;
        text += '\n';
    }
    return text;
}

}  // namespace weir::cli
