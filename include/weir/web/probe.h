#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/http/handler.h"
#include "weir/http/limits.h"

namespace weir::web {

/// Tests a handler without a socket: a router, a site, or any other. It speaks HTTP/1.1 with the same
/// protocol core as a server, and its clock stands still until the test turns it. An exception of
/// the handler is a 500, as with a server. Only one thread may use it; answers and wake-ups may
/// come from any.
class Probe {
   public:
    using Fields = std::vector<std::pair<std::string, std::string>>;

    struct Answer {
        unsigned status = 0;  // 0: the peer got no answer
        Fields fields{};
        std::string content{};
        bool is_complete = false;

        /// The value of the first field with that name; empty if there is none.
        std::string_view field(std::string_view name) const noexcept;
    };

    /// One request on a connection of its own. Must not outlive its probe.
    class Exchange {
       public:
        Exchange(Exchange&&) noexcept;
        Exchange& operator=(Exchange&&) = delete;
        ~Exchange();

        /// What has come so far, without waiting: with the content of a stream up to now.
        Answer answer();
        /// Waits until the answer is complete or the connection has closed. It may have to wait for
        /// another thread: after ten seconds, it throws std::runtime_error. It never waits for the
        /// clock: see advance().
        Answer wait();
        /// Waits until the content of the answer has that text in it; as wait() otherwise.
        Answer wait_for(std::string_view text);
        /// Bytes of the request's content, for a request with a Content-Length that is longer than
        /// what was sent; or anything else. Behind an answer of 101, the frames of a WebSocket: those
        /// of the server are in Answer::content, which is complete when the server has ended.
        void send(std::string_view bytes);
        /// The peer sends no more, and still reads.
        void end();
        /// The peer leaves.
        void leave();
        /// The peer takes nothing more; or again as much as there is.
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

    /// Asks, and waits for the whole answer; see Exchange::wait(). `target` as in a request line:
    /// "/users?all". "Host: localhost" is sent, unless `fields` has another one.
    Answer get(std::string_view target, const Fields& fields = {});
    Answer post(std::string_view target, std::string_view content,
                std::string_view media_type = "application/x-www-form-urlencoded",
                Fields fields = {});
    Answer ask(std::string_view method, std::string_view target, const Fields& fields = {},
               std::optional<std::string_view> content = {});
    /// The same without waiting.
    Exchange open(std::string_view method, std::string_view target, const Fields& fields = {},
                  std::optional<std::string_view> content = {});

    /// The same for a peer that takes nothing of its answer; see Exchange::take().
    Exchange open_blocked(std::string_view method, std::string_view target,
                          const Fields& fields = {});

    /// Turns the clock on, to each deadline on the way. It starts at one hour, and at
    /// 1994-11-06T08:49:37Z.
    void advance(std::chrono::milliseconds time);

   private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace weir::web
