#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "http/answer/output_buffer.h"
#include "http/frames/protocol.h"
#include "weir/http/connection.h"

namespace weir::http::http2 {

/// Frames on their way out: bytes, and behind them at most one part of a file. After transmit() has
/// named them, they do not change until all are sent. The protocol's own frames wait behind them
/// meanwhile.
class OutputQueue {
   public:
    /// An event that occurs once the bytes before it were sent.
    struct Mark {
        std::uint64_t position;
        StreamId stream;
        std::uint32_t content_bytes;
        bool is_last;
    };

    /// `shared` is the workspace's, borrowed while the connection is driven.
    explicit OutputQueue(OutputBuffer& shared) noexcept : shared_{shared} {}

    bool empty() const noexcept { return frames().empty() && file_.size == 0 && later_.empty(); }
    /// More may be rendered into frames().
    bool can_grow() const noexcept { return !is_sealed_ && file_.size == 0; }
    std::uint64_t size() const noexcept { return frames().size() + file_.size; }
    std::size_t replies_size() const noexcept { return later_.size(); }

    OutputBuffer& frames() noexcept { return kept_.empty() ? shared_ : kept_; }
    const OutputBuffer& frames() const noexcept { return kept_.empty() ? shared_ : kept_; }
    /// For frames without content of a response.
    OutputBuffer& replies() noexcept { return can_grow() ? frames() : later_; }
    /// Adds a part of a file behind the frames. Its stream must live until it is sent.
    void add_file(const FileRange& file, StreamId of) noexcept {
        file_ = file;
        file_stream_ = of;
    }
    /// Adds a mark behind all rendered bytes.
    void mark(StreamId stream, std::uint32_t content_bytes, bool is_last) {
        marks_.push_back({sent_ + size(), stream, content_bytes, is_last});
    }
    /// The stream of the file that waits; 0 if there is none.
    StreamId file_stream() const noexcept { return file_stream_; }

    Transmission transmit(bool ends) noexcept {
        is_sealed_ = true;
        Transmission what;
        what.parts[0] = frames().unsent();
        what.file = file_;
        what.ends = ends && later_.empty();
        return what;
    }

    /// Calls `reach(mark)` for each mark that is reached.
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
    /// All named bytes are sent. The frames that came meanwhile are next.
    bool is_sent() const noexcept { return is_sealed_ && frames().empty() && file_.size == 0; }
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

    /// Moves the bytes of the shared buffer to memory of its own.
    void keep() {
        if (shared_.empty()) return;
        const std::string_view unsent = shared_.unsent();
        shared_.clear();  // the next connection's, also if this throws
        kept_.append(unsent);
    }
    /// The connection ends: no byte of it may stay in the shared buffer.
    void drop_shared() noexcept {
        if (kept_.empty()) shared_.clear();
    }
    /// Its memory in bytes.
    std::size_t bytes() const noexcept {
        return kept_.capacity() + later_.capacity() + marks_.capacity() * sizeof(Mark);
    }
    /// Frees spare memory, if no frame waits.
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
