#include "engines/handler_pool.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <utility>

#include "net/cores.h"

namespace weir::engines {

HandlerPool::HandlerPool(Host& host, PeerTable& peers)
    : host_{host},
      peers_{peers},
      queue_{std::max(host.options.queue_max, 1U)},
      eventfd_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
    if (!eventfd_) throw std::system_error{errno, std::generic_category(), "eventfd"};
}

std::error_code HandlerPool::open() {
    for (unsigned worker = 0; worker < std::max(host_.options.workers, 1U); ++worker) {
        std::move_only_function<void()> task = [this, worker] { work(worker); };
        if (const auto error = crew_.start(task)) return error;
    }
    return {};
}

void HandlerPool::submit(Peer& peer, std::shared_ptr<const http::Request> request) {
    line_.push_back({peer.ticket_number(), {&peer, std::move(request)}});
    move_line();
}

void HandlerPool::move_line() {
    for (; !line_.empty(); line_.pop_front()) {
        auto& [ticket, job] = line_.front();
        Peer* const peer = peers_.find(ticket);
        // It has gone, or was told that its time is over and has yet to go. One that transmits may be
        // at the answers before this one.
        if (!peer || peer->connection->step() == http::Step::drain) continue;
        if (!queue_.try_push(job)) return;
        peer->at_work = true;
    }
}

std::vector<HandlerPool::Done> HandlerPool::collect() {
    auto done = take_done();
    for (const Done& each : done) each.job.peer->at_work = false;
    move_line();
    return done;
}

std::vector<HandlerPool::Done> HandlerPool::take_done() {
    const std::scoped_lock lock{mutex_};
    std::uint64_t count;
    [[maybe_unused]] const auto size = ::read(eventfd_.get(), &count, sizeof count);
    return std::exchange(done_, {});
}

void HandlerPool::work(unsigned worker) {
    const net::PinnedToCore pinned{host_.options.pin, worker};
    while (auto job = queue_.pop()) {
        http::Reply reply = http::Later{};
        if (!abandoned_) reply = host_.handler.handle(*job->request);
        put({std::move(*job), std::move(reply)});
    }
}

void HandlerPool::put(Done&& done) {
    const std::scoped_lock lock{mutex_};
    done_.push_back(std::move(done));
    if (done_.size() > 1) return;  // the loop has been woken, and has not looked yet
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(eventfd_.get(), &one, sizeof one);
}

}  // namespace weir::engines
