#include "contract/contract.h"

#include <algorithm>
#include <array>

#include "contract/write_an_engine/spin_of_the_page.h"
#include "engines/ring/ring_loop.h"
#include "support/process.h"

namespace weir::tests {
namespace {

struct Named {
    std::string_view engine;
    Nature nature;
};

constexpr std::array natures{
    Named{"blocking", {.serves_one_at_a_time = "one thread serves one connection to its end"}},
    Named{"thread-pool",
          {.worker_serves_one_at_a_time = "a worker serves a connection to its end"}},
    Named{"reactor",
          {.answers_one_by_one = "an answer does not wait for the next, which another thread makes",
           .waits_for_its_threads = "a thread gives back the answer",
           .handles_side_by_side = "whichever thread is free takes the next request"}},
    Named{"select",
          {.watches_low_descriptors_only = "a set for select(2) has FD_SETSIZE bits",
           .misses_resets = "select(2) tells of errors only where bytes or space are asked for"}},
    Named{"select-threads",
          {.watches_low_descriptors_only = "a set for select(2) has FD_SETSIZE bits",
           .waits_for_its_threads = "a thread gives back the connection that it was lent",
           .misses_resets = "select(2) tells of errors only where bytes or space are asked for"}},
    Named{"epoll-blocking",
          {.sends_one_at_a_time = "a loop waits for the peer that it sends to, on purpose"}},
    Named{"io-uring",
          {.counts_as_sent_early = "small answers are sent together, when the loop enters the ring",
           .misses_resets = "a ring tells of errors only what it was asked for"}},
    Named{"io-uring-of-old",
          {.misses_resets = "a ring tells of errors only what it was asked for"}},
    Named{
        "asio",
        {.tries_before_each_wait = "Asio tries each operation at once, and waits where that fails",
         .waits_for_its_threads = "what Asio has done at once, it tells in another turn"}},
    Named{"spin-of-the-page", {.never_sleeps = "it has no poller to sleep in"}},
};

}  // namespace

Nature nature_of(const engines::Engine& engine) {
    const auto found = std::ranges::find(natures, engine.name, &Named::engine);
    return found == natures.end() ? Nature{} : found->nature;
}

Contract::Contract() {
    constexpr unsigned connections_of_a_test = 260;
    const bool one_each = !nature_of(engine()).worker_serves_one_at_a_time.empty();
    options.engine.workers = one_each ? connections_of_a_test : 2;
    options.observer = &handler;
}

std::string_view Contract::why_one_at_a_time() const {
    const Nature nature = nature_of(engine());
    return options.engine.workers == 1 && !nature.worker_serves_one_at_a_time.empty()
               ? nature.worker_serves_one_at_a_time
               : nature.serves_one_at_a_time;
}

void Contract::restart_on_same_port() {
    options.addresses = {server_->address()};
    server_.reset();
    start();
}

Client Contract::client(Client::Options of_client) {
    if (!server_) start();
    return server_->client(of_client);
}

void Contract::let_parent_catch_up() const {
    if (engine().forks == engines::Process::connection) {
        EXPECT_TRUE(other_threads_sleep());
    }
}

void Contract::expect_served() {
    const auto answer = client().ask(get("/hello", "Connection: close\r\n"));
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.content, "hello\n");
}

milliseconds Contract::handler_time() const {
    return nature_of(engine()).handles_side_by_side.empty() ? short_time : thread_time;
}

void Contract::expect_end() {
    const auto error = server().wait();
    EXPECT_FALSE(error) << error.message();
}

std::string get(std::string_view target, std::string_view more_fields) {
    return "GET " + std::string{target} + " HTTP/1.1\r\nHost: weir.test\r\n" +
           std::string{more_fields} + "\r\n";
}

std::string post_head(std::string_view target, std::size_t content_bytes,
                      std::string_view more_fields) {
    return "POST " + std::string{target} +
           " HTTP/1.1\r\nHost: weir.test\r\nContent-Length: " + std::to_string(content_bytes) +
           "\r\n" + std::string{more_fields} + "\r\n";
}

std::string post(std::string_view target, std::string_view content, std::string_view more_fields) {
    return post_head(target, content.size(), more_fields) + std::string{content};
}

std::string chunk(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string size;
    for (auto rest = bytes.size(); rest > 0 || size.empty(); rest /= 16)
        size.insert(size.begin(), digits[rest % 16]);
    return size + "\r\n" + std::string{bytes} + "\r\n";
}

void expect_pattern(std::string_view content, std::size_t bytes) {
    EXPECT_EQ(content.size(), bytes);
    const auto difference = first_difference(content);
    EXPECT_FALSE(difference) << "differs at byte " << *difference;
}

namespace {

std::error_code run_io_uring_of_old(engines::Host& host) {
    return engines::run_io_uring_with(
        host, {.deferred_work = false, .receive_many = false, .send_quietly = false});
}

/// Not in the table: what stands in for that which not every kernel has.
constexpr engines::Engine io_uring_of_old{
    .name = "io-uring-of-old",
    .waits = {},
    .handlers_run = {},
    .good_at = {},
    .bad_at = {},
    .has_workers = true,
    .run = run_io_uring_of_old,
};

/// Not in the table: the engine that a reader of docs/write-an-engine.md ends up with.
constexpr engines::Engine spin_of_the_page{
    .name = "spin-of-the-page",
    .waits = {},
    .handlers_run = {},
    .good_at = {},
    .bad_at = {},
    .has_workers = false,
    .run = engines::run_spin_of_the_page,
};

}  // namespace

void Contract::SetUp() {
    const auto* const ring = engines::find("io-uring");
    const bool is_of_old = GetParam() == &io_uring_of_old;
    const auto why_not = is_of_old ? ring->unavailable : engine().unavailable;
    if (why_not && !why_not().empty()) GTEST_SKIP() << why_not();
    if (engine().forks && !forks_safely)
        GTEST_SKIP() << engine().name << ": sanitizers do not survive a fork";
}

std::vector<const engines::Engine*> every_engine() {
    std::vector<const engines::Engine*> found;
    for (const auto& engine : engines::all()) found.push_back(&engine);
    found.push_back(&io_uring_of_old);
#ifndef WEIR_ENGINES_OF_THE_TABLE
    found.push_back(&spin_of_the_page);
#endif
    return found;
}

std::string name_of_engine(const ::testing::TestParamInfo<const engines::Engine*>& info) {
    std::string name{info.param->name};
    std::ranges::replace(name, '-', '_');
    return name;
}

}  // namespace weir::tests
