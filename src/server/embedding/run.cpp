#include "weir/server/run.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "engines/peer/completion_queue.h"
#include "engines/peer/poll.h"
#include "engines/threads/outbound_peers.h"
#include "net/clock.h"
#include "net/event_fd.h"
#include "weir/base/now.h"
#include "weir/http/handler.h"
#include "weir/http/origin.h"

namespace weir::server::detail {
namespace {

/// The way back to the coroutine, from any thread. A wake-up takes no memory: no deadline would
/// make up for a lost one. The thread that made the object drives the coroutine. Its own wake-ups
/// need no descriptor: it asks is_woken() before it sleeps.
class TaskMail final : public http::Postbox {
   public:
    /// Throws std::system_error if the system has no descriptor left.
    explicit TaskMail(std::shared_ptr<engines::CompletionQueue> queue) : queue_{std::move(queue)} {}

    void answer(http::Ticket /*ticket*/, http::Response&& /*response*/) override {}  // no requests
    void wake(http::Ticket /*ticket*/) override {
        if (!is_woken_.exchange(true) && std::this_thread::get_id() != owner_) event_.signal();
    }
    void adopt(std::unique_ptr<http::Outbound> outbound) override {
        queue_->adopt(std::move(outbound));
    }
    Instant now() const noexcept override { return queue_->now(); }

    // For the owner alone.

    bool is_woken() const noexcept { return is_woken_; }
    /// True if there was a wake-up since the last call.
    bool take_wake() noexcept { return is_woken_.exchange(false); }
    /// The descriptor is readable after a wake-up of another thread, until clear().
    int fd() const noexcept { return event_.fd(); }
    void clear() const noexcept { event_.clear(); }

   private:
    const std::shared_ptr<engines::CompletionQueue> queue_;  // for connections
    const net::EventFd event_;
    const std::thread::id owner_ = std::this_thread::get_id();
    std::atomic<bool> is_woken_{true};  // a wait that begins may be over already
};

}  // namespace

struct TaskLoop::Parts {
    Parts() = default;
    /// The connections drop their exchanges, whose coroutine has gone.
    ~Parts() {
        runner.end();
        jobs.wait();
        peers.close_all(net::read_clock());
        queue->close();
    }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    void resume() {
        if (mail->take_wake() || net::read_instant() >= runner.due()) runner.run();
    }
    void wait();
    void deliver();

    static constexpr std::size_t buffer_bytes = std::size_t{64} * 1024;

    std::shared_ptr<engines::CompletionQueue> queue = std::make_shared<engines::CompletionQueue>();
    const std::shared_ptr<TaskMail> mail = std::make_shared<TaskMail>(queue);
    web::detail::AbandonedJobs jobs;
    web::detail::Runner runner{http::Waker{mail, {}}, &jobs};
    engines::OutboundPeers peers{std::numeric_limits<std::size_t>::max()};
    std::vector<pollfd> watched;
    std::array<char, buffer_bytes> buffer;  // for received bytes
    Now now{};
};

/// Waits until something has happened to the coroutine or to a connection. Drives the connections.
void TaskLoop::Parts::wait() {
    enum : std::size_t { task, completion, first_peer };
    now = net::read_clock();
    watched.resize(first_peer + peers.count());
    watched[task] = {mail->fd(), POLLIN, 0};
    watched[completion] = {queue->fd(), POLLIN, 0};
    const auto outbound = std::span{watched}.subspan(first_peer);
    peers.watch(outbound);

    queue->enter();
    const bool has_own = mail->is_woken() || queue->has_own();
    const Instant until = has_own ? now.instant : std::min(runner.due(), peers.next());
    engines::poll(watched, net::wait_milliseconds(until, now.instant));
    now = net::read_clock();
    if (watched[task].revents != 0) mail->clear();
    peers.take(outbound, buffer, now);
    if (watched[completion].revents != 0 || queue->has_own()) deliver();
}

void TaskLoop::Parts::deliver() {
    for (engines::Completion& completion : queue->collect()) {
        if (completion.outbound())
            peers.adopt(*completion.outbound(), queue, now);
        else
            peers.deliver(completion, buffer, now);
    }
}

TaskLoop::TaskLoop() : parts_{std::make_unique<Parts>()} {}
TaskLoop::~TaskLoop() = default;

web::detail::Runner& TaskLoop::runner() noexcept { return parts_->runner; }

void TaskLoop::run() {
    parts_->runner.run();  // begins
    for (;;) {
        parts_->resume();
        if (parts_->runner.is_done()) return;
        parts_->wait();
    }
}

}  // namespace weir::server::detail
