#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "http/frames/data_frame.h"
#include "http/frames/frame.h"
#include "http/frames/unfinished_section.h"
#include "http/kept_input.h"

namespace weir::http::http2 {

/// Reads the input of a connection: the preface, then frame by frame (RFC 9113 3.4, 4.1). Content is
/// passed on as it comes, fields once all frames of their section have come, and any other frame once
/// it is complete.
///
/// The receiver has these functions. Those of type bool return false if the connection is to end; fault()
/// always does.
///
///     void send_settings();
///     void begin();                                          // the preface was read
///     bool begin_data(const FrameHead& head, std::size_t framing);  // bytes of it that are no content
///     bool take_content(StreamId id, std::string_view bytes);
///     bool end_of_content(StreamId id);
///     bool take_section(StreamId id, bool ends_stream, std::string_view block);
///     bool take_frame(const FrameHead& head, std::string_view payload);
///     bool fault(ErrorCode code);
class FrameParser {
   public:
    explicit FrameParser(UnfinishedSection::Limits limits) noexcept : limits_{limits} {}

    /// `bytes` are borrowed until keep().
    void add(std::string_view bytes) {
        if (input_.empty())
            input_ = bytes;
        else
            add_input(input_, kept_, bytes);
    }
    template <typename Receiver>
    void read(Receiver& to) {
        if (!preface_read_ && !read_preface(to)) return;
        while (!input_.empty())
            if (!(data_.is_open() ? read_content(to) : read_frame(to))) return;
    }
    /// Discards the input: no more is read.
    void stop() noexcept { input_ = {}; }

    bool preface_read() const noexcept { return preface_read_; }
    bool has_input() const noexcept { return !input_.empty(); }
    /// The rest of the preface, of a frame or of a section is due.
    bool is_in_frame() const noexcept {
        return !preface_read_ || !input_.empty() || section_.is_open();
    }
    /// True if a frame was complete, or its content has begun, since the last call.
    bool take_progress() noexcept { return std::exchange(has_progressed_, false); }

    /// Copies the unread input into memory of its own.
    void keep() { keep_input(input_, kept_); }
    /// The same, and frees the memory behind it.
    void keep_no_more_than_input();
    /// Its memory in bytes.
    std::size_t bytes() const noexcept { return kept_.capacity() + section_.bytes(); }

   private:
    template <typename Receiver>
    bool read_preface(Receiver& to);
    template <typename Receiver>
    bool read_frame(Receiver& to);
    template <typename Receiver>
    bool read_whole_frame(Receiver& to, const FrameHead& head, std::string_view payload);
    template <typename Receiver>
    bool read_headers(Receiver& to, const FrameHead& head, std::string_view payload);
    template <typename Receiver>
    bool read_continuation(Receiver& to, const FrameHead& head, std::string_view payload);
    template <typename Receiver>
    bool read_data_frame(Receiver& to, const FrameHead& head);
    template <typename Receiver>
    bool read_content(Receiver& to);

    const UnfinishedSection::Limits limits_;
    std::string_view input_;  // received, not yet read; in the engine's buffer or in kept_
    std::string kept_;
    UnfinishedSection section_;
    DataFrame data_;
    bool preface_read_ = false;
    bool settings_read_ = false;  // the peer's first ones
    bool has_progressed_ = false;
};

inline void FrameParser::keep_no_more_than_input() {
    constexpr std::size_t slack = 4 * 1024;
    keep();
    if (kept_.capacity() <= input_.size() + (input_.empty() ? 0 : slack)) return;
    std::string input{input_};
    kept_.swap(input);
    input_ = kept_;
}

/// False if the preface is incomplete, or is none.
template <typename Receiver>
bool FrameParser::read_preface(Receiver& to) {
    const std::size_t size = std::min(input_.size(), preface.size());
    const bool is_wrong = input_.substr(0, size) != preface.substr(0, size);
    if (!is_wrong && size < preface.size()) return false;
    preface_read_ = true;  // also a wrong one: or no GOAWAY would be sent
    has_progressed_ = true;
    to.send_settings();
    if (is_wrong) return to.fault(ErrorCode::protocol_error);
    input_.remove_prefix(size);
    to.begin();
    return true;
}

/// False if the frame is incomplete, or ended the connection.
template <typename Receiver>
bool FrameParser::read_frame(Receiver& to) {
    if (input_.size() < frame_head_bytes) return false;
    const FrameHead head = read_frame_head(input_);
    if (head.size > frame_bytes_max) return to.fault(ErrorCode::frame_size_error);
    if (!settings_read_ && (head.type != FrameType::settings || head.has(flag::ack)))
        return to.fault(ErrorCode::protocol_error);
    if (section_.is_open() && head.type != FrameType::continuation)
        return to.fault(ErrorCode::protocol_error);
    if (head.type == FrameType::data) return read_data_frame(to, head);
    if (input_.size() < frame_head_bytes + head.size) return false;
    settings_read_ = true;
    has_progressed_ = true;
    if (!read_whole_frame(to, head, input_.substr(frame_head_bytes, head.size))) return false;
    input_.remove_prefix(frame_head_bytes + head.size);
    return true;
}

template <typename Receiver>
bool FrameParser::read_whole_frame(Receiver& to, const FrameHead& head, std::string_view payload) {
    switch (head.type) {
        case FrameType::headers: return read_headers(to, head, payload);
        case FrameType::continuation: return read_continuation(to, head, payload);
        default: return to.take_frame(head, payload);
    }
}

/// RFC 9113 6.2. The priority is ignored (RFC 9113 5.3.2), but its form is checked.
template <typename Receiver>
bool FrameParser::read_headers(Receiver& to, const FrameHead& head, std::string_view payload) {
    constexpr std::size_t priority_bytes = 5;
    if (head.stream % 2 == 0) return to.fault(ErrorCode::protocol_error);
    if (head.has(flag::padded)) {
        const std::size_t padding =
            payload.empty() ? 0 : static_cast<unsigned char>(payload.front());
        if (padding + 1 > payload.size()) return to.fault(ErrorCode::protocol_error);
        payload = payload.substr(1, payload.size() - 1 - padding);
    }
    if (head.has(flag::priority)) {
        if (payload.size() < priority_bytes) return to.fault(ErrorCode::frame_size_error);
        if ((read_number(payload.substr(0, 4)) & stream_id_max) == head.stream)
            return to.fault(ErrorCode::protocol_error);
        payload.remove_prefix(priority_bytes);
    }
    if (head.has(flag::end_headers))
        return to.take_section(head.stream, head.has(flag::end_stream), payload);
    section_.begin(head.stream, head.has(flag::end_stream), payload);
    return true;
}

/// RFC 9113 6.10
template <typename Receiver>
bool FrameParser::read_continuation(Receiver& to, const FrameHead& head, std::string_view payload) {
    if (!section_.is_of(head.stream)) return to.fault(ErrorCode::protocol_error);
    if (!section_.add(payload, limits_)) return to.fault(ErrorCode::enhance_your_calm);
    if (!head.has(flag::end_headers)) return true;
    const auto section = section_.finish();
    return to.take_section(section.stream, section.ends_stream, section.block);
}

/// RFC 9113 6.1
template <typename Receiver>
bool FrameParser::read_data_frame(Receiver& to, const FrameHead& head) {
    const std::size_t begin = frame_head_bytes + (head.has(flag::padded) ? 1 : 0);
    if (input_.size() < begin) return false;
    const std::size_t padding =
        head.has(flag::padded) ? static_cast<unsigned char>(input_[begin - 1]) : 0;
    if (head.stream == 0) return to.fault(ErrorCode::protocol_error);
    if (head.has(flag::padded) && padding >= head.size) return to.fault(ErrorCode::protocol_error);
    const std::size_t framing = padding + begin - frame_head_bytes;
    has_progressed_ = true;
    if (!to.begin_data(head, framing)) return false;
    input_.remove_prefix(begin);
    data_ = {.stream = head.stream,
             .content_left = static_cast<std::uint32_t>(head.size - framing),
             .padding_left = static_cast<std::uint32_t>(padding),
             .ends_stream = head.has(flag::end_stream)};
    // There may be no more input.
    return head.size != framing || read_content(to);
}

/// False if the connection is to end.
template <typename Receiver>
bool FrameParser::read_content(Receiver& to) {
    const std::string_view content = data_.take_content(input_);
    if (!content.empty() && !to.take_content(data_.stream, content)) return false;
    if (data_.content_left == 0) data_.skip_padding(input_);
    if (!data_.is_whole()) return true;
    const StreamId stream = std::exchange(data_.stream, 0);
    return !data_.ends_stream || to.end_of_content(stream);
}

}  // namespace weir::http::http2
