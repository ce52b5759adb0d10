#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "http/answer/output_buffer.h"
#include "http/frames/protocol.h"
#include "weir/http/connection.h"

namespace weir::http::http2 {

/// Frames on their way out: bytes, and behind them at most one stretch of a file. Once transmit() has
/// named them, they stay as they are until all of them are sent. What the protocol has to reply
/// meanwhile waits behind them.
class OutputQueue {
   public:
    /// What is true once the bytes before it were sent.
    struct Mark {
        std::uint64_t position;
        StreamId stream;
        std::uint32_t content_bytes;
        bool is_last;
    };

    /// `shared`: the workspace's, for as long as the connection is driven.
    explicit OutputQueue(OutputBuffer& shared) noexcept : shared_{shared} {}

    bool empty() const noexcept { return frames().empty() && file_.size == 0 && later_.empty(); }
    /// More may be rendered into frames().
    bool can_grow() const noexcept { return !is_sealed_ && file_.size == 0; }
    std::uint64_t size() const noexcept { return frames().size() + file_.size; }
    std::size_t replies_size() const noexcept { return later_.size(); }

    OutputBuffer& frames() noexcept { return kept_.empty() ? shared_ : kept_; }
    const OutputBuffer& frames() const noexcept { return kept_.empty() ? shared_ : kept_; }
    /// For frames that are about no answer's content.
    OutputBuffer& replies() noexcept { return can_grow() ? frames() : later_; }
    /// Behind the frames. Its stream stays until it is sent.
    void add_file(const FileRange& file, StreamId of) noexcept {
        file_ = file;
        file_stream_ = of;
    }
    /// Behind all that is rendered so far.
    void mark(StreamId stream, std::uint32_t content_bytes, bool is_last) {
        marks_.push_back({sent_ + size(), stream, content_bytes, is_last});
    }
    /// 0: no file waits.
    StreamId file_stream() const noexcept { return file_stream_; }

    Transmission transmit(bool ends) noexcept {
        is_sealed_ = true;
        Transmission what;
        what.parts[0] = frames().unsent();
        what.file = file_;
        what.ends = ends && later_.empty();
        return what;
    }

    /// Calls `reach(mark)` for what has become true.
    template <typename Reach>
    void sent(std::uint64_t size, Reach reach) {
        const auto of_frames = std::min<std::uint64_t>(size, frames().size());
        frames().sent(of_frames);
        file_.offset += size - of_frames;
        file_.size -= size - of_frames;
        sent_ += size;
        while (marks_reached_ != marks_.size() && marks_[marks_reached_].position <= sent_)
            reach(marks_[marks_reached_++]);
    }
    /// All that was named is sent: what came meanwhile is next.
    bool is_sent() const noexcept { return is_sealed_ && size() == 0; }
    void begin_next() {
        is_sealed_ = false;
        file_stream_ = 0;
        marks_.clear();
        marks_reached_ = 0;
        kept_ = {};
        if (later_.empty()) return;
        shared_.append(later_.unsent());
        later_ = {};
    }

    /// Moves what lies in the shared buffer to memory of its own.
    void keep() {
        if (shared_.empty()) return;
        const std::string_view unsent = shared_.unsent();
        shared_.clear();  // the next connection's, whatever comes
        kept_.append(unsent);
    }
    /// The connection ends: nothing of it may stay in the shared buffer.
    void drop_shared() noexcept {
        if (kept_.empty()) shared_.clear();
    }
    /// The memory that it has.
    std::size_t bytes() const noexcept {
        return kept_.capacity() + later_.capacity() + marks_.capacity() * sizeof(Mark);
    }
    /// Where nothing waits, what was kept for speed goes.
    void release() noexcept {
        if (empty()) std::vector<Mark>{}.swap(marks_);
    }

   private:
    OutputBuffer& shared_;
    OutputBuffer kept_;
    OutputBuffer later_;
    FileRange file_;
    StreamId file_stream_ = 0;
    std::vector<Mark> marks_;
    std::size_t marks_reached_ = 0;
    std::uint64_t sent_ = 0;
    bool is_sealed_ = false;
};

}  // namespace weir::http::http2
