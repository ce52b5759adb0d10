// A program of its own: it replaces the allocation functions of the whole process.
//
// From the socket to the socket: what a cached file over a kept connection costs in allocations.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "support/server.h"
#include "support/time_limit.h"
#include "unit/site/temporary_tree.h"
#include "weir/site/site.h"

namespace {
std::atomic<long> allocations = 0;
}  // namespace

// Not inlined: GCC would take new and free() in one function for a mistake.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc{};
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t& /*kind*/) noexcept {
    ++allocations;
    return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace weir::tests {
namespace {

constexpr std::string_view request = "GET /small.html HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr std::size_t content_bytes = 1024;

/// Asks once and reads the answer into memory that is there already; its size, or 0.
std::size_t ask(int fd, std::string_view bytes, std::size_t answer_bytes) {
    static std::array<char, 256 * 1024> answer;
    std::size_t got = 0;
    if (::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size()))
        return 0;
    do {
        const ssize_t more = ::recv(fd, answer.data() + got, answer.size() - got, 0);
        if (more <= 0) return 0;
        got += static_cast<std::size_t>(more);
    } while (got < answer_bytes);
    return got;
}

class HotPath : public testing::TestWithParam<std::string_view> {};

TEST_P(HotPath, ACachedFileIsServedWithoutAllocating) {
    const auto& engine = *engines::find(GetParam());
    if (engine.unavailable && !engine.unavailable().empty()) GTEST_SKIP() << engine.unavailable();
    site::TemporaryTree tree;
    tree.write("small.html", std::string(content_bytes, 'x'));
    auto site = site::Site::open({.root = tree.string()});
    ASSERT_TRUE(site.has_value());
    Server server{engine, **site, {.engine = {.workers = 1}}};
    auto client = server.client();
    // Until the file has aged enough to be kept, it is loaded anew each time, with a new tag.
    const auto end = std::chrono::steady_clock::now() + time_limit;
    std::string last, tag;
    do {
        last = std::exchange(tag, client.ask(request).field("ETag").value_or(""));
        ASSERT_LT(std::chrono::steady_clock::now(), end);
    } while (tag != last);
    ::fcntl(client.fd(), F_SETFL, 0);  // to wait in recv
    std::string one(request), sixteen;
    for (int i = 0; i < 16; ++i) sixteen += one;
    const std::size_t answer_bytes = ask(client.fd(), one, content_bytes);
    ASSERT_EQ(ask(client.fd(), sixteen, 16 * answer_bytes), 16 * answer_bytes);
    const long before_requests = allocations;
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(ask(client.fd(), one, answer_bytes), answer_bytes);
        ASSERT_EQ(ask(client.fd(), sixteen, 16 * answer_bytes), 16 * answer_bytes);
    }
    const long counted = allocations - before_requests;
    EXPECT_EQ(counted, 0);
    const long before = allocations;
    site::TemporaryTree other;  // the count counts
    EXPECT_GT(allocations, before);
}

INSTANTIATE_TEST_SUITE_P(Engines, HotPath,
                         testing::Values("blocking", "thread-per-connection", "epoll-edge",
                                         "coroutines", "per-core"),
                         [](const auto& each) {
                             std::string name{each.param};
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

}  // namespace
}  // namespace weir::tests
