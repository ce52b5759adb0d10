// A site over a small directory tree, behind a connection in memory, answers as the plain model says.
// An empty line ends a request; its first line is the method and the target, the others are fields.

#include <algorithm>
#include <ctime>

#include "base/trimmed.h"
#include "fuzz/known_site.h"
#include "fuzz/memory_connection.h"
#include "fuzz/plain/path.h"
#include "support/answer.h"
#include "unit/site/followed.h"

namespace weir::tests {
namespace {

constexpr std::string_view fields_known[] = {"Range",
                                             "If-Match",
                                             "If-None-Match",
                                             "If-Modified-Since",
                                             "If-Unmodified-Since",
                                             "If-Range",
                                             "Accept",
                                             "Accept-Encoding",
                                             "Origin",
                                             "Access-Control-Request-Method",
                                             "Access-Control-Request-Headers"};

bool is_visible(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f && c != '#'; });
}

bool is_method(std::string_view text) {
    return !text.empty() && text.size() < 20 && text != "CONNECT" &&
           std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool is_value(std::string_view text) {
    return text.size() < 1000 &&
           std::ranges::none_of(
               text,
               [](char c) {
                   return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
               });
}

void add_field(plain::Request& request, std::string_view line) {
    for (const std::string_view name : fields_known) {
        if (!line.starts_with(name) || !line.substr(name.size()).starts_with(':')) continue;
        const std::string_view value = trimmed(line.substr(name.size() + 1));
        if (is_value(value) && request.fields.size() < 50) request.fields.emplace_back(name, value);
    }
}

/// The requests that the text holds, as far as they are well-formed: what is not is for the fuzzers
/// of heads and connections.
std::vector<plain::Request> requests_in(std::string_view text) {
    std::vector<plain::Request> requests;
    while (!text.empty() && requests.size() < 8) {
        const std::vector<std::string> words = plain::split(take_line(text), ' ');
        plain::Request request;
        for (std::string_view line = take_line(text); !trimmed(line).empty() && line != "\r";
             line = take_line(text))
            add_field(request, line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
        if (words.size() < 2 || !is_method(words[0]) || words[1].size() > 2000) continue;
        if (!words[1].starts_with('/') || !is_visible(words[1])) continue;
        request.method = words[0];
        request.target = words[1];
        requests.push_back(std::move(request));
    }
    return requests;
}

std::string bytes_of(const plain::Request& request) {
    std::string bytes = request.method + " " + request.target + " HTTP/1.1\r\nHost: a\r\n";
    for (const auto& [name, value] : request.fields) bytes += name + ": " + value + "\r\n";
    return bytes + "\r\n";
}

void check_location(const std::string& location, const plain::Request& request,
                    const std::string& path) {
    const std::size_t query = request.target.find('?');
    const std::string asked = query == std::string::npos ? "" : request.target.substr(query + 1);
    require(!location.starts_with("//"));
    require(location.starts_with('/') || location.starts_with("./") || location.starts_with("../"));
    require(location.find_first_of("\\\"<>^`{|}") == std::string::npos && is_visible(location));
    const std::size_t way = std::min(location.find('?'), location.size());
    const std::string kept = location.substr(std::min(way + 1, location.size()));
    require((way < location.size()) == !asked.empty());
    require(plain::percent_decoded(kept) == plain::percent_decoded(asked));
    const std::string led = site::followed(request.target, location.substr(0, way));
    require(plain::read_path(led).text() == path);
}

/// RFC 9110 14.6
void check_parts(const Answer& answer, const std::vector<std::string>& parts) {
    const std::string type = answer.field("Content-Type").value();
    require(type.starts_with("multipart/byteranges; boundary="));
    const std::string boundary = "--" + type.substr(type.find('=') + 1);
    std::size_t at = 0;
    for (const std::string& part : parts) {
        const std::size_t begin = answer.content.find(boundary + "\r\n", at);
        const std::size_t found = answer.content.find(part + "\r\n" + boundary, begin);
        require(begin == at && found != std::string::npos);
        at = found + part.size() + 2;
    }
    require(answer.content.substr(at) == boundary + "--\r\n");
}

/// The members of a list, in order of their bytes.
std::vector<std::string> members_of(std::string_view list) {
    std::vector<std::string> members = plain::split(list, ',');
    for (std::string& member : members) member = std::string{trimmed(member)};
    std::ranges::sort(members);
    return members;
}

void check_field(const Answer& answer, const std::string& name, const std::string& value) {
    const auto field = answer.field(name);
    require(field.has_value());
    if (name == "Vary") return require(members_of(*field) == members_of(value));
    require(*field == value);
}

void check(const Answer& answer, const plain::Request& request, const plain::Expected& expected) {
    require(answer.status == expected.status);
    for (const auto& [name, value] : expected.fields) check_field(answer, name, value);
    for (const std::string& name : expected.absent) require(!answer.field(name));
    if (expected.leads_to)
        check_location(answer.field("Location").value(), request, *expected.leads_to);
    if (request.method == "HEAD") return require(answer.content.empty());
    if (!expected.parts.empty()) return check_parts(answer, expected.parts);
    if (expected.content)
        require(answer.content == *expected.content);
    else
        require(!answer.content.empty());
}

Answer next_answer(Incoming& incoming, const plain::Request& request) {
    try {
        return read_answer(incoming, request.method == "HEAD" ? AnswerTo::head : AnswerTo::get);
    } catch (const Unexpected&) {
        require(false);
        throw;
    }
}

}  // namespace

void fuzz(const FuzzInput& input) {
    static KnownSite known;
    const unsigned choice =
        (input.choice + (input.limits.fields_max < 100 ? 32u : 0u)) % KnownSite::choices;
    const auto requests = requests_in(known.with_tags(input.text));
    const std::int64_t now = std::time(nullptr);
    MemoryConnection connection{known.site(choice),
                                {.instant = Instant{std::chrono::hours{1}}, .unix_seconds = now},
                                1 + input.cut * 7 % 4096};
    std::string bytes;
    for (const plain::Request& request : requests) bytes += bytes_of(request);
    const std::size_t half = bytes.empty() ? 0 : input.cut % bytes.size();
    std::string sent = connection.receive(std::string_view{bytes}.substr(0, half));
    sent += connection.receive(std::string_view{bytes}.substr(half));
    IncomingText incoming{std::move(sent)};
    for (const plain::Request& request : requests) {
        const Answer answer = next_answer(incoming, request);
        const auto expected =
            plain::expect(known.tree(choice), known.options(choice), request, now);
        if (expected) check(answer, request, *expected);
    }
    require(incoming.peek() < 0);
}

}  // namespace weir::tests
