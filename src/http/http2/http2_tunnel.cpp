// Http2Connection: another protocol on a stream, after an extended CONNECT (RFC 8441).

#include <utility>

#include "http/answer/dropped.h"
#include "http/http2/http2_connection.h"
#include "weir/http/tunnel.h"

namespace weir::http {

void Http2Connection::begin_tunnel(Stream& stream, Response&& response) {
    const auto* const source = std::get_if<std::unique_ptr<Source>>(&response.content());
    if (!stream.may_tunnel || source == nullptr || (*source)->tunnel() == nullptr) {
        drop(Reply{std::move(response)}, Outcome::stopped);
        return answer(stream, error_response(Status::internal_server_error));
    }
    response.status(Status::ok);  // RFC 8441 4
    begin_answer(stream, std::move(response));
    if (retired_) stream.tunnel()->retire();
    feed_held(stream);
}

/// Bytes that the tunnel does not take are held, and not granted to the peer: at most a window.
void Http2Connection::feed_tunnel(Stream& stream, std::string_view bytes) {
    if (stream.held.empty()) {
        stream.held += feed(stream, bytes);
    } else {
        stream.held += bytes;
        feed_held(stream);
    }
    wake_source(stream);
}

/// Returns the bytes that the tunnel does not take.
std::string_view Http2Connection::feed(Stream& stream, std::string_view bytes) {
    Tunnel& tunnel = *stream.tunnel();
    while (!bytes.empty() && tunnel.takes()) {
        const std::size_t size = tunnel.take(bytes);
        bytes.remove_prefix(size);
        grant(stream, size);
    }
    return bytes;
}

void Http2Connection::feed_held(Stream& stream) {
    const auto held = std::string_view{stream.held}.substr(stream.held_begin);
    stream.held_begin = static_cast<std::uint32_t>(stream.held.size() - feed(stream, held).size());
    if (2 * stream.held_begin > stream.held.size()) {
        stream.held.erase(0, std::exchange(stream.held_begin, 0));
        if (stream.held.empty()) std::string{}.swap(stream.held);
    }
    const bool has_ended = stream.peer_ended && stream.held.empty();
    if (has_ended && !std::exchange(stream.tunnel_knows_end, true)) stream.tunnel()->end_input();
}

/// The tunnel has no output. It may have some after more input; otherwise it waits for its own
/// deadline.
http2::Content::State Http2Connection::pump_tunnel(Stream& stream) {
    auto state = http2::Content::State::not_ready;
    while (state == http2::Content::State::not_ready) {
        if (stream.held.empty() || !stream.tunnel()->takes()) {
            turns_.remove(stream);
            on<Event::waits>(stream);
            break;
        }
        feed_held(stream);
        stream.content->wake();
        state = stream.content->prepare(workspace_.failures, stream.slot);
    }
    return state;
}

/// False if there is no tunnel, or its output has ended.
bool Http2Connection::ends_input_of_tunnel(Stream& stream) {
    if (!stream.is_tunnel()) return false;
    feed_held(stream);
    wake_source(stream);
    return true;
}

void Http2Connection::retire_tunnels() {
    for (const auto& stream : streams_) {
        if (!stream->is_tunnel()) continue;
        stream->tunnel()->retire();
        wake_source(*stream);
    }
}

}  // namespace weir::http
