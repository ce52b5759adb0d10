#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/budget.h"
#include "http/workspace.h"
#include "tls/connection/handshake_limiter.h"
#include "tls/connection/secure_origin.h"
#include "tls/connection/session.h"
#include "weir/http/connection.h"

namespace weir::tls {

/// Memory that the TLS connections of one thread share, one of them at a time: a connection needs
/// it only while it is driven.
struct Buffers final : http::ThreadParts {
    static constexpr std::size_t records_max = 4;
    static constexpr std::size_t cipher_bytes =
        (records_max + 1) * (record_plain_max + record_overhead_max);

    HandshakeLimiter limiter;
    std::array<char, record_plain_max> plain;   // decrypted; the inner protocol borrows it
    std::array<char, record_plain_max> gather;  // the pieces of the next record to encrypt
    std::array<char, cipher_bytes> cipher;      // encrypted, before take_ownership()
};

/// Functions and settings of all TLS connections of a server, or of one connection to another
/// server. Must outlive the connections.
struct TlsFactories {
    /// Called for the first bytes of a connection; by a client, at once.
    std::function<std::unique_ptr<Session>()> session;
    /// Called after the handshake, with the protocol that ALPN chose. The name is empty if ALPN
    /// chose none.
    std::function<std::unique_ptr<http::Connection>(std::string_view name, http::Workspace&,
                                                    http::Origin&, Now)>
        protocol;
    std::chrono::milliseconds handshake_timeout{10'000};  // 0: no limit
    std::uint32_t handshakes_max = 512;                   // under way, on one thread
    bool is_client = false;                               // begins the handshake
    /// Called when a handshake fails; may be null.
    std::function<void(const Session&)> refused{};
};

/// A connection around a connection. The engine sees ciphertext, the inner protocol sees plaintext,
/// and both use the contract of http::Connection.
///
/// Handshake: on a server, it begins with the first bytes, once HandshakeLimiter permits it. Until
/// then the connection has no session, and waits. A client begins it at once.
///
/// Reading: the connection decrypts one record at a time, and only when the inner protocol reads.
/// The remaining input stays borrowed until take_ownership().
///
/// Sending: the connection encrypts the data of the inner protocol, four records at most, sends
/// them all, and reports each record that was sent whole. So the inner protocol counts only bytes
/// that were sent.
///
/// End: the last response and close_notify leave together. If a peer goes without close_notify, an
/// attacker may have cut the connection (RFC 8446 6.1), so the last input may be incomplete.
class TlsConnection : public http::Connection {
   public:
    /// All arguments must outlive the connection. `workspace.layer` is a Buffers.
    TlsConnection(const TlsFactories& factories, http::Workspace& workspace, http::Origin& origin,
                  Now now);

   private:
    enum class Phase : std::uint8_t {
        arrival,  // there is no session
        handshake,
        open,
        closing,  // the last ciphertext is sent
        drain,    // the input is discarded, so that the peer sees the last ciphertext and no reset
        closed,
    };

    http::CloseImpact do_close_impact() const noexcept override;
    const http::Request& do_take_request() override;
    bool do_awaits(http::RequestId id) const noexcept override;
    http::Transmission do_transmit() override;
    void do_receive(std::string_view bytes, Now now) override;
    void do_receive_end(Now now) override;
    void do_respond(http::RequestId id, http::Reply&& reply, Now now) override;
    void do_wake(http::RequestId id, Now now) override;
    void do_transmitted(std::uint64_t size, Now now) override;
    void do_expire(Now now, std::uint64_t queued) override;
    void do_turn_away(Now now) override;
    void do_evict(Now now) override;
    void do_retire(Now now) override;
    void do_fail(http::Outcome why, Now now) override;
    void do_take_ownership(Now now) override;

    bool is_before_open() const noexcept { return phase_ <= Phase::handshake; }
    void advance(Now now);
    bool go_on(Now now);
    void show_step() noexcept;
    http::Step next_step() const noexcept;
    bool arrive(Now now);
    void begin_as_client(Now now);
    bool shake_hands(Now now);
    void open(Now now);
    bool decrypt(Now now);
    Session::Read read_record();
    void encrypt(Now now);
    bool encrypt_record(const http::Transmission& what, std::size_t size, Now now);
    std::string_view gather(const http::Transmission& what, std::size_t size) noexcept;

    void refuse_plain(Now now) noexcept;
    void say_close() noexcept;
    void end(Now now) noexcept;
    void break_off(Now now);
    void begin_close(Now now, bool lingers) noexcept;
    void close() noexcept;

    Buffers& buffers() const noexcept { return static_cast<Buffers&>(*workspace_.layer); }
    void begin_batch() noexcept;
    void take_memory();
    void keep_output();
    void keep_input();

    /// A record of a batch.
    struct Record {
        std::uint32_t ends_at;  // in bytes of ciphertext, from the start of the batch
        std::uint32_t plain;    // the size of its plaintext in bytes
    };
    /// Ciphertext that is sent together: in Buffers::cipher until take_ownership(), then in
    /// `kept_output_`.
    struct Batch {
        std::string_view unsent;
        std::uint32_t sent = 0;
        std::array<Record, Buffers::records_max> records;
        std::uint8_t count = 0;  // of records that were not reported as sent
        bool is_sealed = false;  // transmit() has returned the bytes, so the batch must not grow
        bool ends = false;       // the last record is close_notify, an alert or a refusal
    };

    const TlsFactories& factories_;
    http::Workspace& workspace_;
    http::Origin& origin_;
    std::unique_ptr<Session> session_;  // null in Phase::arrival
    std::shared_ptr<SecureOrigin> inner_origin_;
    std::unique_ptr<http::Connection> inner_;  // null until the handshake is complete
    HandshakeLimiter::Permit permit_;          // during the handshake
    Instant give_up_ = never;                  // the deadline of the handshake
    Ciphertext cipher_;                        // the growing batch
    Batch batch_;
    /// Bytes of the inner transmission that are encrypted, but not reported as sent.
    std::uint64_t ahead_ = 0;
    std::string_view input_;  // received, not yet decrypted
    std::string kept_input_;
    std::string kept_output_;
    std::string replies_;  // messages of the session itself that wait for a sealed batch
    Share share_;
    Phase phase_ = Phase::arrival;
    bool is_retired_ = false;
    bool was_held_up_ = false;  // the limiter was full
    bool wants_room_ = false;   // the handshake has more output than the buffer could take
    bool input_ended_ = false;  // by the peer's close_notify
    bool said_close_ = false;   // the server's close_notify is in the batch
    bool lingers_ = false;      // Phase::drain follows Phase::closing
};

}  // namespace weir::tls
