#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/http/handler.h"
#include "weir/http/limits.h"
#include "weir/http/origin.h"

namespace weir::web {

/// Tests a handler without a socket: a router, a site, or any other. The probe speaks HTTP/1.1, or
/// HTTP/2, with the same protocol core as a server, and its clock stands still until the test
/// advances it. An exception of the handler is a 500, as with a server. Only one thread may use a
/// probe; responses and wake-ups may come from any thread.
class Probe {
   public:
    using Fields = std::vector<std::pair<std::string, std::string>>;

    struct Answer {
        unsigned status = 0;  // 0: the peer got no response
        Fields fields{};
        std::string content{};
        bool is_complete = false;
        std::vector<Fields> hints{};  // of each 103 before it; see early_hints()

        /// The value of the first field with that name; empty if there is none.
        std::string_view field(std::string_view name) const noexcept;
    };

    /// One request on a connection of its own. It may outlive its probe, but not the handler.
    class Exchange {
       public:
        Exchange(Exchange&&) noexcept;
        Exchange& operator=(Exchange&&) = delete;
        ~Exchange();

        /// The part of the response that has come, without waiting. The content of a stream may
        /// grow later.
        Answer answer();
        /// Waits until the response is complete or the connection has closed. If another thread has
        /// to do something first and takes more than ten seconds, throws std::runtime_error. Never
        /// waits for the clock: see advance().
        Answer wait();
        /// Waits until the content of the response contains `text`; otherwise as wait().
        Answer wait_for(std::string_view text);
        /// Waits until the content has that many bytes; otherwise as wait(). 0: until the head is
        /// there.
        Answer wait_for_bytes(std::size_t content_bytes);
        /// Sends bytes of the request's content, for a request with a Content-Length that is longer
        /// than the content so far; or any other bytes. After a response of 101, sends bytes of the
        /// other protocol: those of the server are in Answer::content, which is complete when the
        /// server has ended. For WebSockets, see weir/web/probe_socket.h.
        void send(std::string_view bytes);
        /// The peer sends no more, but still reads. Over HTTP/2, that is the end of the content.
        void end();
        /// The peer leaves.
        void leave();
        /// Plays the stop of the server: requests under way go on, and streams hear of it.
        void stop_server();
        /// False: the peer reads nothing more. True: it reads all there is.
        void take(bool takes);

       private:
        friend class Probe;
        struct Peer;
        explicit Exchange(std::unique_ptr<Peer> peer) noexcept;
        std::unique_ptr<Peer> peer_;
    };

    explicit Probe(http::Handler& handler, http::Limits limits = {}, http::Timeouts timeouts = {});
    ~Probe();
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;

    /// Requests from now on are of this protocol, each on a connection of its own. Over HTTP/2,
    /// names of fields are in lower case, and a request with Upgrade is an extended CONNECT (RFC
    /// 8441), whose success is a 101 in the Answer, too.
    enum class Protocol : unsigned char { http1, http2 };
    void speak(Protocol protocol);
    /// Requests from now on come through TLS, as far as handlers can tell: Origin::security(). The
    /// text must live as long as the probe.
    void encrypt(const http::Security& security = {.version = "TLSv1.3"});
    /// Requests of a web::Client go to this handler, which plays all other servers, by HTTP/1.1:
    /// Host names the one that is meant. It must outlive the probe's exchanges. Without it, no
    /// server can be reached.
    void play_other_servers(http::Handler& handler);

    /// Sends a request, and waits for the whole response; see Exchange::wait(). `target` as in a
    /// request line: "/users?all". "Host: localhost" is sent, unless `fields` has another one.
    Answer get(std::string_view target, const Fields& fields = {});
    Answer post(std::string_view target, std::string_view content,
                std::string_view media_type = "application/x-www-form-urlencoded",
                Fields fields = {});
    Answer ask(std::string_view method, std::string_view target, const Fields& fields = {},
               std::optional<std::string_view> content = {});
    /// The same without waiting.
    Exchange open(std::string_view method, std::string_view target, const Fields& fields = {},
                  std::optional<std::string_view> content = {});

    /// The same for a peer that reads nothing of its response; see Exchange::take().
    Exchange open_blocked(std::string_view method, std::string_view target,
                          const Fields& fields = {});

    /// Advances the clock, and stops at each deadline on the way. The clock starts at one hour, and
    /// at 1994-11-06T08:49:37Z.
    void advance(std::chrono::milliseconds time);

    /// The failures that a server would log so far, in order: "the handler threw an exception for
    /// GET /x: no luck".
    const std::vector<std::string>& failures() const noexcept;

   private:
    struct State;
    Exchange open(std::string_view method, std::string_view target, const Fields& fields,
                  std::optional<std::string_view> content, bool takes);

    std::shared_ptr<State> state_;
};

}  // namespace weir::web
