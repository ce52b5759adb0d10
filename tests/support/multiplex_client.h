#pragma once

#include <cstdint>
#include <string_view>

#include "support/client.h"
#include "support/multiplex_peer.h"

namespace weir::tests {

/// A client of the multiplexing test protocol, over a socket. Grants what it reads, unless told
/// otherwise. Every wait ends with `time_limit`, as Unexpected.
class MultiplexClient {
   public:
    using Received = multiplex::Received;

    explicit MultiplexClient(Client socket) : socket_{std::move(socket)} {}

    bool grants_what_it_reads = true;

    /// Returns the stream's number.
    std::uint32_t request(std::string_view target);
    /// `content` may be empty: more comes by upload().
    std::uint32_t post(std::string_view target, std::string_view content = {});
    /// Within the window, which is waited for.
    void upload(std::uint32_t stream, std::string_view content);
    void finish(std::uint32_t stream);
    void cancel(std::uint32_t stream) { socket_.send(peer_.cancel(stream)); }
    void grant(std::uint32_t stream, std::uint32_t bytes) {
        socket_.send(peer_.grant(stream, bytes));
    }

    /// Reads until the stream is over.
    const Received& answer(std::uint32_t stream);
    const Received& ask(std::string_view target) { return answer(request(target)); }
    /// Reads until so much of its content is there.
    const Received& content(std::uint32_t stream, std::size_t bytes);
    void await_goaway();
    /// Reads to the end; it comes after `goaway` or a refusal of the connection, or a half-close.
    Ending ending();
    /// False at the end.
    bool read_frame();

    const Received& stream(std::uint32_t number) { return peer_.stream(number); }
    multiplex::Peer& peer() { return peer_; }
    Client& socket() { return socket_; }

   private:
    Client socket_;
    multiplex::Peer peer_;
};

}  // namespace weir::tests
