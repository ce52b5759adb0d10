#pragma once

#include "rules/answer/changed_reply.h"
#include "weir/http/handler.h"

namespace weir::rules {

/// Adds the fields of web::SecurityHeaders to each answer that does not have them.
class SecurityHeaders final : public http::Handler {
   public:
    /// `inner` must outlive it.
    explicit SecurityHeaders(http::Handler& inner) noexcept : inner_{inner} {}

    http::Reply handle(const http::Request& request) override;

   private:
    http::Handler& inner_;
};

}  // namespace weir::rules
