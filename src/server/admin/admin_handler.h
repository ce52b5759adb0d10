#pragma once

#include <functional>

#include "server/admin/facts.h"
#include "weir/http/handler.h"

namespace weir::server {

/// Answers /metrics, /livez, /readyz and /status, and a page of links at /. Reads, and changes
/// nothing.
class AdminHandler final : public http::Handler {
   public:
    /// `names_matter`: refuses a request whose Host is a name other than localhost. A page of another
    /// site could make that name mean 127.0.0.1, and then read the answers (DNS rebinding).
    AdminHandler(std::function<Facts()> facts, bool names_matter)
        : facts_{std::move(facts)}, names_matter_{names_matter} {}

    http::Reply handle(const http::Request& request) override;

   private:
    http::Response answer(const http::Request& request) const;
    http::Response metrics(const http::Request& request) const;
    http::Response live() const;
    http::Response ready() const;

    std::function<Facts()> facts_;
    bool names_matter_;
};

}  // namespace weir::server
