#pragma once

#include <memory>

#include "weir/http/handler.h"

namespace weir::rules {

/// Changes an answer before it is sent.
class Completion {
   public:
    virtual ~Completion() = default;
    virtual void complete(http::Response& response) const = 0;
};

/// The reply with its answer completed, also if that comes later from a continuation. Answers through
/// http::Deferred are not changed.
http::Reply completed(http::Reply reply, std::shared_ptr<const Completion> completion);

}  // namespace weir::rules
