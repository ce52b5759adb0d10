#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/client/client_connection.h"
#include "http/observer.h"
#include "http/workspace.h"
#include "unit/http/driver.h"

namespace weir::http::client {

using std::chrono::milliseconds;

struct FakeExchange final : Exchange {
    const Outgoing& request() const noexcept override { return sent; }
    void begin(Waker) noexcept override {}
    Wanted wanted() noexcept override {
        return {.is_canceled = is_canceled,
                .takes_bytes = takes_bytes,
                .has_content = !content.empty(),
                .content_ended = content_ended};
    }
    void take_content(std::string& into) noexcept override { std::swap(into, content); }
    void note_sent() noexcept override { was_sent = true; }
    void hint(Answered&& head) override { hints.push_back(head.head); }
    void answer(Answered&& head) override { answered = std::move(head); }
    void deliver(std::string_view bytes) override { received += bytes; }
    void end(std::string fields) noexcept override {
        has_ended = true;
        trailers = std::move(fields);
    }
    void fail(Failure why) noexcept override { failure = why; }

    Outgoing sent{.head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"};
    std::string content;
    bool content_ended = false;
    bool is_canceled = false;
    bool takes_bytes = true;
    bool was_sent = false;
    std::vector<std::string> hints;
    Answered answered;
    std::string received;
    std::string trailers;
    bool has_ended = false;
    Failure failure = Failure::none;
};

struct FakeExchanges final : Exchanges {
    void open(Waker) noexcept override {}
    std::shared_ptr<Exchange> next() noexcept override {
        if (waiting.empty()) return nullptr;
        auto first = waiting.front();
        waiting.pop_front();
        return first;
    }
    bool keep() noexcept override {
        ++kept;
        return keeps;
    }
    void close() noexcept override { is_closed = true; }
    void refuse(Failure) noexcept override {}

    std::deque<std::shared_ptr<FakeExchange>> waiting;
    int kept = 0;
    bool keeps = true;
    bool is_closed = false;
};

/// Plays the engine and the server of one connection.
struct ClientConnectionFixture : ::testing::Test, Origin {
    void append_address(std::string&) const override {}
    std::shared_ptr<Postbox> postbox() override { return mail; }
    std::uint64_t number() const noexcept override { return 1; }

    std::shared_ptr<FakeExchange> give() {
        exchanges->waiting.push_back(std::make_shared<FakeExchange>());
        return exchanges->waiting.back();
    }
    void connect() {
        connection = std::make_unique<ClientConnection>(exchanges, *this, limits, timeouts, now);
    }
    /// What the connection sends until it has no more.
    std::string sent() {
        std::string all;
        while (sends(connection->step())) {
            const Transmission offered = connection->transmit();
            std::size_t size = 0;
            for (const auto part : offered.parts) {
                all += part;
                size += part.size();
            }
            connection->transmitted(size, now);
        }
        return all;
    }
    void receive(std::string_view bytes) {
        if (reads(connection->step())) connection->receive(bytes, now);
    }
    void wake() { connection->wake(0, now); }
    void pass(milliseconds time, std::uint64_t queued = 0) {
        now.instant += time;
        if (now.instant >= connection->deadline()) connection->expire(now, queued);
    }
    Step step() const { return connection->step(); }

    Limits limits;
    ClientTimeouts timeouts;
    Now now{.instant = Instant{std::chrono::hours{1}}};
    std::shared_ptr<TestPostbox> mail = std::make_shared<TestPostbox>();
    std::shared_ptr<FakeExchanges> exchanges = std::make_shared<FakeExchanges>();
    std::unique_ptr<ClientConnection> connection;
};

inline constexpr std::string_view hello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

}  // namespace weir::http::client
