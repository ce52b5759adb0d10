#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "net/address.h"
#include "net/unique_fd.h"
#include "support/answer.h"
#include "support/incoming.h"

namespace weir::tests {

/// How a connection ended, as the peer sees it.
enum class Ending { closed, reset };

/// A client that sends exactly the bytes it is told, and reads strictly. Every wait ends with
/// `time_limit`, as Unexpected; so does a reset where none was asked for.
class Client final : public Incoming {
   public:
    struct Options {
        int receive_buffer_bytes = 0;  // small: the server soon has to wait; 0: the system's choice
        int send_buffer_bytes = 0;
    };

    Client(const net::Address& server, Options options);
    explicit Client(const net::Address& server) : Client{server, Options{}} {}
    /// A socket that is not connected yet: it has its descriptor when there may be none later.
    explicit Client(net::UniqueFd socket) : socket_{std::move(socket)} {}

    void connect(const net::Address& server);

    /// All of it, however long the server takes.
    void send(std::string_view bytes);
    /// The same, where the server may have closed: false then.
    bool offer(std::string_view bytes);
    /// What goes in without waiting.
    std::size_t send_some(std::string_view bytes);

    Answer answer(AnswerTo to = AnswerTo::get) { return read_answer(*this, to); }
    AnswerHead answer_head(AnswerTo to = AnswerTo::get) { return read_head(*this, to); }
    /// Sends one request and reads its answer.
    Answer ask(std::string_view request) {
        send(request);
        return answer();
    }

    /// Takes whatever has come, as fast as a peer can: unseen, not even copied.
    void discard_some();

    /// Reads to the end; what had not been taken by then goes to `rest` where that is not null.
    Ending ending(std::string* rest = nullptr);
    /// Waits until there is something to read, or the end; false where nothing came in time.
    bool readable_within(std::chrono::milliseconds time);
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

}  // namespace weir::tests
