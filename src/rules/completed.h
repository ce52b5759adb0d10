#pragma once

#include <memory>

#include "weir/http/handler.h"

namespace weir::rules {

/// Changes a response before it is sent.
class Completion {
   public:
    virtual ~Completion() = default;
    virtual void complete(http::Response& response) const = 0;
};

/// Returns the reply with its response completed, also if that comes later from a continuation.
/// Responses through http::Deferred are not changed.
http::Reply completed(http::Reply reply, std::shared_ptr<const Completion> completion);

}  // namespace weir::rules
