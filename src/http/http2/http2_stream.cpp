#include "http/http2/http2_stream.h"

#include <utility>

namespace weir::http::http2 {

void Stream::cut_continuation() noexcept {
    if (!continuation) return;
    at_handler = false;  // no other code makes the reply
    std::exchange(continuation, nullptr)->cut();
}

void Stream::end(Outcome why) noexcept {
    if (content) content->done(why);
    content_in.cut();
    cut_continuation();
}

void Stream::reset() {
    static_cast<StreamState&>(*this) = {};
    content_in = {};
    content.reset();
    continuation.reset();
    slot.reset();
    head.clear();
    pseudo.clear();
    trailers.clear();
    std::string{}.swap(held);  // few streams need this memory again
}

StreamPool& StreamPool::of(Workspace& workspace) {
    if (!workspace.streams) workspace.streams = std::make_unique<StreamPool>();
    return static_cast<StreamPool&>(*workspace.streams);
}

std::unique_ptr<Stream> StreamPool::take() {
    if (streams_.empty()) return std::make_unique<Stream>();
    std::unique_ptr<Stream> stream = std::move(streams_.back());
    streams_.pop_back();
    return stream;
}

void StreamPool::give_back(std::unique_ptr<Stream> stream) {
    if (streams_.size() == streams_max) return;
    stream->reset();
    if (stream->bytes() > stream_bytes_max) return;
    streams_.push_back(std::move(stream));
}

Stream& StreamTable::add(StreamId id) {
    Stream& stream = *streams_.emplace_back(pool_.take());
    stream.id = id;
    return stream;
}

void StreamTable::remove(const Stream& stream) {
    const auto found = std::ranges::lower_bound(streams_, stream.id, {}, id_of);
    std::unique_ptr<Stream> removed = std::move(*found);
    streams_.erase(found);
    pool_.give_back(std::move(removed));
}

}  // namespace weir::http::http2
