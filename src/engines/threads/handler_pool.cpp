#include "engines/threads/handler_pool.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <new>
#include <utility>

#include "base/troubles.h"
#include "http/answer/error_page.h"
#include "net/system/cores.h"

namespace weir::engines {

HandlerPool::HandlerPool(Host& host, PeerTable& peers)
    : host_{host},
      peers_{peers},
      delay_{host.options.queue_delay_max},
      queue_{std::max(host.options.queue_max, 1U), host.figures} {}

std::error_code HandlerPool::open() {
    for (unsigned worker = 0; worker < host_.options.blocking_worker_count(); ++worker) {
        std::move_only_function<void()> task = [this, worker] { work(worker); };
        if (const auto error = threads_.start(task)) return error;
    }
    return {};
}

void HandlerPool::submit(Peer& peer, std::shared_ptr<const http::Request> request) {
    if (peer.slot >= of_slots_.size()) of_slots_.resize(peer.slot + std::size_t{1});
    OfSlot& of = of_slots_[peer.slot];
    if (of.ticket != peer.number()) of = {.ticket = peer.number()};
    of.last_round = std::max(of.last_round, round_) + 1;
    line_.emplace(of.last_round, Waiting{of.ticket, {&peer, std::move(request), delay_.now()}});
    move_line();
}

void HandlerPool::move_line() {
    while (!line_.empty() && move(line_.begin()->second)) {
        round_ = line_.begin()->first;
        line_.erase(line_.begin());
    }
}

/// False if there is no place in the queue, or no memory.
bool HandlerPool::move(Waiting& waiting) {
    const Peer* const peer = peers_.find(waiting.ticket);
    if (!peer) return true;
    Job& job = waiting.job;
    const bool moved =
        peer->connection->awaits(job.request->id()) ? queue_.try_push(job) : give_back(job);
    if (!moved) return false;
    ++of_slots_[peer->slot].jobs;
    return true;
}

/// Without a call of the handler. False if there is no memory: the job stays in line.
bool HandlerPool::give_back(Job& job) try {
    Done done{job, http::Response{http::Status::service_unavailable}};
    return done_.put(std::move(done));
} catch (const std::bad_alloc&) {
    return false;
}

Inbox<HandlerPool::Done>::Collected HandlerPool::collect() {
    auto done = done_.collect();
    move_line();
    return done;
}

http::Reply HandlerPool::reply_to(const Job& job) {
    if (abandoned_) return http::Later{};
    if (!delay_.is_too_long(job.at)) return host_.handler.handle(*job.request);
    troubles().note(Trouble::queue_delay);
    try {
        return http::come_again(http::Status::service_unavailable, std::chrono::seconds{1});
    } catch (const std::bad_alloc&) {
        return http::Response{http::Status::service_unavailable};
    }
}

void HandlerPool::work(unsigned worker) {
    const net::PinnedToCore pinned{host_.options.pin, worker};
    while (auto job = queue_.pop()) {
        const BusyWorker busy{host_.figures};
        http::Reply reply = reply_to(*job);
        done_.put_surely({std::move(*job), std::move(reply)});
    }
}

}  // namespace weir::engines
