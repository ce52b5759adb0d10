// What a socket and a message cost. A separate program, because it replaces the allocation functions of the
// whole process.

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "http/content/failure_observer.h"
#include "http/http1/http1_connection.h"
#include "support/websocket_frames.h"
#include "weir/web/router.h"
#include "weir/web/topics.h"
#include "weir/web/websocket.h"

namespace {
long allocations = 0;
long live_bytes = 0;
long allowed = -1;  // allocations before they fail; -1: all succeed
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
    void* const memory = allowed == 0 ? nullptr : std::malloc(size);
    if (allowed > 0) --allowed;
    if (memory == nullptr) throw std::bad_alloc{};
    ++allocations;
    live_bytes += static_cast<long>(malloc_usable_size(memory));
    return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    live_bytes -= static_cast<long>(malloc_usable_size(memory));
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    operator delete(memory);
}

namespace weir::web {
namespace {

namespace frames = tests::websocket;
using http::Step;

struct Silence final : http::Postbox {
    void answer(http::Ticket, Response&&) override {}
    void wake(http::Ticket) override {}
};

/// A server keeps the name of each request, for it.
struct Failures final : http::FailureObserver {
    void failed(std::string_view, std::string_view, std::exception_ptr) noexcept override {}
};

/// Plays an engine whose peers take everything at once.
struct Peer final : http::Origin {
    Peer(http::Workspace& workspace, http::Handler& of, std::shared_ptr<http::Postbox> to,
         std::string_view target = "/")
        : handler{of}, its_postbox{std::move(to)}, connection{workspace, *this, {}} {
        receive(frames::opening(target));
    }
    void append_address(std::string&) const override {}
    std::shared_ptr<http::Postbox> postbox() override { return its_postbox; }
    std::uint64_t number() const noexcept override { return 1; }

    void receive(std::string_view bytes) {
        connection.receive(bytes, {});
        for (;;) {
            if (connection.step() == Step::handle) {
                const http::Request& request = connection.take_request();
                connection.respond(request.id(), handler.handle(request), {});
            } else if (http::sends(connection.step())) {
                const std::size_t size = connection.transmit().part_bytes();
                sent += size;
                connection.transmitted(size, {});
            } else {
                break;
            }
        }
        connection.take_ownership({});
    }

    http::Handler& handler;
    std::shared_ptr<http::Postbox> its_postbox;
    std::size_t sent = 0;
    http::Http1Connection connection;
};

struct SocketMemory : ::testing::Test {
    SocketMemory() {
        workspace.failures = &failures;
        router.get("/", websocket([](WebSocket socket) -> Task<> {
                       while (const auto message = co_await socket.receive())
                           co_await socket.send(*message);
                   }));
        router.get("/sink", websocket([](WebSocket socket) -> Task<> {
                       while (co_await socket.receive()) {}
                   }));
        router.get("/news", websocket([this](WebSocket socket) -> Task<> {
                       const auto subscription = topics.subscribe("news", socket.sender());
                       while (co_await socket.receive()) {}
                   }));
    }
    /// The memory of a socket that has received a message, beside its connection.
    long idle_bytes(std::string_view target) {
        const std::string message = frames::text(std::string(1000, 'x'));
        Peer first{workspace, router, postbox, target};  // the workspace has its buffers then
        first.receive(message);
        constexpr int count = 100;
        std::vector<std::unique_ptr<Peer>> peers;
        peers.reserve(count);
        const long before = live_bytes;
        for (int i = 0; i < count; ++i) {
            peers.push_back(std::make_unique<Peer>(workspace, router, postbox, target));
            peers.back()->receive(message);
        }
        const long of_peer = static_cast<long>(malloc_usable_size(peers[0].get()));
        const long each = (live_bytes - before) / count - of_peer;
        std::printf("an idle socket of %s takes %ld bytes\n", std::string{target}.c_str(), each);
        return each;
    }

    Failures failures;
    http::Limits limits;
    http::Timeouts timeouts;
    http::Workspace workspace{limits, timeouts};
    Topics topics;
    Router router;
    std::shared_ptr<http::Postbox> postbox = std::make_shared<Silence>();
};

TEST_F(SocketMemory, AMessageAllocatesNothing) {
    Peer peer{workspace, router, postbox};
    const std::string message = frames::text(std::string(1000, 'x'));
    const std::string three = message + message + message;
    peer.receive(three);
    const long before = allocations;
    const std::size_t sent_before = peer.sent;
    for (int i = 0; i < 100; ++i) peer.receive(i % 2 == 0 ? message : three);
    EXPECT_EQ(allocations, before);
    EXPECT_EQ(peer.sent - sent_before, 200U * 1004);
}

TEST_F(SocketMemory, AMessageForTenThousandIsOne) {
    constexpr long count = 10'000;
    std::vector<std::unique_ptr<Peer>> peers;
    for (long i = 0; i < count; ++i)
        peers.push_back(std::make_unique<Peer>(workspace, router, postbox, "/news"));
    ASSERT_EQ(topics.subscribers("news"), count);
    const std::string text(10'000, 'x');
    topics.publish("news", text);
    for (auto& peer : peers) peer->receive(frames::pong());  // the tunnel is pulled
    const long allocations_before = allocations;
    const long bytes_before = live_bytes;
    EXPECT_EQ(topics.publish("news", text), count);
    EXPECT_LE(allocations - allocations_before, 3);
    EXPECT_LE(live_bytes - bytes_before, 11'000);
    for (auto& peer : peers) {
        const std::size_t sent_before = peer->sent;
        peer->receive(frames::pong());
        ASSERT_EQ(peer->sent - sent_before, 10'004U);
    }
    EXPECT_LE(live_bytes, bytes_before);
    peers.clear();
    const long without_topic = live_bytes;
    Peer{workspace, router, postbox, "/news"};
    EXPECT_EQ(live_bytes, without_topic) << "a topic without subscribers is removed";
}

TEST_F(SocketMemory, MayRunOutForAMessage) {
    Peer one{workspace, router, postbox, "/news"};
    Peer two{workspace, router, postbox, "/news"};
    const std::string text(1000, 'x');
    std::size_t count = 0;
    long refused = 0;
    while (count == 0) {
        allowed = refused;
        try {
            count = topics.publish("news", text);
        } catch (const std::bad_alloc&) {
            ++refused;
        }
        allowed = -1;
    }
    EXPECT_GE(refused, 2);
    EXPECT_EQ(count, 2U);
    EXPECT_EQ(topics.publish("news", text), 2U);
    for (Peer* const peer : {&one, &two}) {
        const std::size_t sent_before = peer->sent;
        peer->receive(frames::pong());
        EXPECT_EQ(peer->sent - sent_before, 2U * 1004);
    }
}

TEST_F(SocketMemory, MayRunOutForAQueue) {
    Peer one{workspace, router, postbox, "/news"};
    EXPECT_EQ(topics.publish("news", "first"), 1U);
    allowed = 3;  // the list of outboxes, and the frame; not the queue behind the first message
    EXPECT_EQ(topics.publish("news", std::string_view{"a second one that is longer"}), 0U);
    allowed = -1;
    const std::size_t sent_before = one.sent;
    one.receive(frames::pong());
    EXPECT_EQ(one.sent - sent_before, 7U + 4) << "the first message, and a close frame";
}

TEST_F(SocketMemory, IsNotNeededForTheStop) {
    Peer peer{workspace, router, postbox};
    allowed = 0;
    peer.connection.retire({});
    allowed = -1;
    const std::size_t sent_before = peer.sent;
    peer.receive(frames::pong());
    EXPECT_EQ(peer.sent - sent_before, 4U) << "a close frame";
}

TEST_F(SocketMemory, AnIdleSocketTakesLittle) {
    EXPECT_LE(idle_bytes("/sink"), 400);  // 392 with GCC 12
    EXPECT_LE(idle_bytes("/"), 440) << "the coroutine's frame has what it needs to send, too";
}

TEST_F(SocketMemory, AnIdleSubscriberTakesLittle) { EXPECT_LE(idle_bytes("/news"), 720); }

}  // namespace
}  // namespace weir::web
