#include "cli/announce/qr_code.h"

// Replaces qr_code.cpp if libqrencode is missing.

namespace weir::cli {

bool can_make_qr_codes() { return false; }

std::optional<QrCode> make_qr_code(const std::string&) { return std::nullopt; }

}  // namespace weir::cli
