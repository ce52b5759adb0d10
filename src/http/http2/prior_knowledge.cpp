#include "http/http2/prior_knowledge.h"

#include <algorithm>

#include "http/http1/http1_connection.h"
#include "http/http2/http2_connection.h"

namespace weir::http {

PriorKnowledge::PriorKnowledge(Workspace& workspace, Origin& origin, Now now)
    : workspace_{workspace}, origin_{origin} {
    inner_ = std::make_unique<Http1Connection>(workspace, origin, now);
    show();
}

/// A few bytes may be the beginning of either.
void PriorKnowledge::do_receive(std::string_view bytes, Now now) {
    if (is_chosen_) return PassingOn::do_receive(bytes, now);
    if (!preface_.empty()) bytes = preface_.append(bytes);
    const std::size_t size = std::min(bytes.size(), http2::preface.size());
    const bool may_be_http2 = bytes.substr(0, size) == http2::preface.substr(0, size);
    if (may_be_http2 && size < http2::preface.size()) {
        if (preface_.empty()) preface_ = bytes;
        return;
    }
    if (may_be_http2) {
        inner_.reset();  // first: the observer of connections counts it
        inner_ = std::make_unique<Http2Connection>(workspace_, origin_, now);
        if (is_retired_) inner_->retire(now);
    }
    is_chosen_ = true;
    inner_->receive(bytes, now);
    if (!preface_.empty()) {
        inner_->settle(now);  // it is borrowed
        std::string{}.swap(preface_);
    }
    show();
}

void PriorKnowledge::do_retire(Now now) {
    is_retired_ = true;
    PassingOn::do_retire(now);
}

}  // namespace weir::http
