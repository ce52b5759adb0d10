// A client of HTTP/2 (RFC 9113) with one request, on stream 1.

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "http/frames/frame.h"
#include "http/hpack/decoder.h"
#include "http/syntax/lower_case.h"
#include "web/probe/client.h"
#include "weir/http/field_name.h"

namespace weir::web {
namespace {

namespace h2 = http::http2;
namespace flag = h2::flag;
using h2::FrameHead;
using h2::FrameType;

constexpr h2::StreamId stream_id = 1;

/// An integer with a prefix of 7 bits (RFC 7541 5.1), and the text, without Huffman code.
void append_text(std::string& block, std::string_view text) {
    std::size_t rest = text.size();
    block += static_cast<char>(std::min<std::size_t>(rest, 0x7f));
    if (rest >= 0x7f) {
        for (rest -= 0x7f; rest >= 0x80; rest >>= 7U)
            block += static_cast<char>(0x80U | (rest & 0x7fU));
        block += static_cast<char>(rest);
    }
    block += text;
}

/// A literal field that enters no table (RFC 7541 6.2.2).
void append_field(std::string& block, std::string_view name, std::string_view value) {
    block += '\0';
    append_text(block, name);
    append_text(block, value);
}

std::optional<std::string_view> value_of(const Probe::Fields& fields, std::string_view name) {
    for (const auto& [other, value] : fields)
        if (http::equals_ignoring_case(other, name)) return value;
    return std::nullopt;
}

/// True for the fields that have another place in HTTP/2: Host in :authority, a WebSocket's
/// protocol in :protocol (RFC 9113 8.3.1, RFC 8441 4). `name` is in lower case.
bool is_of_http1(std::string_view name) {
    return name == "host" || name == "connection" || name == "upgrade" ||
           name == "sec-websocket-key";
}

/// Collects the fields of a header section.
struct Section final : http::hpack::FieldVisitor {
    void field(std::string_view name, std::string_view value, bool) override {
        fields.emplace_back(name, value);
    }
    Probe::Fields fields;
};

class Http2Client final : public ProbeClient {
   public:
    explicit Http2Client(bool is_encrypted) noexcept : is_encrypted_{is_encrypted} {}

    std::string ask(std::string_view method, std::string_view target, const Probe::Fields& fields,
                    std::optional<std::string_view> content) override;
    std::string send(std::string_view content) override;
    std::optional<std::string> end() override;
    std::string take(std::string_view bytes) override;
    Probe::Answer answer(bool) const override { return answer_; }
    bool is_reset() const noexcept override { return is_reset_; }

   private:
    std::string taken_out();
    void append_request(std::string_view method, std::string_view target,
                        const Probe::Fields& fields);
    void append_content();
    void take_frame(const FrameHead& head, std::string_view payload);
    void take_headers(const FrameHead& head, std::string_view payload);
    void take_settings(std::string_view payload);
    void end_section();

    bool is_encrypted_;
    bool is_tunnel_ = false;
    http::OutputBuffer output_;
    std::string input_;                      // of the server, without the frames that were taken
    std::string content_;                    // that the windows of the server have not let through
    std::optional<std::uint64_t> length_{};  // of the content that is announced
    std::uint64_t sent_ = 0;                 // bytes of it, with those that wait
    bool ends_ = false;                      // behind the content
    bool has_ended_ = false;
    std::int64_t window_ = h2::first_window;
    std::int64_t connection_window_ = h2::first_window;
    http::hpack::Decoder decoder_;
    std::string section_;  // a header section that is not complete
    bool section_ends_ = false;
    Probe::Answer answer_;
    bool is_reset_ = false;
};

std::string Http2Client::taken_out() {
    std::string bytes{output_.unsent()};
    output_.clear();
    return bytes;
}

std::string Http2Client::ask(std::string_view method, std::string_view target,
                             const Probe::Fields& fields, std::optional<std::string_view> content) {
    output_.append(h2::preface);
    // RFC 9113 6.5.2: INITIAL_WINDOW_SIZE. The server need not wait for this client.
    const std::string settings{"\0\x04\x7f\xff\xff\xff", 6};
    h2::append_frame(output_, {.size = 6, .type = FrameType::settings, .flags = 0, .stream = 0},
                     settings);
    h2::append_window_update(output_, 0,
                             static_cast<std::uint32_t>(h2::window_max - h2::first_window));
    const auto announced = value_of(fields, "Content-Length");
    if (announced) {
        std::uint64_t number = 0;
        std::from_chars(announced->data(), announced->data() + announced->size(), number);
        length_ = number;
    }
    is_tunnel_ = value_of(fields, "Upgrade").has_value();
    content_ = content.value_or("");
    sent_ = content_.size();
    ends_ = !is_tunnel_ && (!length_ || sent_ >= *length_);
    append_request(method, target, fields);
    append_content();
    return taken_out();
}

void Http2Client::append_request(std::string_view method, std::string_view target,
                                 const Probe::Fields& fields) {
    std::string block;
    const auto protocol = value_of(fields, "Upgrade");
    append_field(block, ":method", protocol ? "CONNECT" : method);
    if (protocol) append_field(block, ":protocol", *protocol);
    append_field(block, ":scheme", is_encrypted_ ? "https" : "http");
    append_field(block, ":authority", value_of(fields, "Host").value_or("localhost"));
    append_field(block, ":path", target);
    for (const auto& [name, value] : fields) {
        const std::string small = http::lower_case(name);
        if (!is_of_http1(small)) append_field(block, small, value);
    }
    has_ended_ = ends_ && content_.empty();
    const auto flags =
        static_cast<std::uint8_t>(flag::end_headers | (has_ended_ ? flag::end_stream : 0));
    h2::append_frame(output_,
                     {.size = static_cast<std::uint32_t>(block.size()),
                      .type = FrameType::headers,
                      .flags = flags,
                      .stream = stream_id},
                     block);
}

/// As much as the windows of the server let through (RFC 9113 6.9).
void Http2Client::append_content() {
    while (!has_ended_ && !is_reset_) {
        const auto room = static_cast<std::size_t>(std::max<std::int64_t>(
            0, std::min({window_, connection_window_, std::int64_t{h2::frame_bytes_max}})));
        const std::size_t size = std::min(room, content_.size());
        const bool is_last = ends_ && size == content_.size();
        if (size == 0 && !is_last) return;
        h2::append_frame(output_,
                         {.size = static_cast<std::uint32_t>(size),
                          .type = FrameType::data,
                          .flags = is_last ? flag::end_stream : std::uint8_t{0},
                          .stream = stream_id},
                         std::string_view{content_}.substr(0, size));
        content_.erase(0, size);
        window_ -= static_cast<std::int64_t>(size);
        connection_window_ -= static_cast<std::int64_t>(size);
        has_ended_ = is_last;
    }
}

std::string Http2Client::send(std::string_view content) {
    content_ += content;
    sent_ += content.size();
    ends_ = ends_ || (length_ && sent_ >= *length_);
    append_content();
    return taken_out();
}

std::optional<std::string> Http2Client::end() {
    ends_ = true;
    append_content();
    return taken_out();
}

std::string Http2Client::take(std::string_view bytes) {
    input_ += bytes;
    std::string_view rest = input_;
    while (rest.size() >= h2::frame_head_bytes) {
        const FrameHead head = h2::read_frame_head(rest);
        const std::size_t whole = h2::frame_head_bytes + head.size;
        if (rest.size() < whole) break;
        take_frame(head, rest.substr(h2::frame_head_bytes, head.size));
        rest.remove_prefix(whole);
    }
    input_.erase(0, input_.size() - rest.size());
    append_content();
    return taken_out();
}

/// The server is the project's own, and its frames are well-formed.
void Http2Client::take_frame(const FrameHead& head, std::string_view payload) {
    switch (head.type) {
        case FrameType::data:
            answer_.content += payload;
            if (head.has(flag::end_stream)) answer_.is_complete = true;
            return;
        case FrameType::headers:
        case FrameType::continuation: return take_headers(head, payload);
        case FrameType::rst_stream: is_reset_ = !answer_.is_complete; return;
        case FrameType::settings:
            if (head.has(flag::ack)) return;
            take_settings(payload);
            return h2::append_settings_ack(output_);
        case FrameType::ping:
            if (!head.has(flag::ack)) h2::append_ping(output_, flag::ack, payload);
            return;
        case FrameType::window_update:
            (head.stream == 0 ? connection_window_ : window_) += h2::read_number(payload);
            return;
        default: return;
    }
}

void Http2Client::take_settings(std::string_view payload) {
    for (; payload.size() >= 6; payload.remove_prefix(6)) {
        const auto name = static_cast<h2::Setting>(h2::read_number(payload.substr(0, 2)));
        if (name == h2::Setting::initial_window_size)
            window_ += std::int64_t{h2::read_number(payload.substr(2, 4))} - h2::first_window;
    }
}

void Http2Client::take_headers(const FrameHead& head, std::string_view payload) {
    section_ += payload;
    if (head.type == FrameType::headers) section_ends_ = head.has(flag::end_stream);
    if (head.has(flag::end_headers)) end_section();
}

void Http2Client::end_section() {
    Section section;
    decoder_.decode(std::exchange(section_, {}), section);
    if (section_ends_) answer_.is_complete = true;
    if (section.fields.empty() || section.fields.front().first != ":status") return;  // trailers
    const std::string status = section.fields.front().second;
    section.fields.erase(section.fields.begin());
    if (status == "103") answer_.hints.push_back(std::move(section.fields));
    if (status.starts_with('1')) return;
    std::from_chars(status.data(), status.data() + status.size(), answer_.status);
    if (is_tunnel_ && answer_.status == 200) answer_.status = 101;  // RFC 8441 5, as over HTTP/1.1
    answer_.fields = std::move(section.fields);
}

}  // namespace

std::unique_ptr<ProbeClient> http2_client(bool is_encrypted) {
    return std::make_unique<Http2Client>(is_encrypted);
}

}  // namespace weir::web
