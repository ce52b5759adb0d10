#include "web/content/multipart_parser.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/trimmed.h"
#include "http/syntax/token.h"
#include "weir/http/field_name.h"

namespace weir::web::detail {
namespace {

[[noreturn]] void refuse_malformed() {
    throw Refusal{http::Status::bad_request, "The form is malformed"};
}
[[noreturn]] void refuse_long() {
    throw Refusal{http::Status::content_too_large, "The form is too large"};
}

/// True if nothing or another parameter follows the value.
bool ends_value(std::string_view behind) {
    behind = trimmed(behind);
    if (!behind.starts_with(';')) return behind.empty();
    behind = trimmed(behind.substr(1));
    const std::size_t equals = behind.find('=');
    return behind.empty() ||
           (equals != behind.npos && http::is_token(trimmed(behind.substr(0, equals))));
}

/// Takes a quoted value off. Browsers send a backslash as it is, also in front of the last quote,
/// and a quote as %22 (HTML Standard, "multipart/form-data encoding algorithm"). Older versions of
/// Firefox and `curl --form-escape` send \", Internet Explorer sends a bare quote. So a quote ends
/// the value only if nothing but another parameter follows, and a backslash escapes only a quote
/// that does not.
std::string take_quoted(std::string_view& text) {
    std::string value;
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '"') {
            if (ends_value(text.substr(i + 1))) {
                text.remove_prefix(i + 1);
                return value;
            }
            if (value.ends_with('\\')) value.pop_back();
        }
        value += text[i];
    }
    refuse_malformed();
}

/// Takes the next "; name=value" off. False at the end.
bool take_parameter(std::string_view& text, std::string_view& name, std::string& value) {
    text = trimmed(text);
    if (!text.starts_with(';')) return false;
    text.remove_prefix(1);
    const std::size_t equals = text.find('=');
    if (equals == text.npos) return false;
    name = trimmed(text.substr(0, equals));
    text = trimmed(text.substr(equals + 1));
    if (text.starts_with('"')) {
        value = take_quoted(text);
        return true;
    }
    const std::size_t end = text.find(';');
    value = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end, text.size()));
    return true;
}

/// Decodes a quote and line ends in names as browsers encode them (HTML Standard,
/// multipart/form-data encoding).
std::string without_escapes(std::string text) {
    constexpr std::pair<std::string_view, char> escapes[] = {
        {"%22", '"'}, {"%0D", '\r'}, {"%0A", '\n'}};
    for (const auto& [escape, character] : escapes)
        for (std::size_t at = 0; (at = text.find(escape, at)) != text.npos; ++at)
            text.replace(at, escape.size(), 1, character);
    return text;
}

std::string boundary_of(std::string_view content_type) {
    const std::size_t semicolon = std::min(content_type.find(';'), content_type.size());
    const std::string_view type = trimmed(content_type.substr(0, semicolon));
    std::string_view rest = content_type.substr(semicolon);
    std::string_view name;
    std::string value;
    constexpr std::size_t boundary_bytes_max = 70;
    if (http::equals_ignoring_case(type, "multipart/form-data"))
        while (take_parameter(rest, name, value))
            if (http::equals_ignoring_case(name, "boundary") && !value.empty() &&
                value.size() <= boundary_bytes_max)
                return value;
    throw Refusal{http::Status::unsupported_media_type, "The content is not a multipart form"};
}

/// True if the text behind a boundary makes it a delimiter (RFC 2046 5.1.1): two dashes, or a line
/// end after white space. With any other text, the boundary is data. Null if that depends on bytes
/// to come.
std::optional<bool> ends_delimiter(std::string_view behind) noexcept {
    if (behind.starts_with("--")) return true;
    if (behind == "-") return std::nullopt;
    constexpr std::size_t padding_max = 100;
    const std::size_t padding = std::min(behind.find_first_not_of(" \t"), behind.size());
    if (padding > padding_max) return false;
    behind.remove_prefix(padding);
    if (behind.empty() || behind == "\r") return std::nullopt;
    return behind.starts_with("\r\n");
}

}  // namespace

MultipartParser::MultipartParser(std::string_view content_type, MultipartLimits limits)
    : limits_{limits}, delimiter_{"\r\n--" + boundary_of(content_type)} {}

void MultipartParser::feed(std::string_view bytes) {
    bytes_ += bytes.size();
    if (bytes_ > limits_.bytes_max) refuse_long();
    if (state_ == State::end) return;
    buffer_.erase(0, std::exchange(begin_, 0));
    buffer_.append(bytes);
}

void MultipartParser::check_end() const {
    if (state_ != State::end) refuse_malformed();
}

MultipartParser::Result MultipartParser::step() {
    for (;;) {
        const State before = state_;
        Result result = Result::end;
        switch (state_) {
            case State::preamble: result = skip_preamble(); break;
            case State::delimiter: result = read_delimiter(); break;
            case State::head: result = read_head(); break;
            case State::data: return read_data();
            case State::end: return Result::end;
        }
        if (result != Result::more || state_ == before) return result;
    }
}

/// Finds the first line that is a delimiter as a whole. Without one, `at` is where one may begin.
MultipartParser::Delimiter MultipartParser::next_delimiter() const noexcept {
    const std::string_view text = left();
    for (std::size_t at = text.find(delimiter_); at != text.npos;
         at = text.find(delimiter_, at + 1)) {
        const auto is_one = ends_delimiter(text.substr(at + delimiter_.size()));
        if (is_one.value_or(true)) return {.at = at, .is_whole = is_one.has_value()};
    }
    return {.at = text.size() - std::min(text.size(), delimiter_.size() - 1), .is_whole = false};
}

MultipartParser::Result MultipartParser::skip_preamble() {
    const Delimiter delimiter = next_delimiter();
    begin_ += delimiter.at;
    if (delimiter.is_whole) state_ = State::delimiter;
    return Result::more;
}

/// Takes off what next_delimiter() has found.
MultipartParser::Result MultipartParser::read_delimiter() {
    begin_ += delimiter_.size();
    if (left().starts_with("--")) {
        state_ = State::end;
        return Result::end;
    }
    if (++parts_ > limits_.parts_max) refuse_long();
    begin_ += left().find('\r');  // the line end stays: an empty head may need it
    state_ = State::head;
    return Result::more;
}

MultipartParser::Result MultipartParser::read_head() {
    constexpr std::string_view end = "\r\n\r\n";
    const std::size_t size = left().find(end);
    const bool is_whole = size != std::string_view::npos;
    // All but one byte of `end` may be there, for any split into pieces.
    const std::size_t size_min =
        is_whole ? size : left().size() - std::min(left().size(), end.size() - 1);
    if (size_min > limits_.part_head_bytes_max) refuse_long();
    if (!is_whole) return Result::more;
    parse_head(left().substr(0, size));
    begin_ += size + end.size();
    part_bytes_ = 0;
    state_ = State::data;
    return Result::part;
}

MultipartParser::Result MultipartParser::read_data() {
    const Delimiter delimiter = next_delimiter();
    if (delimiter.at == 0) {
        if (!delimiter.is_whole) return Result::more;
        state_ = State::delimiter;
        return Result::part_end;
    }
    data_ = left().substr(0, delimiter.at);
    begin_ += delimiter.at;
    part_bytes_ += delimiter.at;
    if (part_bytes_ > limits_.part_bytes_max) refuse_long();
    return Result::data;
}

/// `head`: lines, each after a CRLF.
void MultipartParser::parse_head(std::string_view head) {
    part_ = {};
    bool has_name = false;
    while (!head.empty()) {
        head.remove_prefix(2);
        const std::string_view line = head.substr(0, head.find("\r\n"));
        head.remove_prefix(line.size());
        const std::size_t colon = line.find(':');
        if (colon == line.npos) refuse_malformed();
        const std::string_view name = line.substr(0, colon);
        const std::string_view value = trimmed(line.substr(colon + 1));
        if (http::equals_ignoring_case(name, "Content-Disposition")) {
            parse_disposition(value);
            has_name = true;
        } else if (http::equals_ignoring_case(name, "Content-Type")) {
            part_.media_type = value;
        }
    }
    if (!has_name) refuse_malformed();
    if (part_.media_type.empty()) part_.media_type = "text/plain";
}

void MultipartParser::parse_disposition(std::string_view value) {
    const std::size_t semicolon = value.find(';');
    if (semicolon == value.npos ||
        !http::equals_ignoring_case(trimmed(value.substr(0, semicolon)), "form-data"))
        refuse_malformed();
    std::string_view rest = value.substr(semicolon);
    std::string_view name;
    std::string text;
    bool has_name = false;
    while (take_parameter(rest, name, text)) {
        if (http::equals_ignoring_case(name, "name")) {
            part_.name = without_escapes(text);
            has_name = true;
        } else if (http::equals_ignoring_case(name, "filename")) {
            part_.file_name = without_escapes(text);
        }
    }
    if (!has_name) refuse_malformed();
}

}  // namespace weir::web::detail
