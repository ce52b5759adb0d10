#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::tests {

/// The calls that net/ and the engines make, each replaced by one that may fail (ld's --wrap).
enum class Call : std::uint8_t {
    accept4,  // or accept, which only Asio calls
    bind,
    connect,
    epoll_create1,
    epoll_ctl,
    epoll_wait,
    eventfd,
    fork,
    getsockname,
    listen,
    poll,
    pread,
    recv,
    ring_enter,  // this, ring_register and ring_setup by syscall(2)
    ring_poll,   // these three are what a ring is asked to do
    ring_receive,
    ring_send,
    ring_register,
    ring_setup,
    select,
    send,
    sendfile,
    sendmsg,
    setsockopt,
    shutdown,
    socket,
    start_thread,  // pthread_create, and std::thread's, which throws
    count,
};
std::string_view to_text(Call call);

/// Fails calls on purpose, in all threads but those that are exempt. What it tells is what the
/// kernel could tell too: where EAGAIN or a short count is a lie, the descriptor becomes ready
/// anew. Processes that are forked share it.
class Injector {
   public:
    static Injector& only();

    /// The threads that exist now (a test's own) are never failed.
    void exempt_all_threads();
    /// The calling thread may be failed again: what it does is part of the test.
    void subject_this_thread();

    /// The calls numbered `nth` (1 is the next one) up to `nth + times - 1` fail with `error`.
    void fail(Call call, int error, int nth = 1, int times = 1);
    /// No recv, send, sendmsg, sendfile or pread moves more.
    void cap(std::size_t bytes) { cap_ = bytes; }
    /// Whatever is sent is taken at once, and thrown away: the peer that is never slow.
    void swallow() { swallows_ = true; }
    /// Everything works again.
    void clear();

    /// Since clear(): how often it was called, and how often it was failed.
    int calls(Call call) const { return counts_[index(call)].calls; }
    int failed(Call call) const { return counts_[index(call)].failed; }
    /// The most sends that a thread made without waiting for anybody.
    int longest_turn() const { return longest_turn_; }

    /// For the replacements: the errno to fail with, or 0.
    int next(Call call);
    /// For the replacements: how much may be moved of so much.
    std::size_t capped(std::size_t size) const;
    /// For the replacements: this send is only said to have been made.
    bool swallows() const { return swallows_ && !is_exempt(); }

   private:
    static std::size_t index(Call call) { return static_cast<std::size_t>(call); }
    bool is_exempt() const;
    void count_turn(Call call);

    struct Count {
        std::atomic<int> calls{0};
        std::atomic<int> failed{0};
    };
    std::array<Count, static_cast<std::size_t>(Call::count)> counts_;
    std::atomic<Call> call_{Call::count};
    std::atomic<int> error_{0};
    std::atomic<int> first_{0};
    std::atomic<int> last_{0};
    std::atomic<std::size_t> cap_{SIZE_MAX};
    std::atomic<bool> swallows_{false};
    std::atomic<int> longest_turn_{0};
    std::array<std::atomic<int>, 64> exempt_{};  // thread ids
};

}  // namespace weir::tests
