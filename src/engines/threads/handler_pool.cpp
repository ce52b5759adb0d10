#include "engines/threads/handler_pool.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "net/cores.h"

namespace weir::engines {

HandlerPool::HandlerPool(Host& host, PeerTable& peers)
    : host_{host}, peers_{peers}, queue_{std::max(host.options.queue_max, 1U)} {}

std::error_code HandlerPool::open() {
    for (unsigned worker = 0; worker < std::max(host_.options.workers, 1U); ++worker) {
        std::move_only_function<void()> task = [this, worker] { work(worker); };
        if (const auto error = threads_.start(task)) return error;
    }
    return {};
}

void HandlerPool::submit(Peer& peer, std::shared_ptr<const http::Request> request) {
    line_.push_back({peer.number(), {&peer, std::move(request)}});
    move_line();
}

void HandlerPool::move_line() {
    for (; !line_.empty(); line_.pop_front()) {
        auto& [ticket, job] = line_.front();
        Peer* const peer = peers_.find(ticket);
        if (!peer) continue;
        if (!peer->connection->awaits(job.request->id())) {
            ++peer->handlers;
            done_.put({std::move(job), http::Response{http::Status::service_unavailable}});
            continue;
        }
        if (!queue_.try_push(job)) return;
        ++peer->handlers;
    }
}

std::vector<HandlerPool::Done> HandlerPool::collect() {
    auto done = done_.collect();
    move_line();
    return done;
}

void HandlerPool::work(unsigned worker) {
    const net::PinnedToCore pinned{host_.options.pin, worker};
    while (auto job = queue_.pop()) {
        http::Reply reply = http::Later{};
        if (!abandoned_) reply = host_.handler.handle(*job->request);
        done_.put({std::move(*job), std::move(reply)});
    }
}

}  // namespace weir::engines
