#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weir::cli {

struct QrCode {
    unsigned width = 0;      // and height, in modules
    std::vector<bool> dark;  // row by row
};

/// True if weir was built with libqrencode.
bool can_make_qr_codes();
/// Returns nothing if weir was built without libqrencode, or if the text is too long.
std::optional<QrCode> make_qr_code(const std::string& text);

/// Draws the code with half blocks and the light margin that readers need. With colours, the code
/// is black on white on every terminal; without them, it is right only on a dark terminal.
std::string draw(const QrCode& code, bool in_colours);

}  // namespace weir::cli
