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
#include "tls/connection/handshake_gate.h"
#include "tls/connection/secure_origin.h"
#include "tls/connection/session.h"
#include "weir/http/connection.h"

namespace weir::tls {

/// What the TLS connections of one thread share, one of them at a time: they need it only while they
/// are being driven.
struct Buffers final : http::ThreadParts {
    static constexpr std::size_t records_max = 4;
    static constexpr std::size_t cipher_bytes =
        (records_max + 1) * (record_plain_max + record_overhead_max);

    HandshakeGate gate;
    std::array<char, record_plain_max> plain;   // decrypted, and borrowed by the protocol inside
    std::array<char, record_plain_max> gather;  // pieces of one record that is to be encrypted
    std::array<char, cipher_bytes> cipher;      // encrypted, and not settled
};

/// What all TLS connections of a server have in common. It lives longer than they.
struct Makers {
    /// Once the first bytes have come.
    std::function<std::unique_ptr<Session>()> session;
    /// After the handshake: the protocol that ALPN chose. Its name is empty where that chose none.
    std::function<std::unique_ptr<http::Connection>(std::string_view name, http::Workspace&,
                                                    http::Origin&, Now)>
        protocol;
    std::chrono::milliseconds handshake_timeout{10'000};  // 0: no limit
    std::uint32_t handshakes_max = 512;                   // at work, on one thread
};

/// A connection around a connection. The engine sees ciphertext, the protocol inside sees plaintext,
/// and both speak the same contract.
///
/// The handshake: it begins with the first bytes, once the gate lets it in. Until then the
/// connection has no session, and waits.
///
/// Reading: it decrypts one record at a time, and only when the protocol inside reads. The rest of
/// what was received stays borrowed until settle().
///
/// Sending: it encrypts what the protocol inside wants to send, four records at most, sends them
/// all, and tells it of each record that was sent whole. So what is counted as sent was sent.
///
/// The end: the last answer and close_notify leave together. A peer that goes without close_notify
/// has cut the connection (RFC 8446 6.1): what it sent last may be incomplete.
class TlsConnection final : public http::Connection {
   public:
    /// All of them outlive it. `workspace.layer` is a Buffers.
    TlsConnection(const Makers& makers, http::Workspace& workspace, http::Origin& origin, Now now);

   private:
    enum class Phase : std::uint8_t {
        arrival,  // there is no session
        handshake,
        open,
        farewell,  // the last ciphertext is sent
        drain,     // what the peer has sent is thrown away, so that it sees what was said to it
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
    void do_settle(Now now) override;

    bool is_before_open() const noexcept { return phase_ <= Phase::handshake; }
    void advance(Now now);
    bool go_on(Now now);
    void show_step() noexcept;
    http::Step next_step() const noexcept;
    bool arrive(Now now);
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
    void part(Now now, bool lingers) noexcept;
    void close() noexcept;

    Buffers& buffers() const noexcept { return static_cast<Buffers&>(*workspace_.layer); }
    void begin_batch() noexcept;
    void take_memory();
    void keep_output();
    void keep_input();

    /// So much ciphertext, counted from the start of the batch, carries so much plaintext.
    struct Record {
        std::uint32_t ends_at;
        std::uint32_t plain;
    };
    /// Ciphertext that is sent together: in Buffers::cipher until it is settled, then in `kept_output_`.
    struct Batch {
        std::string_view unsent;
        std::uint32_t sent = 0;
        std::array<Record, Buffers::records_max> records;
        std::uint8_t count = 0;  // of records whose plaintext is not told as sent
        bool is_sealed = false;  // transmit() has named its bytes: nothing is added
        bool ends = false;       // close_notify is its last record
    };

    const Makers& makers_;
    http::Workspace& workspace_;
    http::Origin& origin_;
    std::unique_ptr<Session> session_;  // null on arrival
    std::shared_ptr<SecureOrigin> inner_origin_;
    std::unique_ptr<http::Connection> inner_;  // null until the handshake is complete
    HandshakeGate::Place place_;               // while it shakes hands
    Instant give_up_ = never;                  // until the handshake is complete
    Ciphertext cipher_;                        // where the batch grows
    Batch batch_;
    /// Bytes of the inner transmission that are encrypted, and not told as sent.
    std::uint64_t ahead_ = 0;
    std::string_view input_;  // received, not yet decrypted
    std::string kept_input_;
    std::string kept_output_;
    std::string replies_;  // of the session itself, while a sealed batch is being sent
    Share share_;
    Phase phase_ = Phase::arrival;
    bool is_retired_ = false;
    bool was_held_up_ = false;  // on arrival, by the number of handshakes at work
    bool wants_room_ = false;   // the handshake, for what it has to say
    bool input_ended_ = false;  // by the peer's close_notify
    bool said_close_ = false;   // ours
    bool lingers_ = false;      // after the farewell: Phase::drain
};

}  // namespace weir::tls
