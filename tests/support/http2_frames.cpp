#include "support/http2_frames.h"

#include <algorithm>

#include "support/incoming.h"

namespace weir::tests::http2 {

std::string number(std::uint32_t number, unsigned bytes) {
    std::string text(bytes, '\0');
    http::http2::write_number(text.data(), number, bytes);
    return text;
}

std::string frame(FrameType type, std::uint8_t flags, StreamId stream, std::string_view payload) {
    std::string text(http::http2::frame_head_bytes, '\0');
    http::http2::write_frame_head(
        text.data(), {static_cast<std::uint32_t>(payload.size()), type, flags, stream});
    return text.append(payload);
}

namespace {

/// RFC 7541 5.2
std::string text_of(std::string_view text) {
    std::string written;
    std::size_t size = text.size();
    if (size < 127) {
        written += static_cast<char>(size);
    } else {
        written += '\x7f';
        for (size -= 127; size >= 128; size /= 128) written += static_cast<char>(size % 128 + 128);
        written += static_cast<char>(size);
    }
    return written.append(text);
}

}  // namespace

std::string section(const Fields& fields) {
    std::string block;
    for (const auto& [name, value] : fields)
        block.append(1, '\0').append(text_of(name)).append(text_of(value));
    return block;
}

Fields get_fields(std::string_view path, const Fields& more) {
    Fields fields{{":method", "GET"},
                  {":scheme", "http"},
                  {":authority", "weir.test"},
                  {":path", std::string{path}}};
    fields.insert(fields.end(), more.begin(), more.end());
    return fields;
}

Fields post_fields(std::string_view path, const Fields& more) {
    Fields fields = get_fields(path, more);
    fields.front().second = "POST";
    return fields;
}

std::string headers(StreamId stream, const Fields& fields, std::uint8_t flags) {
    return frame(FrameType::headers, flags, stream, section(fields));
}

std::string get(StreamId stream, std::string_view path, const Fields& more) {
    return headers(stream, get_fields(path, more), flag::end_headers | flag::end_stream);
}

std::string post(StreamId stream, std::string_view path, const Fields& more) {
    return headers(stream, post_fields(path, more), flag::end_headers);
}

std::string data(StreamId stream, std::string_view content, std::uint8_t flags) {
    return frame(FrameType::data, flags, stream, content);
}

std::string reset(StreamId stream, ErrorCode code) {
    return frame(FrameType::rst_stream, 0, stream, number(static_cast<std::uint32_t>(code)));
}

std::string window(StreamId stream, std::uint32_t bytes) {
    return frame(FrameType::window_update, 0, stream, number(bytes));
}

std::string settings(const std::vector<std::pair<Setting, std::uint32_t>>& settings) {
    std::string payload;
    for (const auto& [setting, value] : settings)
        payload += number(static_cast<std::uint32_t>(setting), 2) + number(value);
    return frame(FrameType::settings, 0, 0, payload);
}

std::string settings_ack() { return frame(FrameType::settings, flag::ack, 0, {}); }

std::string ping(std::string_view payload, std::uint8_t flags) {
    return frame(FrameType::ping, flags, 0, payload);
}

std::string hello(const std::vector<std::pair<Setting, std::uint32_t>>& of_client) {
    return std::string{http::http2::preface} + settings(of_client);
}

ErrorCode Frame::code() const {
    const std::string_view text{payload};
    return static_cast<ErrorCode>(
        http::http2::read_number(text.substr(type == FrameType::goaway ? 4 : 0, 4)));
}

std::string Received::field(std::string_view name) const {
    for (const auto& [its_name, value] : fields)
        if (its_name == name) return value;
    return {};
}

int Received::status() const {
    const std::string text = field(":status");
    return text.empty() ? 0 : std::stoi(text);
}

void Reader::take(std::string_view bytes) {
    unread_ += bytes;
    for (;;) {
        if (unread_.size() < http::http2::frame_head_bytes) return;
        const auto head = http::http2::read_frame_head(unread_);
        const std::size_t size = http::http2::frame_head_bytes + head.size;
        if (unread_.size() < size) return;
        frames.push_back({head.type, head.flags, head.stream,
                          unread_.substr(http::http2::frame_head_bytes, head.size)});
        unread_.erase(0, size);
        take(Frame{frames.back()});
    }
}

void Reader::take(const Frame& frame) {
    if (frames.size() == 1 && frame.type != FrameType::settings)
        throw Unexpected{"the first frame is not SETTINGS"};
    if (section_stream_ != 0 && frame.type != FrameType::continuation)
        throw Unexpected{"a frame in the middle of a header section"};
    Received& received = streams_[frame.stream];
    switch (frame.type) {
        case FrameType::headers:
            section_ends_ = frame.has(flag::end_stream);
            section_ = frame.payload;
            section_stream_ = frame.stream;
            break;
        case FrameType::continuation: section_ += frame.payload; break;
        case FrameType::data:
            if (received.status() == 0) throw Unexpected{"DATA before HEADERS"};
            if (received.is_over()) throw Unexpected{"DATA after the end"};
            received.content += frame.payload;
            received.is_whole = frame.has(flag::end_stream);
            content_bytes_ += static_cast<std::uint32_t>(frame.payload.size());
            content_bytes_of_[frame.stream] += static_cast<std::uint32_t>(frame.payload.size());
            return;
        case FrameType::rst_stream:
            received.was_reset = true;
            received.code = frame.code();
            return;
        case FrameType::goaway: goaways.push_back(frame); return;
        default: return;
    }
    if (!frame.has(flag::end_headers)) return;
    take_section(std::exchange(section_stream_, 0), section_, section_ends_);
}

void Reader::take_section(StreamId id, std::string_view block, bool ends) {
    struct Visitor final : http::hpack::FieldVisitor {
        Fields fields;
        void field(std::string_view name, std::string_view value, bool) override {
            if (std::ranges::any_of(name, [](char c) { return c >= 'A' && c <= 'Z'; }))
                throw Unexpected{"a name with large letters"};
            fields.emplace_back(name, value);
        }
    } visitor;
    if (!decoder_.decode(block, visitor)) throw Unexpected{"a malformed header section"};
    Received& received = streams_[id];
    if (received.is_over()) throw Unexpected{"HEADERS after the end"};
    received.is_whole = ends;
    if (received.status() != 0) {
        received.trailers = visitor.fields;
    } else if (visitor.fields.empty() || visitor.fields.front().first != ":status") {
        throw Unexpected{"an answer without a status"};
    } else if (visitor.fields.front().second.starts_with('1')) {
        ++received.interim;
        received.interim_fields = visitor.fields;
    } else {
        received.fields = visitor.fields;
    }
}

int Reader::count(FrameType type) const {
    return static_cast<int>(std::ranges::count(frames, type, &Frame::type));
}

}  // namespace weir::tests::http2
