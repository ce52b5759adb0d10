#include "web/content/form.h"

#include "base/hexadecimal.h"

namespace weir::web {

std::string form_decoded(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_escape = text[i] == '%' && text.size() - i >= 3 &&
                               hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0;
        if (is_escape) {
            out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
            i += 2;
        } else {
            out += text[i] == '+' ? ' ' : text[i];
        }
    }
    return out;
}

}  // namespace weir::web
