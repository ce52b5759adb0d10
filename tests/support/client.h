#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "net/address.h"
#include "net/unique_fd.h"
#include "support/answer.h"
#include "support/channel.h"

namespace weir::tests {

/// How a connection ended, from the client's point of view.
enum class Ending { closed, reset };

/// A client that sends exactly the given bytes, and parses answers strictly. Every wait ends after
/// `time_limit` with Unexpected. An unexpected reset also throws Unexpected.
class Client final : public Channel {
   public:
    struct Options {
        int receive_buffer_bytes = 0;  // small: the server soon has to wait; 0: the system's
                                       // default
        int send_buffer_bytes = 0;
    };

    Client(const net::Address& server, Options options);
    explicit Client(const net::Address& server) : Client{server, Options{}} {}
    /// Takes a socket that is not connected yet, for tests in which no descriptor is free later.
    explicit Client(net::UniqueFd socket) : socket_{std::move(socket)} {}

    void connect(const net::Address& server);

    bool offer(std::string_view bytes) override;
    Client& socket() override { return *this; }
    /// Sends the bytes that the socket takes at once. Returns their number.
    std::size_t send_some(std::string_view bytes);

    Answer answer(AnswerTo to = AnswerTo::get) { return read_answer(*this, to); }
    AnswerHead answer_head(AnswerTo to = AnswerTo::get) { return read_head(*this, to); }
    /// Sends one request and reads its answer.
    Answer ask(std::string_view request) {
        send(request);
        return answer();
    }

    /// Reads and discards everything that has arrived, as fast as possible: it does not even copy
    /// the bytes.
    void discard_some();

    /// Reads to the end. Appends the unread bytes to `rest` unless that is null.
    Ending ending(std::string* rest = nullptr);
    /// Waits until there is something to read or the connection ends. False if the time is up
    /// before that.
    bool readable_within(std::chrono::milliseconds time);
    /// Waits until all that was sent is in the server's socket. On a busy machine, send(2) returns before:
    /// the kernel may leave the way there to another thread (ksoftirqd).
    void await_arrival();
    /// Waits until the server has closed both directions, or reset the connection.
    void await_hang_up();

    void half_close();
    /// Closes with a reset (SO_LINGER with a time of 0).
    void reset();
    void close() { socket_.reset(); }
    int fd() const { return socket_.get(); }

   protected:
    bool fill(std::string& buffer) override;

   private:
    void wait_for(short events, const char* what);

    net::UniqueFd socket_;
};

/// A stream socket of that family that is not connected yet.
net::UniqueFd unconnected_socket(int family);
/// The same, with a free port of loopback: as long as it does not listen, connections are refused.
net::UniqueFd bound_socket();

}  // namespace weir::tests
