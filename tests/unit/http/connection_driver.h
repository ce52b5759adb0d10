#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "http/http1/http1_connection.h"

namespace weir::http {

/// Takes answers and wake-ups for a connection under test; the test delivers them.
class TestPostbox final : public Postbox {
   public:
    void answer(Ticket ticket, Response&& response) override {
        answers.emplace_back(ticket, std::move(response));
    }
    void wake(Ticket ticket) override { wakes.push_back(ticket); }
    Instant now() const noexcept override { return time; }
    Instant time{std::chrono::hours{1}};
    std::vector<std::pair<Ticket, Response>> answers;
    std::vector<Ticket> wakes;
};

/// A connection in memory under virtual time: plays the engine, with a handler given as a function.
class ConnectionDriver final : public Origin, public Observer {
   public:
    using Handle = std::function<Reply(const Request&)>;

    explicit ConnectionDriver(Handle handle, Limits l = {}, Timeouts t = {})
        : limits{l}, timeouts{t}, handle_{std::move(handle)} {}

    Limits limits;
    Timeouts timeouts;
    Now now{.instant = Instant{std::chrono::hours{1}}, .unix_seconds = 784'111'777};
    std::shared_ptr<TestPostbox> postbox_made = std::make_shared<TestPostbox>();
    Workspace workspace{limits, timeouts, this};
    std::unique_ptr<Http1Connection> connection = connect();

    std::string sent;                        // all that was transmitted; file bytes as '#'
    int flushes = 0;                         // how many transmissions it took
    int handled = 0;                         // how often the handler ran
    std::size_t send_max = ~std::size_t{0};  // bytes a transmission takes; 0: the peer takes none
    std::uint64_t queued = 0;                // of what was sent, what the peer has not taken
    bool settles = false;  // settle() after every call, as a loop with many peers may
    struct Seen {
        Status status;
        Outcome outcome;
        std::uint64_t content_bytes;
        std::string target;
    };
    std::vector<Seen> seen;  // what the observer was told

    static inline http1::RowsTaken rows_taken;  // by all of them, in debug builds

    Step step() const { return connection->step(); }

    /// The peer sends; the connection is driven until it has to wait for something.
    void receive(std::string_view bytes) {
        received_.assign(bytes);  // a buffer of the engine's, gone after the next call
        connection->receive(received_, now);
        drive();
        received_.assign(received_.size(), '!');
    }
    void receive_end() {
        connection->receive_end(now);
        drive();
    }
    void pass(std::chrono::milliseconds time) {
        now.instant += time;
        postbox_made->time = now.instant;
        if (connection->deadline() <= now.instant) connection->expire(now, queued);
        drive();
    }
    /// Delivers what came into the postbox.
    void deliver() {
        for (auto& [ticket, response] : std::exchange(postbox_made->answers, {})) {
            connection->respond(ticket.request, std::move(response), now);
            drive();
        }
        for (const Ticket ticket : std::exchange(postbox_made->wakes, {}))
            connection->wake(ticket.request, now);
        drive();
    }
    std::string take_sent() { return std::exchange(sent, {}); }

    void drive() {
        for (;;) {
            if (settles) connection->settle(now);
            if (step() == Step::handle) {
                ++handled;
                const Request& request = connection->take_request();
                connection->respond(request.id(), handle_(request), now);
            } else if (step() == Step::transmit && send_max != 0) {
                send();
            } else {
                connection->settle(now);
                return;
            }
        }
    }

    void append_address(std::string& out) const override { out += "192.0.2.7"; }
    std::shared_ptr<Postbox> postbox() override { return postbox_made; }
    std::uint64_t number() const noexcept override { return 1; }
    void answered(const Answered& a) noexcept override {
        seen.push_back({a.status, a.outcome, a.content_bytes,
                        a.request ? std::string{a.request->target()} : std::string{}});
    }

   private:
    std::unique_ptr<Http1Connection> connect() {
#if !defined(NDEBUG)
        workspace.rows_taken = &rows_taken;
#endif
        return std::make_unique<Http1Connection>(workspace, *this, now);
    }
    void send() {
        const Transmission transmission = connection->transmit();
        std::string bytes;
        for (const auto part : transmission.parts) bytes += part;
        bytes.append(transmission.file.size, '#');
        if (bytes.size() > send_max) bytes.resize(send_max);
        sent += bytes;
        ++flushes;
        connection->transmitted(bytes.size(), now);
    }

    Handle handle_;
    std::string received_;
};

/// Answers "hello" with five bytes of text.
inline Reply hello(const Request&) {
    Response response;
    response.add("Content-Type", "text/plain").content(std::string{"hello"});
    return response;
}

inline const std::string date = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
inline const std::string hello_answer =
    "HTTP/1.1 200 OK\r\n" + date + "Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";

}  // namespace weir::http
