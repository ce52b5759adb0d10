#include "engines/threads/thread_evictor.h"

#include <utility>

#include "engines/peer/connection_limit.h"
#include "net/descriptors.h"

namespace weir::engines {

using http::CloseImpact;

bool ThreadEvictor::is_short() noexcept { return net::descriptors().is_short(); }

int ThreadEvictor::descriptor(const Peer& peer) const noexcept {
    const CloseImpact impact = peer.connection->close_impact();
    const bool may_end = impact == CloseImpact::idle || impact == CloseImpact::unfinished;
    return requests_ && may_end ? requests_->descriptor(impact == CloseImpact::idle) : -1;
}

void ThreadEvictor::evict(Peer& peer, Now now) const {
    if (peer.connection->step() == http::Step::close || descriptor(peer) < 0) return;
    if (requests_->claim_one(peer.connection->close_impact() == CloseImpact::idle))
        peer.connection->evict(now);
}

void ThreadEvictor::ask_for_files(Now now) {
    if (!is_short()) {
        if (std::exchange(has_asked_, false)) requests_->withdraw();
        return;
    }
    if (now.instant < ask_again_at_) return;
    ask_again_at_ = now.instant + ConnectionLimit::pause;
    has_asked_ = true;
    requests_->ask(static_cast<std::size_t>(net::descriptors().missing()), EvictionScope::idle);
}

}  // namespace weir::engines
