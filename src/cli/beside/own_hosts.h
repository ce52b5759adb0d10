#pragma once

#include "weir/http/handler.h"

namespace weir::cli {

/// Passes on requests for an IP address, localhost or a name below it, and answers others with 421:
/// a page of evil.com could let that name lead to this machine, and read the answers (DNS
/// rebinding).
class OwnHosts final : public http::Handler {
   public:
    /// `behind` must outlive it.
    explicit OwnHosts(http::Handler& behind) noexcept : behind_{behind} {}

    http::Reply handle(const http::Request& request) override;

   private:
    http::Handler& behind_;
};

}  // namespace weir::cli
