#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weir::cli {

struct QrCode {
    unsigned width = 0;      // and height, in modules
    std::vector<bool> dark;  // row by row
};

/// This weir was built with libqrencode.
bool can_make_qr_codes();
/// Nothing where it was not, or where the text is too long.
std::optional<QrCode> make_qr_code(const std::string& text);

/// Drawn with half blocks, and as much light around it as a reader needs. In colours it is black on
/// white on every terminal; without them it is right on a dark one.
std::string draw(const QrCode& code, bool in_colours);

}  // namespace weir::cli
