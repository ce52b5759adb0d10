#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "support/client.h"
#include "support/http2_frames.h"

namespace weir::tests {

/// A client of HTTP/2 over a channel that speaks it. Keeps the windows of both sides, and opens its own
/// as it reads, unless told otherwise. Every wait ends with `time_limit`, as Unexpected.
class Http2Client {
   public:
    using StreamId = http2::StreamId;

    /// Sends the preface.
    explicit Http2Client(std::unique_ptr<Channel> channel);

    bool opens_windows = true;

    StreamId request(std::string_view target, const http2::Fields& more = {});
    /// An extended CONNECT (RFC 8441). Bytes go by upload().
    StreamId connect(std::string_view target, std::string_view protocol,
                     const http2::Fields& more = {});
    /// `content` may be empty: more comes by upload().
    StreamId post(std::string_view target, std::string_view content = {});
    /// Within the windows, which are waited for.
    void upload(StreamId stream, std::string_view content);
    void finish(StreamId stream) {
        channel_->send(http2::data(stream, {}, http2::flag::end_stream));
    }
    void cancel(StreamId stream) { channel_->send(http2::reset(stream)); }
    void open(StreamId stream, std::uint32_t bytes) {
        channel_->send(http2::window(stream, bytes));
    }

    /// Reads until the stream is over.
    const http2::Received& answer(StreamId stream);
    const http2::Received& ask(std::string_view target) { return answer(request(target)); }
    /// Reads until so much of its content is there.
    const http2::Received& content(StreamId stream, std::size_t bytes);
    /// Reads until the server has taken what was sent so far: it answers a PING behind that.
    void round_trip();
    /// Reads until so many frames of that type have come.
    void await(http2::FrameType type, int count = 1);
    /// Reads to the end.
    Ending ending();
    /// False at the end.
    bool read_frame();

    http2::Received& stream(StreamId id) { return reader_.stream(id); }
    http2::Reader& reader() { return reader_; }
    Channel& channel() { return *channel_; }
    Client& socket() { return channel_->socket(); }

   private:
    void open_windows(StreamId stream);

    std::unique_ptr<Channel> channel_;
    http2::Reader reader_;
    StreamId next_ = 1;
    std::map<StreamId, std::int64_t> windows_;    // for what is uploaded; 0: the connection's
    std::map<StreamId, std::uint32_t> unopened_;  // of what has come
    std::map<http2::FrameType, int> seen_;        // but DATA
};

}  // namespace weir::tests
