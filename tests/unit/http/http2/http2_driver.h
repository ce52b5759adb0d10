#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "http/http2/http2_connection.h"
#include "support/http2_frames.h"

namespace weir::http {

using namespace std::chrono_literals;
namespace h2 = tests::http2;

/// Takes answers and wake-ups for a connection under test; the test delivers them.
class Http2Postbox final : public Postbox {
   public:
    void answer(Ticket ticket, Response&& response) override {
        answers.emplace_back(ticket, std::move(response));
    }
    void wake(Ticket ticket) override { wakes.push_back(ticket); }
    std::vector<std::pair<Ticket, Response>> answers;
    std::vector<Ticket> wakes;
};

/// An HTTP/2 connection in memory under virtual time: plays the engine, with a handler given as a
/// function, and reads what is sent as a strict client does.
class Http2Driver final : public Origin, public Observer {
   public:
    using Handle = std::function<Reply(const Request&)>;

    explicit Http2Driver(Handle handle, Limits l = {}, Timeouts t = {}, http2::Bounds bounds = {})
        : limits{l},
          timeouts{t},
          connection{std::make_unique<Http2Connection>(workspace, *this, now, bounds)},
          handle_{std::move(handle)} {}

    Limits limits;
    Timeouts timeouts;
    Now now{.instant = Instant{std::chrono::hours{1}}, .unix_seconds = 784'111'777};
    std::shared_ptr<Http2Postbox> postbox_made = std::make_shared<Http2Postbox>();
    Workspace workspace{limits, timeouts, this};
    h2::Reader reader;
    int flushes = 0;  // how many transmissions it took
    int handled = 0;  // how often the handler ran
    std::size_t sent_bytes = 0;
    std::size_t send_max = ~std::size_t{0};  // bytes a transmission takes; 0: the peer takes none
    std::uint64_t queued = 0;                // of what was sent, what the peer has not taken
    bool handles = true;                     // false: requests are taken, and answered by the test
    bool settles = false;                    // after every call, as a loop with many peers may
    std::vector<RequestId> taken;            // while `handles` is false
    struct Seen {
        Status status;
        Outcome outcome;
        std::uint64_t content_bytes;
        std::string target;
    };
    std::vector<Seen> seen;  // what the observer was told
    std::unique_ptr<Connection> connection;

    Step step() const { return connection->step(); }
    h2::Received& stream(h2::StreamId id) { return reader.stream(id); }

    void receive(std::string_view bytes) {
        std::string buffer{bytes};  // of the engine's, gone after the next call
        if (!reads(step())) return;
        connection->receive(buffer, now);
        drive();
        buffer.assign(buffer.size(), '!');
    }
    void receive_end() {
        connection->receive_end(now);
        drive();
    }
    void pass(std::chrono::milliseconds time) {
        now.instant += time;
        if (connection->deadline() <= now.instant) connection->expire(now, queued);
        drive();
    }
    void respond(RequestId id, Reply reply) {
        connection->respond(id, std::move(reply), now);
        drive();
    }
    /// Delivers what came into the postbox.
    void deliver() {
        for (auto& [ticket, response] : std::exchange(postbox_made->answers, {}))
            respond(ticket.request, std::move(response));
        for (const Ticket ticket : std::exchange(postbox_made->wakes, {}))
            connection->wake(ticket.request, now);
        drive();
    }

    void drive() {
        for (;;) {
            if (settles) connection->settle(now);
            if (step() == Step::handle) {
                ++handled;
                const Request& request = connection->take_request();
                if (handles)
                    connection->respond(request.id(), handle_(request), now);
                else
                    taken.push_back(request.id());
            } else if (sends(step()) && send_max != 0) {
                send();
            } else {
                connection->settle(now);
                return;
            }
        }
    }

    /// Sends once, of what waits.
    void send_once(std::size_t most) {
        const std::size_t before = std::exchange(send_max, most);
        send();
        send_max = before;
    }

    void append_address(std::string& out) const override { out += "192.0.2.7"; }
    std::shared_ptr<Postbox> postbox() override { return postbox_made; }
    std::uint64_t number() const noexcept override { return 1; }
    void answered(const Answered& a) noexcept override {
        seen.push_back({a.status, a.outcome, a.content_bytes,
                        a.request ? std::string{a.request->target()} : std::string{}});
    }

   private:
    void send() {
        const Transmission transmission = connection->transmit();
        std::string bytes;
        for (const auto part : transmission.parts) bytes += part;
        bytes.append(transmission.file.size, '#');
        if (bytes.size() > send_max) bytes.resize(send_max);
        sent_bytes += bytes.size();
        ++flushes;
        reader.take(bytes);
        connection->transmitted(bytes.size(), now);
    }

    Handle handle_;
};

/// Answers "hello" with five bytes of text.
inline Reply hello2(const Request&) {
    Response response;
    response.add("Content-Type", "text/plain").content(std::string{"hello"});
    return response;
}

}  // namespace weir::http
