#include "rules/moves/encoding.h"

#include "base/hexadecimal.h"
#include "site/path/target_path.h"

namespace weir::rules {
namespace {

constexpr std::string_view unreserved =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
constexpr std::string_view delimiters_and_escapes = ":/?#[]@!$&'()*+,;=%";

void append_escape(std::string& out, char c) {
    out += '%';
    append_hex_byte(out, static_cast<unsigned char>(c), upper_hex_digits);
}

}  // namespace

void append_path(std::string& out, std::string_view path) { site::append_encoded(out, path); }

void append_value(std::string& out, std::string_view value) {
    for (const char c : value)
        if (unreserved.contains(c))
            out += c;
        else
            append_escape(out, c);
}

void append_written(std::string& out, std::string_view text) {
    for (const char c : text)
        if (unreserved.contains(c) || delimiters_and_escapes.contains(c))
            out += c;
        else
            append_escape(out, c);
}

}  // namespace weir::rules
