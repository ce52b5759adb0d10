#include "support/answer.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace weir::tests {
namespace {

void demand(bool holds, const std::string& complaint) {
    if (!holds) throw Unexpected{complaint};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string lower(std::string_view text) {
    std::string result{text};
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::size_t number(std::string_view text, int base) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    demand(error == std::errc{} && end == text.data() + text.size() && !text.empty(),
           "no number: " + std::string{text});
    return value;
}

/// RFC 9110 5.6.2
bool is_token(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
        return std::isalnum(c) || std::string_view{"!#$%&'*+-.^_`|~"}.find(static_cast<char>(c)) !=
                                      std::string_view::npos;
    });
}

/// RFC 9112 4: HTTP-version SP status-code SP [ reason-phrase ]
void read_status_line(const std::string& line, AnswerHead& head) {
    demand(line.size() >= 13 && line.starts_with("HTTP/1.") && is_digit(line[7]) &&
               line[8] == ' ' && is_digit(line[9]) && is_digit(line[10]) && is_digit(line[11]) &&
               line[12] == ' ',
           "no status line: " + line.substr(0, 100));
    head.minor_version = line[7] - '0';
    head.status = static_cast<int>(number(std::string_view{line}.substr(9, 3), 10));
}

std::pair<std::string, std::string> read_field(const std::string& line) {
    const auto colon = line.find(':');
    demand(colon != std::string::npos && is_token(line.substr(0, colon)), "no field: " + line);
    auto value = line.substr(colon + 1);
    demand(std::ranges::none_of(value, [](unsigned char c) { return c < ' ' && c != '\t'; }),
           "a control character in: " + line);
    value.erase(0, value.find_first_not_of(" \t"));
    value.erase(value.find_last_not_of(" \t") + 1);
    return {line.substr(0, colon), value};
}

/// Applies RFC 9112 6.3, and the rules of RFC 9110 for every server.
void interpret(AnswerHead& head, AnswerTo to) {
    const auto length = head.field("content-length");
    const auto coding = head.field("transfer-encoding");
    const bool interim = head.status < 200;
    demand(!length || !coding, "Content-Length with Transfer-Encoding");
    demand(interim || head.field("date").has_value(), "a final answer without a Date");
    demand(!(interim || head.status == 204) || (!length && !coding),
           "framing fields where no content may be (RFC 9110 8.6, RFC 9112 6.1)");
    demand(!coding || lower(*coding) == "chunked", "a coding that nobody asked for");
    if (length) {
        demand(std::ranges::all_of(*length, is_digit), "Content-Length: " + *length);
        head.length = number(*length, 10);
    }
    if (interim || head.status == 204 || head.status == 304 || to == AnswerTo::head) return;
    head.framing = coding ? Framing::chunked : length ? Framing::length : Framing::until_end;
    demand(head.framing != Framing::until_end || head.connection_says("close") ||
               head.minor_version == 0,
           "content without a frame on a connection that is kept");
}

void read_chunks(Incoming& incoming, Answer& answer) {
    for (auto data = read_chunk(incoming); !data.empty(); data = read_chunk(incoming))
        answer.content += data;
    for (auto line = incoming.line(); !line.empty(); line = incoming.line())
        answer.trailers += line + "\n";
}

}  // namespace

std::optional<std::string> AnswerHead::field(std::string_view name) const {
    std::optional<std::string> found;
    for (const auto& [other, value] : fields) {
        if (lower(other) != lower(name)) continue;
        demand(!found, "twice: " + other);
        found = value;
    }
    return found;
}

bool AnswerHead::connection_says(std::string_view option) const {
    return lower(field("connection").value_or("")) == option;
}

std::string read_chunk(Incoming& incoming) {
    const auto size = number(incoming.line(), 16);
    if (size == 0) return {};
    auto data = incoming.take(size);
    demand(incoming.line().empty(), "a chunk longer than its size");
    return data;
}

AnswerHead read_head(Incoming& incoming, AnswerTo to) {
    AnswerHead head;
    read_status_line(incoming.line(), head);
    for (auto line = incoming.line(); !line.empty(); line = incoming.line())
        head.fields.push_back(read_field(line));
    interpret(head, to);
    return head;
}

Answer read_answer(Incoming& incoming, AnswerTo to) {
    Answer answer{read_head(incoming, to), {}, {}};
    switch (answer.framing) {
        case Framing::none: break;
        case Framing::length: answer.content = incoming.take(answer.length); break;
        case Framing::chunked: read_chunks(incoming, answer); break;
        case Framing::until_end: answer.content = incoming.rest(); break;
    }
    return answer;
}

}  // namespace weir::tests
