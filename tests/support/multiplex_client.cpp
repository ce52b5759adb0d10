#include "support/multiplex_client.h"

#include <algorithm>
#include <string>

namespace weir::tests {

using multiplex::FrameType;

std::uint32_t MultiplexClient::request(std::string_view target) {
    socket_.send(peer_.request(target));
    return peer_.last_stream();
}

std::uint32_t MultiplexClient::post(std::string_view target, std::string_view content) {
    socket_.send(peer_.request(target, FrameType::upload));
    const auto stream = peer_.last_stream();
    upload(stream, content);
    return stream;
}

void MultiplexClient::upload(std::uint32_t stream, std::string_view content) {
    while (!content.empty()) {
        const auto window = std::max<std::int64_t>(peer_.upload_window(stream), 0);
        const auto piece = content.substr(0, static_cast<std::size_t>(window));
        socket_.send(peer_.data(stream, piece));
        content.remove_prefix(piece.size());
        if (piece.empty() && !read_frame()) throw Unexpected{"the end within an upload"};
    }
}

void MultiplexClient::finish(std::uint32_t stream) {
    socket_.send(multiplex::frame(FrameType::end, stream));
}

bool MultiplexClient::read_frame() {
    if (socket_.peek() < 0) return false;
    std::string bytes = socket_.take(multiplex::frame_head_bytes);
    const std::size_t payload = multiplex::number_in(std::string_view{bytes}.substr(1, 3));
    bytes += socket_.take(payload);
    const auto read = multiplex::read_frame(bytes);
    if (read.result != multiplex::ReadFrame::Result::frame) throw Unexpected{"no frame: " + bytes};
    peer_.take(read.frame);
    // In large amounts, as clients do; the server may have closed after its last frame.
    if (grants_what_it_reads && read.frame.type == FrameType::data)
        socket_.offer(peer_.take_grants());
    return true;
}

const multiplex::Received& MultiplexClient::answer(std::uint32_t stream) {
    while (!peer_.stream(stream).is_over())
        if (!read_frame()) throw Unexpected{"the end before that of a stream"};
    return peer_.stream(stream);
}

const multiplex::Received& MultiplexClient::content(std::uint32_t stream, std::size_t bytes) {
    while (peer_.stream(stream).content.size() < bytes)
        if (!read_frame()) throw Unexpected{"the end within content"};
    return peer_.stream(stream);
}

void MultiplexClient::await_goaway() {
    while (!peer_.goaway())
        if (!read_frame()) throw Unexpected{"the end without a goaway"};
}

Ending MultiplexClient::ending() {
    while (read_frame()) {}
    return Ending::closed;
}

}  // namespace weir::tests
