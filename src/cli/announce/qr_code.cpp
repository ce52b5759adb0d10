#include "cli/announce/qr_code.h"

#include <qrencode.h>

#include <memory>

namespace weir::cli {

bool can_make_qr_codes() { return true; }

std::optional<QrCode> make_qr_code(const std::string& text) {
    using Code = std::unique_ptr<QRcode, decltype([](QRcode* code) { ::QRcode_free(code); })>;
    const Code code{::QRcode_encodeString(text.c_str(), 0, QR_ECLEVEL_M, QR_MODE_8, 1)};
    if (!code) return std::nullopt;
    QrCode result{.width = static_cast<unsigned>(code->width), .dark = {}};
    for (unsigned module = 0; module < result.width * result.width; ++module)
        result.dark.push_back((code->data[module] & 1u) != 0);
    return result;
}

}  // namespace weir::cli
