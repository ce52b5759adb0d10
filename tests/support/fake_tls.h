#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tls/connection/session.h"

namespace weir::tests {

/// A protocol with the shape of TLS and no secrets: records of a type, two bytes of length, and
/// content whose bits are turned over. The client says hello with the name of a protocol, the server
/// answers with its flight, the client has finished, and the server gives it a ticket.
namespace fake_tls {

enum class Type : char { handshake = 'h', data = 'd', close = 'c', update = 'u', alert = 'a' };

struct Record {
    Type type;
    std::string content;
};

std::string encode(Type type, std::string_view content);
/// The first record of `bytes`, which it takes; empty while that is not complete.
bool take(std::string_view& bytes, Record& record);

inline std::string hello(std::string_view protocol) { return encode(Type::handshake, protocol); }
inline std::string finished() { return encode(Type::handshake, "finished"); }
inline std::string data(std::string_view plain) { return encode(Type::data, plain); }
inline std::string close_notify() { return encode(Type::close, {}); }
/// Has the server answer with a record of its own.
inline std::string update() { return encode(Type::update, {}); }

inline constexpr std::string_view flight = "flight";
inline constexpr std::string_view ticket = "ticket";

}  // namespace fake_tls

class FakeSession final : public tls::Session {
   public:
    /// Its flight has so many bytes.
    explicit FakeSession(std::size_t flight_bytes = fake_tls::flight.size());

    Status shake_hands(std::string_view& in, tls::Ciphertext& out) override;
    bool is_open() const noexcept override { return is_open_; }
    std::string_view protocol() const noexcept override { return protocol_; }
    http::Security security() const override {
        return {.version = "fake", .server_name = protocol_};
    }
    Read read(std::string_view& in, std::span<char> plain, tls::Ciphertext& out) override;
    bool write(std::string_view plain, tls::Ciphertext& out) override;
    void close(tls::Ciphertext& out) noexcept override;
    void release() noexcept override { ++releases; }

    int releases = 0;

   private:
    enum class Awaits { hello, finished, data };

    /// The next record; false while it is not complete: what there is of it is kept.
    bool next(std::string_view& in, fake_tls::Record& record);
    Status flush(tls::Ciphertext& out);
    Status take_handshake(const fake_tls::Record& record);

    Awaits awaits_ = Awaits::hello;
    std::string flight_;
    std::string partial_;  // of a record
    std::string to_say_;   // what did not fit
    std::string protocol_;
    bool is_open_ = false;
};

}  // namespace weir::tests
