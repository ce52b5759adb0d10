#include "engines/threads/handler_pool.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "http/request_slot.h"
#include "support/gate.h"
#include "unit/engines/fake_connection.h"

namespace weir::engines {
namespace {

using Names = std::vector<std::string>;

/// Holds up every request until the gate is open, and takes down which came.
class HeldHandler final : public http::Handler {
   public:
    http::Reply handle(const http::Request& request) override {
        {
            const std::scoped_lock lock{mutex_};
            names_.emplace_back(request.target());
        }
        begun.open();
        gate.await();
        return http::Response{};
    }
    Names names() const {
        const std::scoped_lock lock{mutex_};
        return names_;
    }

    tests::Gate begun, gate;

   private:
    mutable std::mutex mutex_;
    Names names_;
};

/// One thread, and room for one request in its queue: further ones stand in line.
class HandlerPoolOfOne : public ::testing::Test {
   protected:
    void SetUp() override { ASSERT_FALSE(pool.open()); }
    void TearDown() override { handler.gate.open(); }

    Peer& add() {
        Peer& peer = peers.add();
        peer.connection = std::make_unique<FakeConnection>();
        return peer;
    }
    static FakeConnection& connection_of(Peer& peer) {
        return static_cast<FakeConnection&>(*peer.connection);
    }
    http::RequestId submit(Peer& peer, const std::string& name) {
        const std::string head = "GET " + name + " HTTP/1.1\r\nHost: a\r\n\r\n";
        http::RequestSlot slot;
        EXPECT_EQ(slot.parse(head, limits), http::HeadParser::Result::complete);
        slot.interpret(peer, ++last_id_);
        pool.submit(peer, slot.request().share());
        return last_id_;
    }
    /// A peer whose first request the thread has, and whose second one fills the queue.
    Peer& fill() {
        Peer& peer = add();
        submit(peer, "/1");
        handler.begun.await();
        submit(peer, "/2");
        return peer;
    }
    /// Until so many jobs have come back.
    std::vector<HandlerPool::Done> collect(std::size_t count) {
        std::vector<HandlerPool::Done> all;
        while (all.size() < count) {
            pollfd watched{pool.fd(), POLLIN, 0};
            if (::poll(&watched, 1, static_cast<int>(tests::time_limit.count())) != 1) break;
            for (auto& done : pool.collect()) all.push_back(std::move(done));
        }
        EXPECT_EQ(all.size(), count);
        return all;
    }

    HeldHandler handler;
    const http::Limits limits;
    const http::Timeouts timeouts;
    net::StopSignal stop;
    EngineFigures figures;
    Host host{.listeners = {},
              .handler = handler,
              .limits = limits,
              .timeouts = timeouts,
              .observer = nullptr,
              .stop = stop,
              .options = {.workers = 1, .queue_max = 1},
              .connect = {},
              .figures = &figures};
    PeerTable peers;
    HandlerPool pool{host, peers};

   private:
    http::RequestId last_id_ = 0;
};

TEST_F(HandlerPoolOfOne, PeerKeepsItsPlaceUntilTheLastOfItsJobsIsBack) {
    Peer& peer = fill();
    peer.connection.reset();
    EXPECT_TRUE(pool.has_jobs_of(peer));
    handler.gate.open();
    const auto done = collect(2);
    EXPECT_FALSE(pool.let_go(peer)) << "one more came back in the same batch";
    EXPECT_TRUE(pool.has_jobs_of(peer));
    EXPECT_TRUE(pool.let_go(peer));
    EXPECT_FALSE(pool.has_jobs_of(peer));
}

TEST_F(HandlerPoolOfOne, ShowsItsQueueAndItsWorkers) {
    submit(fill(), "/3");  // in line
    EXPECT_EQ(figures.workers_busy, 1u);
    EXPECT_EQ(figures.queue_length, 1u);
    EXPECT_EQ(figures.queue_places, 1u);
    EXPECT_EQ(figures.queue_entered, 2u);
    handler.gate.open();
    collect(3);
    EXPECT_EQ(figures.queue_length, 0u);
    EXPECT_EQ(figures.queue_entered, 3u);
}

TEST_F(HandlerPoolOfOne, PeersTakeTurnsInLine) {
    Peer& first = fill();
    for (const auto* name : {"/3", "/4", "/5"}) submit(first, name);
    submit(add(), "/second");
    submit(add(), "/third");
    handler.gate.open();
    collect(7);
    EXPECT_EQ(handler.names(), (Names{"/1", "/2", "/3", "/second", "/third", "/4", "/5"}));
}

TEST_F(HandlerPoolOfOne, NewPeerInAPlaceDoesNotWaitForItsPredecessor) {
    Peer& first = fill();
    Peer& gone = add();
    for (const auto* name : {"/a", "/b", "/c"}) submit(gone, name);
    for (const auto* name : {"/3", "/4", "/5"}) submit(first, name);
    peers.remove(gone);
    Peer& next = add();
    ASSERT_EQ(&next, &gone);
    submit(next, "/next");
    handler.gate.open();
    collect(6);
    EXPECT_EQ(handler.names(), (Names{"/1", "/2", "/3", "/next", "/4", "/5"}));
}

TEST_F(HandlerPoolOfOne, OneInLineHasNoJobYet) {
    fill();
    Peer& peer = add();
    submit(peer, "/in-line");
    EXPECT_FALSE(pool.has_jobs_of(peer));
    handler.gate.open();
    collect(3);
    EXPECT_TRUE(pool.has_jobs_of(peer));
}

TEST_F(HandlerPoolOfOne, CanceledInLineIsNotHandledAndComesBack) {
    Peer& first = fill();
    Peer& peer = add();
    connection_of(peer).canceled = submit(peer, "/canceled");
    handler.gate.open();
    bool is_back = false;
    for (const auto& done : collect(3)) {
        if (done.job.peer == &first) continue;
        is_back = true;
        EXPECT_EQ(done.job.request->target(), "/canceled");
        EXPECT_TRUE(std::holds_alternative<http::Response>(done.reply));
    }
    EXPECT_TRUE(is_back);
    EXPECT_EQ(handler.names(), (Names{"/1", "/2"}));
    EXPECT_TRUE(pool.let_go(peer));
}

TEST_F(HandlerPoolOfOne, WhatIsQueuedWhenItIsAbandonedIsNotHandled) {
    fill();
    pool.abandon();
    handler.gate.open();
    collect(2);
    EXPECT_EQ(handler.names(), Names{"/1"});
}

}  // namespace
}  // namespace weir::engines
