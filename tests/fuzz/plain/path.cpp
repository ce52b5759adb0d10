#include "fuzz/plain/path.h"

#include <cctype>

namespace weir::tests::plain {
namespace {

bool is_escape(std::string_view text) {
    return text.size() >= 3 && text[0] == '%' &&
           std::isxdigit(static_cast<unsigned char>(text[1])) != 0 &&
           std::isxdigit(static_cast<unsigned char>(text[2])) != 0;
}

/// The refusal of the first fault in a segment that is not decoded yet; 0 if there is none.
int refusal_of(std::string_view segment) {
    for (std::size_t at = 0; at < segment.size(); ++at) {
        if (segment[at] == '\0') return 400;
        if (segment[at] != '%') continue;
        if (!is_escape(segment.substr(at))) return 400;
        const std::string byte = percent_decoded(segment.substr(at, 3));
        if (byte[0] == '\0') return 400;
        if (byte == "/") return 404;
        at += 2;
    }
    return 0;
}

Path refused(int status) {
    Path path;
    path.refusal = status;
    return path;
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> pieces(1);
    for (const char c : text)
        if (c == separator)
            pieces.emplace_back();
        else
            pieces.back() += c;
    return pieces;
}

std::string percent_decoded(std::string_view text) {
    std::string bytes;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool escape = is_escape(text.substr(at));
        const std::string digits{text.substr(at + 1, escape ? 2 : 0)};
        bytes += escape ? static_cast<char>(std::stoi(digits, nullptr, 16)) : text[at];
        at += escape ? 2 : 0;
    }
    return bytes;
}

Path read_path(std::string_view target) {
    Path path;
    if (!target.starts_with('/')) return refused(400);
    for (const std::string& segment : split(target.substr(1), '/')) {
        if (const int refusal = refusal_of(segment); refusal != 0) return refused(refusal);
        const std::string name = percent_decoded(segment);
        const bool stays = name.empty() || name == ".";
        path.ends_in_slash = stays || name == "..";
        if (name == "..") {
            if (path.segments.empty()) return refused(404);
            path.segments.pop_back();
        } else if (!stays) {
            path.segments.push_back(name);
        }
    }
    return path;
}

std::string Path::text() const {
    std::string text;
    for (const std::string& segment : segments) text += "/" + segment;
    return ends_in_slash ? text + "/" : text;
}

bool Path::is_hidden() const {
    for (std::size_t i = 0; i < segments.size(); ++i)
        if (segments[i].starts_with('.') && (i > 0 || segments[i] != ".well-known")) return true;
    return false;
}

}  // namespace weir::tests::plain
