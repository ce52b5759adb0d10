// A form is read the same whole, in two pieces, and byte by byte, and as a model splits it.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz_input.h"
#include "web/content/multipart_parser.h"
#include "weir/web/refusal.h"

namespace weir::tests {
namespace {

using web::MultipartLimits;
using Parser = web::detail::MultipartParser;
using Result = Parser::Result;

struct Read {
    std::string name{}, file_name{}, media_type{}, data{};
    bool operator==(const Read&) const = default;
};

struct Form {
    std::vector<Read> parts{};
    std::optional<http::Status> refused{};
    bool operator==(const Form&) const = default;
};

void take(Parser& parser, Form& form) {
    for (;;) {
        const Result result = parser.step();
        if (result == Result::part) {
            const web::Part part = parser.take_part();
            form.parts.push_back({part.name, part.file_name, part.media_type});
        }
        if (result == Result::data) form.parts.back().data += parser.data();
        if (result == Result::more || result == Result::end) return;
    }
}

Form read(const std::string& type, std::string_view text, std::size_t first, std::size_t step,
          const MultipartLimits& limits) {
    Form form;
    try {
        Parser parser{type, limits};
        const auto feed = [&](std::string_view piece) {
            const ExactCopy bytes{piece};
            parser.feed(bytes.view());
            take(parser, form);
        };
        feed(text.substr(0, first));
        for (std::size_t at = first; at < text.size(); at += step) feed(text.substr(at, step));
        parser.check_end();
    } catch (const web::Refusal& refusal) {
        form.refused = refusal.status();
    }
    return form;
}

/// Finds the boundary with two dashes behind it, or with a line end after white space.
std::size_t find_delimiter(const std::string& delimiter, const std::string& all, std::size_t from) {
    for (std::size_t at = all.find(delimiter, from); at != all.npos;
         at = all.find(delimiter, at + 1)) {
        const std::size_t behind = at + delimiter.size();
        if (all.compare(behind, 2, "--") == 0) return at;
        const std::size_t line_end = all.find_first_not_of(" \t", behind);
        if (line_end != all.npos && line_end - behind <= 100 &&
            all.compare(line_end, 2, "\r\n") == 0)
            return at;
    }
    return all.npos;
}

/// The head and the data of each part (RFC 2046 5.1.1); nothing if the form has no end.
struct Piece {
    std::string head, data;
};
std::optional<std::vector<Piece>> split(const std::string& boundary, std::string_view text) {
    const std::string delimiter = "\r\n--" + boundary;
    const std::string all = "\r\n" + std::string{text};
    std::vector<Piece> pieces;
    std::size_t at = find_delimiter(delimiter, all, 0);
    while (at != all.npos) {
        at += delimiter.size();
        if (all.compare(at, 2, "--") == 0) return pieces;
        at = all.find_first_not_of(" \t", at);
        const std::size_t head_end = all.find("\r\n\r\n", at);
        if (head_end == all.npos) return std::nullopt;
        const std::size_t data_end = find_delimiter(delimiter, all, head_end + 4);
        if (data_end == all.npos) return std::nullopt;
        pieces.push_back({.head = all.substr(at, head_end - at),
                          .data = all.substr(head_end + 4, data_end - head_end - 4)});
        at = data_end;
    }
    return std::nullopt;
}

/// Where the head has one plain line, the names are those that are written.
void require_names(const Read& part, const std::string& head) {
    static const std::regex plain{
        R"re(\r\nContent-Disposition: form-data; name="([^"\\%;\r\n]*)"(?:; filename="([^"\\%;\r\n]*)")?)re"};
    std::smatch found;
    if (!std::regex_match(head, found, plain)) return;
    require(part.name == found[1] && part.file_name == found[2]);
}

void require_as_split(const Form& form, const std::string& boundary, std::string_view text) {
    static const std::regex plain{"[A-Za-z0-9'()+_./:?-]{1,70}"};
    if (form.refused || !std::regex_match(boundary, plain)) return;
    const auto pieces = split(boundary, text);
    require(pieces && pieces->size() == form.parts.size());
    for (std::size_t i = 0; i < pieces->size(); ++i) {
        require(form.parts[i].data == (*pieces)[i].data);
        require_names(form.parts[i], (*pieces)[i].head);
    }
}

MultipartLimits small_limits() {
    return {.parts_max = 3, .part_head_bytes_max = 60, .part_bytes_max = 10};
}

}  // namespace

/// The first line is the boundary.
void fuzz(const FuzzInput& input) {
    std::string_view text = input.text;
    const std::string boundary{take_line(text)};
    const std::string type = "multipart/form-data; boundary=" + boundary;
    const auto limits = (input.choice & 1) != 0 ? small_limits() : MultipartLimits{};
    const Form whole = read(type, text, text.size(), 1, limits);
    const std::size_t cut = std::min(input.cut, text.size());
    require(read(type, text, cut, text.size() + 1, limits).refused == whole.refused);
    const Form bytewise = read(type, text, 0, 1, limits);
    require(bytewise.refused == whole.refused);
    if (whole.refused) return;
    require(bytewise == whole && read(type, text, cut, text.size() + 1, limits) == whole);
    require_as_split(whole, boundary, text);
}

}  // namespace weir::tests
