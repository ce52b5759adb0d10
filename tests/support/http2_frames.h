#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/frames/frame.h"
#include "http/hpack/decoder.h"

namespace weir::tests::http2 {

using http::http2::ErrorCode;
using http::http2::FrameType;
using http::http2::Setting;
using http::http2::StreamId;
namespace flag = http::http2::flag;

using Fields = std::vector<std::pair<std::string, std::string>>;

// What a client sends, byte for byte.
std::string frame(FrameType type, std::uint8_t flags, StreamId stream, std::string_view payload);
std::string number(std::uint32_t number, unsigned bytes = 4);
/// The fields as a header section: none is indexed, none is encoded.
std::string section(const Fields& fields);
Fields get_fields(std::string_view path, const Fields& more = {});
Fields post_fields(std::string_view path, const Fields& more = {});
/// HEADERS that are whole.
std::string headers(StreamId stream, const Fields& fields, std::uint8_t flags);
std::string get(StreamId stream, std::string_view path, const Fields& more = {});
/// DATA follows.
std::string post(StreamId stream, std::string_view path, const Fields& more = {});
std::string data(StreamId stream, std::string_view content, std::uint8_t flags = 0);
std::string reset(StreamId stream, ErrorCode code = ErrorCode::cancel);
std::string window(StreamId stream, std::uint32_t bytes);
std::string settings(const std::vector<std::pair<Setting, std::uint32_t>>& settings = {});
std::string settings_ack();
std::string ping(std::string_view payload = "12345678", std::uint8_t flags = 0);
/// The preface and SETTINGS.
std::string hello(const std::vector<std::pair<Setting, std::uint32_t>>& settings = {});

struct Frame {
    FrameType type;
    std::uint8_t flags;
    StreamId stream;
    std::string payload;

    bool has(std::uint8_t one) const { return (flags & one) != 0; }
    /// Of RST_STREAM and GOAWAY.
    ErrorCode code() const;
    std::uint32_t number() const { return http::http2::read_number(payload.substr(0, 4)); }
};

/// What came on one stream.
struct Received {
    Fields fields;  // of the last header section with a status of 200 and above
    Fields trailers;
    std::string content;
    int interim = 0;        // answers of 1xx
    Fields interim_fields;  // of the last one
    bool is_whole = false;
    bool was_reset = false;
    ErrorCode code{};

    std::string field(std::string_view name) const;
    int status() const;
    bool is_over() const { return is_whole || was_reset; }
};

/// Reads what a server sends. A strict reader: throws Unexpected for what breaks RFC 9113.
class Reader {
   public:
    void take(std::string_view bytes);

    Received& stream(StreamId id) { return streams_[id]; }
    /// All frames, in order.
    std::vector<Frame> frames;
    std::vector<Frame> goaways;
    int count(FrameType type) const;
    /// Bytes of content that came since the last call, of all streams.
    std::uint32_t take_content_bytes() { return std::exchange(content_bytes_, 0); }
    std::uint32_t take_content_bytes(StreamId id) {
        return std::exchange(content_bytes_of_[id], 0);
    }

   private:
    void take(const Frame& frame);
    void take_section(StreamId id, std::string_view block, bool ends);

    std::string unread_;
    std::string section_;
    StreamId section_stream_ = 0;
    bool section_ends_ = false;
    std::map<StreamId, Received> streams_;
    http::hpack::Decoder decoder_;
    std::uint32_t content_bytes_ = 0;
    std::map<StreamId, std::uint32_t> content_bytes_of_;
};

}  // namespace weir::tests::http2
