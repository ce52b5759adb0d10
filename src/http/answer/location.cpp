#include "http/answer/location.h"

#include <algorithm>

#include "base/hexadecimal.h"

namespace weir::http {

std::string location_from(std::string_view reference) {
    constexpr std::string_view of_a_uri =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=%";
    const std::size_t slashes = std::min(reference.find_first_not_of('/'), reference.size());
    if (slashes > 1) reference.remove_prefix(slashes - 1);
    std::string location;
    for (const char c : reference) {
        if (of_a_uri.contains(c)) {
            location += c;
        } else {
            location += '%';
            append_hex_byte(location, static_cast<unsigned char>(c), upper_hex_digits);
        }
    }
    return location;
}

}  // namespace weir::http
