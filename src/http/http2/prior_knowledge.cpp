#include "http/http2/prior_knowledge.h"

#include <algorithm>
#include <utility>

#include "http/http1/http1_connection.h"
#include "http/http2/http2_connection.h"

namespace weir::http {

PriorKnowledge::PriorKnowledge(Workspace& workspace, Origin& origin, Now now)
    : workspace_{workspace},
      origin_{origin},
      inner_{std::make_unique<Http1Connection>(workspace, origin, now)} {
    show();
}

PriorKnowledge::~PriorKnowledge() = default;

void PriorKnowledge::show() noexcept {
    step_ = inner_->step();
    deadline_ = inner_->deadline();
    resets_ = inner_->resets();
}

const Request& PriorKnowledge::do_take_request() {
    const Request& request = inner_->take_request();
    show();
    return request;
}

/// A few bytes may begin both protocols.
void PriorKnowledge::do_receive(std::string_view bytes, Now now) {
    if (is_chosen_) {
        inner_->receive(bytes, now);
        return show();
    }
    if (!preface_.empty()) bytes = preface_.append(bytes);
    const std::size_t size = std::min(bytes.size(), http2::preface.size());
    const bool may_be_http2 = bytes.substr(0, size) == http2::preface.substr(0, size);
    if (may_be_http2 && size < http2::preface.size()) {
        if (preface_.empty()) preface_ = bytes;
        return;
    }
    if (may_be_http2) {
        inner_.reset();  // first: the observer counts connections
        inner_ = std::make_unique<Http2Connection>(workspace_, origin_, now);
        if (is_retired_) inner_->retire(now);
    }
    is_chosen_ = true;
    inner_->receive(bytes, now);
    if (!preface_.empty()) {
        inner_->take_ownership(now);  // the input is borrowed
        std::string{}.swap(preface_);
    }
    show();
}

void PriorKnowledge::do_receive_end(Now now) {
    inner_->receive_end(now);
    show();
}

void PriorKnowledge::do_respond(RequestId id, Reply&& reply, Now now) {
    inner_->respond(id, std::move(reply), now);
    show();
}

void PriorKnowledge::do_wake(RequestId id, Now now) {
    inner_->wake(id, now);
    show();
}

void PriorKnowledge::do_transmitted(std::uint64_t size, Now now) {
    inner_->transmitted(size, now);
    show();
}

void PriorKnowledge::do_expire(Now now, std::uint64_t queued) {
    inner_->expire(now, queued);
    show();
}

void PriorKnowledge::do_turn_away(Now now) {
    inner_->turn_away(now);
    show();
}

void PriorKnowledge::do_evict(Now now) {
    inner_->evict(now);
    show();
}

void PriorKnowledge::do_retire(Now now) {
    is_retired_ = true;
    inner_->retire(now);
    show();
}

void PriorKnowledge::do_fail(Outcome why, Now now) {
    inner_->fail(why, now);
    show();
}

void PriorKnowledge::do_take_ownership(Now now) {
    inner_->take_ownership(now);
    show();
}

}  // namespace weir::http
