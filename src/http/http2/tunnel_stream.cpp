#include "http/http2/tunnel_stream.h"

#include <utility>

#include "weir/http/tunnel.h"

namespace weir::http::http2 {

void TunnelStream::begin() { feed_held(); }

void TunnelStream::take(std::string_view bytes) {
    if (stream_.held.empty()) {
        stream_.held += feed(bytes);
    } else {
        stream_.held += bytes;
        feed_held();
    }
    session_.wake_source(stream_);
}

void TunnelStream::end_input() {
    feed_held();
    session_.wake_source(stream_);
}

Content::State TunnelStream::pump() {
    auto state = Content::State::not_ready;
    while (state == Content::State::not_ready) {
        if (stream_.held.empty() || !stream_.tunnel()->takes()) {
            session_.turns.remove(stream_);
            session_.on<Event::waits>(stream_);
            break;
        }
        feed_held();
        stream_.content->wake();
        state = stream_.content->prepare(session_.workspace.failures, stream_.slot);
    }
    return state;
}

/// Returns the bytes that the tunnel does not take.
std::string_view TunnelStream::feed(std::string_view bytes) {
    Tunnel& tunnel = *stream_.tunnel();
    while (!bytes.empty() && tunnel.takes()) {
        const std::size_t size = tunnel.take(bytes);
        bytes.remove_prefix(size);
        session_.grant(stream_, size);
    }
    return bytes;
}

void TunnelStream::feed_held() {
    const auto held = std::string_view{stream_.held}.substr(stream_.held_begin);
    stream_.held_begin = static_cast<std::uint32_t>(stream_.held.size() - feed(held).size());
    if (2 * stream_.held_begin > stream_.held.size()) {
        stream_.held.erase(0, std::exchange(stream_.held_begin, 0));
        if (stream_.held.empty()) std::string{}.swap(stream_.held);
    }
    const bool has_ended = stream_.peer_ended && stream_.held.empty();
    if (has_ended && !std::exchange(stream_.tunnel_knows_end, true)) stream_.tunnel()->end_input();
}

}  // namespace weir::http::http2
