#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "support/answer.h"
#include "support/channel.h"
#include "support/client.h"

namespace weir::tests {

/// The client's side of what is between a socket and HTTP: TLS, or a fake of it.
class Wire {
   public:
    virtual ~Wire() = default;
    /// What came from the server.
    virtual void give(std::string_view ciphertext) = 0;
    /// What is to be sent to it, and was not taken before.
    virtual std::string take() = 0;
    virtual bool is_open() = 0;
    virtual void write(std::string_view plain) = 0;
    /// All that was decrypted, and was not read before.
    virtual std::string read() = 0;
    /// The server has said that this is the end (close_notify).
    virtual bool was_closed() = 0;
};

/// They ask for this protocol (ALPN).
std::unique_ptr<Wire> make_fake_wire(std::string_view protocol);
std::unique_ptr<Wire> make_openssl_wire(std::string_view protocol);

/// A client over a socket, with a Wire between. Every wait ends with `time_limit`, as Unexpected.
class SecureClient final : public Channel {
   public:
    SecureClient(Client socket, std::unique_ptr<Wire> wire)
        : socket_{std::move(socket)}, wire_{std::move(wire)} {}

    /// Until the handshake is complete. In pieces of `size` bytes, where that is not 0.
    void shake_hands(std::size_t size = 0);
    /// In pieces of `size` bytes.
    void send_in_pieces(std::string_view plain, std::size_t size) {
        wire_->write(plain);
        flush(size);
    }
    bool offer(std::string_view plain) override {
        wire_->write(plain);
        return socket_.offer(wire_->take());
    }
    Answer answer() { return read_answer(*this, AnswerTo::get); }
    AnswerHead answer_head() { return read_head(*this, AnswerTo::get); }
    Answer ask(std::string_view request) {
        send(request);
        return answer();
    }
    /// Reads to the end. True if the server has said that it is one.
    bool ends_with_word() {
        while (read_some()) {}
        return wire_->was_closed();
    }
    Wire& wire() { return *wire_; }
    Client& socket() override { return socket_; }
    void flush(std::size_t size = 0);

   private:
    bool fill(std::string& buffer) override;
    bool read_some();

    Client socket_;
    std::unique_ptr<Wire> wire_;
};

}  // namespace weir::tests
