#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "weir/http/origin.h"

namespace weir::tls {

/// The largest plaintext of a record (RFC 8446 5.1), and what a record adds to it at most: its
/// header, type, padding of CBC, MAC or tag, explicit IV.
constexpr std::size_t record_plain_max = 16 * 1024;
constexpr std::size_t record_overhead_max = 256;

/// Room for ciphertext, and how much of it is used. It never grows.
class Ciphertext {
   public:
    Ciphertext() = default;
    explicit Ciphertext(std::span<char> room) noexcept : room_{room} {}

    /// Takes as much as there is room for, and returns how much that was.
    std::size_t append(std::string_view bytes) noexcept {
        const std::size_t size = bytes.size() < left() ? bytes.size() : left();
        if (size == 0) return 0;  // there may be no room at all, which memcpy(3) doesn't like
        std::memcpy(room_.data() + used_, bytes.data(), size);
        used_ += size;
        return size;
    }
    std::string_view bytes() const noexcept { return {room_.data(), used_}; }
    std::size_t size() const noexcept { return used_; }
    std::size_t left() const noexcept { return room_.size() - used_; }

   private:
    std::span<char> room_;
    std::size_t used_ = 0;
};

/// The server's side of a TLS connection, without I/O: ciphertext becomes plaintext, and plaintext
/// becomes ciphertext. OpenSSL implements it, tests fake it, and another library could.
///
/// Calls come from one thread at a time. No call keeps what it is given. A session that has failed
/// is only asked for no more than its destruction.
class Session {
   public:
    enum class Status : std::uint8_t {
        going_on,     // call again
        wants_input,  // all of `in` is taken, and more is needed
        wants_room,   // `out` is full: call again with room in it
        ended,        // the peer has said that it sends no more (close_notify)
        failed,       // `out` may have an alert for the peer
    };
    struct Read {
        Status status = Status::wants_input;
        std::size_t size = 0;  // of plaintext
    };

    virtual ~Session() = default;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Goes on with the handshake: takes from the front of `in`, appends to `out`. Says `going_on`
    /// once it is complete: then is_open().
    virtual Status shake_hands(std::string_view& in, Ciphertext& out) = 0;
    virtual bool is_open() const noexcept = 0;
    /// After the handshake: the protocol that ALPN chose; empty for none (RFC 7301). It lives as
    /// long as the session.
    virtual std::string_view protocol() const noexcept = 0;
    /// After the handshake. The text lives as long as the session, and that of version and cipher for
    /// ever.
    virtual http::Security security() const = 0;

    /// Takes records from the front of `in`, until there is plaintext, which it writes into `plain`:
    /// then `going_on`, with its size. `plain` has room for a record. What the protocol itself
    /// answers goes to `out`.
    virtual Read read(std::string_view& in, std::span<char> plain, Ciphertext& out) = 0;
    /// Appends one record of `plain`, which has 1 to record_plain_max bytes, to `out`, which has room
    /// for it. False where that failed.
    virtual bool write(std::string_view plain, Ciphertext& out) = 0;
    /// Appends the alert close_notify: nothing is written after it.
    virtual void close(Ciphertext& out) noexcept = 0;
    /// The connection rests: gives back what a session at rest does not need.
    virtual void release() noexcept = 0;

   protected:
    Session() = default;
};

}  // namespace weir::tls
