#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "http/client/exchange.h"
#include "http/client/request_out.h"
#include "http/client/response_head.h"
#include "http/content/chunked_decoder.h"
#include "weir/http/connection.h"
#include "weir/http/limits.h"

namespace weir::http::client {

/// Limits on the time of another server. Zero switches a timer off.
struct ClientTimeouts {
    /// Until the first byte of the first request has left.
    std::chrono::milliseconds connect{10'000};
    /// The longest time in which the server takes no byte of a request.
    std::chrono::milliseconds transmit{30'000};
    /// From the last byte of the request to the end of the head of its response.
    std::chrono::milliseconds response{60'000};
    /// The longest pause within the content of a response, while the user takes bytes.
    std::chrono::milliseconds content{0};
    /// Of a request with Expect, until its content is sent without a 100 (RFC 9110 10.1.1).
    std::chrono::milliseconds expectation{1'000};
    /// The longest pause between two exchanges.
    std::chrono::milliseconds keep_alive{60'000};
};

/// The client's side of HTTP/1.1 (RFC 9112): requests out, responses in, one after the other. The
/// contract between a protocol and the engines is the server's: an engine drives a socket that
/// connects or is connected. The connection is never at `handle`.
class ClientConnection final : public Connection {
   public:
    /// `origin` must outlive the connection.
    ClientConnection(std::shared_ptr<Exchanges> exchanges, Origin& origin, const Limits& limits,
                     const ClientTimeouts& timeouts, Now now);
    ~ClientConnection() override;

   private:
    enum class Phase : std::uint8_t { idle, head, content, tunnel };

    CloseImpact do_close_impact() const noexcept override;
    const Request& do_take_request() override;
    bool do_awaits(RequestId) const noexcept override { return false; }
    Transmission do_transmit() override;
    void do_receive(std::string_view bytes, Now now) override;
    void do_receive_end(Now now) override;
    void do_respond(RequestId, Reply&&, Now) override {}
    void do_wake(RequestId id, Now now) override;
    void do_transmitted(std::uint64_t size, Now now) override;
    void do_expire(Now now, std::uint64_t queued) override;
    void do_turn_away(Now now) override { do_fail(Outcome::stopped, now); }
    void do_retire(Now now) override;
    void do_fail(Outcome why, Now now) override;
    void do_take_ownership(Now) override {}  // nothing is borrowed

    // client_connection.cpp: the steps
    Waker waker();
    void begin(std::shared_ptr<Exchange> next, Now now);
    void go_on(Now now);
    void fill(const Exchange::Wanted& wanted, Now now);
    Instant due(bool sends) const noexcept;
    void offer() noexcept;
    void end_exchange(std::string trailers, Now now);
    void close(Failure failure) noexcept;

    // response_reader.cpp: the bytes of the response
    std::string_view take_head(std::string_view bytes, Now now);
    HeadParser::Result parse_with_mended_white_space(std::string_view bytes);
    void take_interim(const char* head, Now now);
    void take_final(const char* head, Now now);
    std::string_view take_content(std::string_view bytes, Now now);
    std::string_view take_chunks(std::string_view bytes, Now now);
    void note_keep_alive(const char* head) noexcept;

    const std::shared_ptr<Exchanges> exchanges_;
    Origin& origin_;
    const Limits limits_;
    const ClientTimeouts timeouts_;
    std::shared_ptr<Exchange> exchange_;  // null while idle
    RequestOut request_;
    Instant sent_at_{};          // the time of the last progress
    Instant content_from_{};     // content waits for a 100 until then
    std::uint64_t queued_ = 0;   // the bytes that the server had not taken at the last look
    bool is_connected_ = false;  // a byte has left

    // The response.
    Phase phase_ = Phase::idle;
    std::string early_;  // bytes of a head that is not complete
    ResponseHead head_;
    ChunkedDecoder chunks_;
    ResponseFraming framing_;
    std::uint64_t content_left_ = 0;
    Instant due_ = never;  // of the next bytes of the response, or of the next exchange
    std::chrono::milliseconds keep_alive_;
    bool has_ended_ = false;  // the server sends no more
    bool is_reused_ = false;  // an exchange has ended on this connection
    bool is_kept_ = false;    // was offered for the next exchange
    bool is_retired_ = false;
};

}  // namespace weir::http::client
