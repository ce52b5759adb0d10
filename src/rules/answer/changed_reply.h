#pragma once

#include "weir/http/handler.h"

namespace weir::rules {

/// Changes answers on their way out. Several threads may call it at once.
class Change {
   public:
    virtual void apply(http::Response& response) const = 0;

   protected:
    ~Change() = default;
};

/// `reply` with its answer changed, at once or when its continuation gives it. Answers that come
/// through http::Deferred are not changed. `change` must outlive the request.
http::Reply changed(http::Reply reply, const Change& change);

}  // namespace weir::rules
