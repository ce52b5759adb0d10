#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "weir/http/origin.h"

namespace weir::tls {

/// The largest plaintext of a record (RFC 8446 5.1), and the most bytes that a record adds to it:
/// its header, type, padding of CBC, MAC or tag, explicit IV.
constexpr std::size_t record_plain_max = 16 * 1024;
constexpr std::size_t record_overhead_max = 256;

/// The protocol by which a CA verifies that a server has a name (RFC 8737 4). It ends with the
/// handshake: it carries no data.
constexpr std::string_view challenge_protocol = "acme-tls/1";

/// A buffer of fixed size for ciphertext. It borrows its memory.
class Ciphertext {
   public:
    Ciphertext() = default;
    explicit Ciphertext(std::span<char> room) noexcept : room_{room} {}

    /// Takes as many bytes as fit, and returns their number.
    std::size_t append(std::string_view bytes) noexcept {
        const std::size_t size = bytes.size() < left() ? bytes.size() : left();
        if (size == 0) return 0;  // the buffer may be null, which memcpy(3) does not allow
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
/// Calls come from one thread at a time. All arguments are borrowed for the call. After a failure,
/// the destructor is the only call.
class Session {
   public:
    enum class Status : std::uint8_t {
        going_on,     // call again
        wants_input,  // all of `in` is taken, and more is needed
        wants_room,   // `out` is full: call again with a buffer that is not full
        ended,        // the peer sends no more (it sent close_notify)
        failed,       // `out` may have an alert for the peer
    };
    struct Read {
        Status status = Status::wants_input;
        std::size_t size = 0;  // of plaintext
    };

    virtual ~Session() = default;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Goes on with the handshake: takes bytes from the front of `in`, and appends to `out`.
    /// Returns `going_on` once the handshake is complete; is_open() is true then.
    virtual Status shake_hands(std::string_view& in, Ciphertext& out) = 0;
    virtual bool is_open() const noexcept = 0;
    /// After the handshake: the protocol that ALPN chose; empty for none (RFC 7301). The text lives
    /// as long as the session.
    virtual std::string_view protocol() const noexcept = 0;
    /// After the handshake. The texts live as long as the session. Version and cipher are static
    /// memory.
    virtual http::Security security() const = 0;

    /// Takes records from the front of `in`, until there is plaintext. Writes this into `plain`,
    /// and returns `going_on` with its size. `plain` has memory for a record. Messages of TLS
    /// itself to the peer go to `out`.
    virtual Read read(std::string_view& in, std::span<char> plain, Ciphertext& out) = 0;
    /// Appends one record of `plain`, which has 1 to record_plain_max bytes, to `out`, which has
    /// memory for the record. False if the library failed.
    virtual bool write(std::string_view plain, Ciphertext& out) = 0;
    /// Appends the alert close_notify. No write() follows.
    virtual void close(Ciphertext& out) noexcept = 0;
    /// The connection waits: frees the memory that a waiting session does not need.
    virtual void release() noexcept = 0;

   protected:
    Session() = default;
};

}  // namespace weir::tls
