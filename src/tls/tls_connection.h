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
#include "http/connection.h"
#include "tls/session.h"

namespace weir::tls {

/// What the TLS connections of one thread share, one of them at a time: they need it only while they
/// are being driven.
struct Buffers {
    static constexpr std::size_t records_max = 4;
    static constexpr std::size_t cipher_bytes =
        (records_max + 1) * (record_plain_max + record_overhead_max);

    std::array<char, record_plain_max> plain;   // decrypted, and borrowed by the protocol inside
    std::array<char, record_plain_max> gather;  // pieces of one record that is to be encrypted
    std::array<char, cipher_bytes> cipher;      // encrypted, and not settled
};

/// A connection around a connection. The engine sees ciphertext, the protocol inside sees plaintext,
/// and both speak the same contract.
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
    /// After the handshake: makes the protocol that ALPN chose.
    using MakeInner = std::function<std::unique_ptr<http::Connection>(const Session&, Now)>;
    struct Options {
        std::chrono::milliseconds handshake_timeout{10'000};
        Budget* memory = nullptr;  // for what it keeps when the engine turns elsewhere; may be null
    };

    TlsConnection(std::unique_ptr<Session> session, MakeInner make_inner, Buffers& buffers,
                  Options options, Now now);

   private:
    enum class Phase : std::uint8_t {
        handshake,
        open,
        farewell,  // the last ciphertext is sent: an alert. Then it closes.
        closed,
    };

    http::Standing do_standing() const noexcept override;
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
    void do_retire(Now now) override;
    void do_fail(http::Outcome why, Now now) override;
    void do_settle(Now now) override;

    void advance(Now now);
    void show_step() noexcept;
    http::Step next_step() const noexcept;
    bool shake_hands(Now now);
    void open(Now now);
    bool decrypt(Now now);
    Session::Read read_record();
    void encrypt(Now now);
    bool encrypt_record(const http::Transmission& what, std::size_t size, Now now);
    std::string_view gather(const http::Transmission& what, std::size_t size) noexcept;

    void say_close() noexcept;
    void end(Now now) noexcept;
    void break_off(Now now);
    void part(Now now) noexcept;
    void close() noexcept;

    void begin_batch() noexcept;
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

    std::unique_ptr<Session> session_;
    std::unique_ptr<http::Connection> inner_;  // null during the handshake
    MakeInner make_inner_;
    Buffers& buffers_;
    Ciphertext cipher_;  // where the batch grows
    Batch batch_;
    std::uint64_t ahead_ =
        0;  // bytes of the inner transmission that are encrypted, and not told as sent
    std::string_view input_;  // received, not yet decrypted
    std::string kept_input_;
    std::string kept_output_;
    std::string replies_;  // of the session itself, while a sealed batch is being sent
    Share share_;
    Phase phase_ = Phase::handshake;
    bool is_retired_ = false;
    bool wants_room_ = false;   // the handshake, for what it has to say
    bool input_ended_ = false;  // by the peer's close_notify
    bool said_close_ = false;   // ours
};

}  // namespace weir::tls
