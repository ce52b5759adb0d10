#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/http/connection.h"

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

/// Plays the engine of one connection in memory, under virtual time, with a handler given as a
/// function. The driver of a protocol makes the connection, and reads what is sent.
class Driver : public Origin, public Observer {
   public:
    using Handle = std::function<Reply(const Request&)>;

    Limits limits;
    Timeouts timeouts;
    Now now{.instant = Instant{std::chrono::hours{1}}, .unix_seconds = 784'111'777};
    std::shared_ptr<TestPostbox> postbox_made = std::make_shared<TestPostbox>();
    Workspace workspace{limits, timeouts, this};

    std::vector<std::size_t> flushes;        // the bytes of each transmission
    int handled = 0;                         // how often the handler ran
    std::size_t send_max = ~std::size_t{0};  // bytes a transmission takes; 0: the peer takes none
    std::uint64_t queued = 0;                // of what was sent, what the peer has not taken
    bool handles = true;                     // false: requests are taken, and answered by the test
    std::vector<RequestId> taken;            // while `handles` is false
    bool settles = false;                    // after every call, as a loop with many peers may
    struct Seen {
        Status status;
        Outcome outcome;
        std::uint64_t content_bytes;
        std::string target;
    };
    std::vector<Seen> seen;   // what the observer was told
    std::int64_t active = 0;  // the requests under way, as the observer knows them

    std::unique_ptr<Connection> connection;  // the last: its end tells the observer

    Step step() const { return connection->step(); }

    /// The peer sends; the connection is driven until it has to wait for something.
    void receive(std::string_view bytes) {
        received_.assign(bytes);  // a buffer of the engine's, gone after the next call
        if (!reads(step())) return;
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
    /// As another thread does.
    void wake(RequestId id = 1) {
        postbox_made->wake({1, id});
        deliver();
    }

    void drive() {
        for (;;) {
            if (settles) take_ownership();
            if (step() == Step::handle) {
                handle();
            } else if (sends(step()) && send_max != 0) {
                send();
            } else if (!take_ownership()) {
                return;
            }
        }
    }
    void send() {
        const Transmission transmission = connection->transmit();
        std::string bytes;
        for (const auto part : transmission.parts) bytes += part;
        bytes.append(transmission.file.size, '#');
        fin_sent_ = transmission.ends && bytes.size() <= send_max;
        if (bytes.size() > send_max) bytes.resize(send_max);
        flushes.push_back(bytes.size());
        has_sent(bytes);
        connection->transmitted(bytes.size(), now);
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
        if (a.request) --active;
    }
    bool counts_active() const noexcept override { return true; }
    void begun(std::uint32_t requests) noexcept override { active += requests; }
    void dropped() noexcept override { --active; }

   protected:
    Driver(Handle handle, Limits l, Timeouts t)
        : limits{l}, timeouts{t}, handle_{std::move(handle)} {}
    ~Driver() {
        connection.reset();
        if (active == 0) return;
        std::fputs("a request has not ended, or ended twice\n", stderr);
        std::abort();
    }

    /// True: the connection is to be driven again.
    virtual bool take_ownership() { return connection->take_ownership(now); }
    /// Bytes have left; those of a file are '#'.
    virtual void has_sent(std::string_view bytes) = 0;

    bool fin_sent_ = false;  // the last transmission ended the connection, and left whole

   private:
    void handle() {
        ++handled;
        const Request& request = connection->take_request();
        if (handles)
            connection->respond(request.id(), handle_(request), now);
        else
            taken.push_back(request.id());
    }
    Handle handle_;
    std::string received_;
};

inline Response text(std::string content) {
    Response response;
    response.content(std::move(content));
    return response;
}

/// Answers "hello" with five bytes of text.
inline Reply hello(const Request&) {
    Response response;
    response.add("Content-Type", "text/plain").content(std::string{"hello"});
    return response;
}

}  // namespace weir::http
