// A client of HTTP/1.1.

#include <algorithm>
#include <charconv>

#include "base/trimmed.h"
#include "http/content/chunked_decoder.h"
#include "web/probe/client.h"
#include "weir/http/field_name.h"
#include "weir/http/limits.h"

namespace weir::web {
namespace {

bool has(const Probe::Fields& fields, std::string_view name) {
    return std::ranges::any_of(
        fields, [&](const auto& field) { return http::equals_ignoring_case(field.first, name); });
}

/// Takes one line off, without its end.
std::string_view take_line(std::string_view& bytes) {
    const std::size_t end = bytes.find("\r\n");
    const std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end == bytes.npos ? bytes.size() : end + 2);
    return line;
}

unsigned number_from(std::string_view text) noexcept {
    unsigned number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

void read_chunks(Probe::Answer& answer, std::string_view bytes) {
    const http::Limits limits{};
    http::ChunkedDecoder decoder;
    while (!bytes.empty()) {
        const auto step = decoder.decode(bytes, limits);
        bytes.remove_prefix(step.consumed);
        if (step.result == http::ChunkedDecoder::Result::data)
            answer.content += step.data;
        else if (step.result != http::ChunkedDecoder::Result::more) {
            answer.is_complete = step.result == http::ChunkedDecoder::Result::complete;
            return;
        }
    }
}

/// The fields of a head, without its first line.
Probe::Fields fields_of(std::string_view lines) {
    Probe::Fields fields;
    while (!lines.empty()) {
        const std::string_view line = take_line(lines);
        const std::size_t colon = line.find(':');
        fields.emplace_back(line.substr(0, colon), trimmed(line.substr(colon + 1)));
    }
    return fields;
}

std::string request_text(std::string_view method, std::string_view target,
                         const Probe::Fields& fields, std::optional<std::string_view> content) {
    std::string text{method};
    text.append(" ").append(target).append(" HTTP/1.1\r\n");
    if (!has(fields, "Host")) text += "Host: localhost\r\n";
    for (const auto& [name, value] : fields)
        text.append(name).append(": ").append(value).append("\r\n");
    const bool has_size = has(fields, "Content-Length") || has(fields, "Transfer-Encoding");
    if (content && !has_size) text += "Content-Length: " + std::to_string(content->size()) + "\r\n";
    return text.append("\r\n").append(content.value_or(""));
}

Probe::Answer answer_from(std::string_view bytes, std::string_view method, bool ended) {
    Probe::Answer answer;
    std::size_t head_end = bytes.find("\r\n\r\n");
    // An interim response comes before the final one. Behind a 101, another protocol follows.
    while (head_end != bytes.npos && bytes.starts_with("HTTP/1.1 1") &&
           !bytes.starts_with("HTTP/1.1 101")) {
        std::string_view head = bytes.substr(0, head_end);
        if (take_line(head).substr(9).starts_with("103")) answer.hints.push_back(fields_of(head));
        bytes.remove_prefix(head_end + 4);
        head_end = bytes.find("\r\n\r\n");
    }
    if (head_end == bytes.npos) return answer;
    std::string_view head = bytes.substr(0, head_end);
    answer.status = number_from(take_line(head).substr(9));
    answer.fields = fields_of(head);
    const std::string_view content = bytes.substr(head_end + 4);
    const bool is_tunnel = answer.status == 101;  // the rest of the bytes is its content
    if (!is_tunnel &&
        (method == "HEAD" || !http::may_have_content(static_cast<http::Status>(answer.status)))) {
        answer.is_complete = true;
    } else if (!answer.field("Transfer-Encoding").empty()) {
        read_chunks(answer, content);
    } else if (const auto length = answer.field("Content-Length"); !length.empty()) {
        answer.content = content.substr(0, number_from(length));
        answer.is_complete = answer.content.size() == number_from(length);
    } else {
        answer.content = content;
        answer.is_complete = ended;
    }
    return answer;
}

class Http1Client final : public ProbeClient {
   public:
    std::string ask(std::string_view method, std::string_view target, const Probe::Fields& fields,
                    std::optional<std::string_view> content) override {
        method_ = method;
        return request_text(method, target, fields, content);
    }
    std::string send(std::string_view content) override { return std::string{content}; }
    std::optional<std::string> end() override { return std::nullopt; }
    std::string take(std::string_view bytes) override {
        received_ += bytes;
        return {};
    }
    Probe::Answer answer(bool ended) const override {
        return answer_from(received_, method_, ended);
    }

   private:
    std::string method_;
    std::string received_;
};

}  // namespace

std::string_view Probe::Answer::field(std::string_view name) const noexcept {
    const auto found = std::ranges::find_if(
        fields, [&](const auto& field) { return http::equals_ignoring_case(field.first, name); });
    return found != fields.end() ? std::string_view{found->second} : std::string_view{};
}

std::unique_ptr<ProbeClient> http1_client() { return std::make_unique<Http1Client>(); }

}  // namespace weir::web
