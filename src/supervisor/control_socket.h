#pragma once

#include <poll.h>

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "net/address.h"
#include "net/listener.h"
#include "net/unique_fd.h"
#include "supervisor/requests.h"
#include "supervisor/state.h"
#include "weir/base/now.h"

namespace weir::supervisor {

/// The unix socket over which `weir reload` and its like speak with a supervisor. Only the
/// supervisor's user and root may connect: the file's mode is 0600, and the kernel names the user
/// of each client (SO_PEERCRED). The supervisor never waits for a client.
class ControlSocket {
   public:
    /// A client that waits for its answer.
    class Client {
       public:
        explicit Client(net::UniqueFd socket) noexcept : socket_{std::move(socket)} {}
        /// Sends the answer and ends the connection.
        void answer(const Answer& answer) noexcept;
        int fd() const noexcept { return socket_.get(); }

       private:
        net::UniqueFd socket_;
    };

    static std::expected<ControlSocket, std::error_code> open(const net::Address& address);
    /// Takes the socket and the clients of the state.
    static std::expected<ControlSocket, std::error_code> resume(const State& state, Instant now);
    /// Adds the socket and its clients to the state.
    void keep(State& state) const;
    void watch(std::vector<pollfd>& watched) const;
    /// The time for the next take(), unless a descriptor is ready earlier.
    Instant next() const noexcept;
    /// Calls `ask` for each request that has arrived completely.
    void take(Instant now, const std::function<void(Request request, Client client)>& ask);
    /// Removes the file.
    void close() noexcept { listener_.close(); }

   private:
    struct Caller {
        net::UniqueFd socket;
        RequestLine line;
        Instant until;
    };

    explicit ControlSocket(net::Listener listener) noexcept : listener_{std::move(listener)} {}
    void accept(Instant now);

    net::Listener listener_;
    std::vector<Caller> callers_{};
};

/// Asks the supervisor behind the socket, and waits for its answer. The error is a sentence.
std::expected<Answer, std::string> ask(const net::Address& address, Request request,
                                       std::chrono::milliseconds patience);

}  // namespace weir::supervisor
