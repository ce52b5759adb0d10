#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weir/http/handler.h"

namespace weir::rules {

/// Several sites behind the same addresses: the name in Host says which one is meant, without regard
/// to case and port. Looking it up allocates nothing.
class Hosts final : public http::Handler {
   public:
    /// Names are hosts ("example.org", "192.0.2.7", "[::1]"), or "*.example.org" for all names below
    /// example.org, at any depth, but not for itself. An exact name wins over a wildcard, and a longer
    /// wildcard over a shorter one. `otherwise` is for all other requests; null: they get a 404. The
    /// handlers must outlive it. Throws std::invalid_argument for what is no name, or is named twice.
    Hosts(std::vector<std::pair<std::string, http::Handler*>> sites, http::Handler* otherwise);

    http::Reply handle(const http::Request& request) override;

   private:
    using Site = std::pair<std::string, http::Handler*>;
    http::Handler* find(std::string_view host) const noexcept;
    http::Handler* find_exactly(std::string_view name) const noexcept;

    std::vector<Site> sites_;  // in the order of their names; a wildcard begins with its full stop
    http::Handler* otherwise_;
};

}  // namespace weir::rules
