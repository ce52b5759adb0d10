#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/http/handler.h"

namespace weir::rules {

/// The key of a host's name: "example.org" for "Example.org.", and ".example.org" for
/// "*.example.org". Null if HostHandler allows no such name.
std::optional<std::string> host_key(std::string_view name);

/// The handler that choose_by_host() returns.
class ByHost final : public http::Handler {
   public:
    explicit ByHost(http::Handler* otherwise) noexcept : otherwise_{otherwise} {}

    /// The error is a sentence without its full stop.
    std::expected<void, std::string> add(const std::string& name, http::Handler& handler);
    http::Reply handle(const http::Request& request) override;
    /// The handler for the host of the request; null if there is none.
    http::Handler* chosen(const http::Request& request) const noexcept;

   private:
    using Site = std::pair<std::string, http::Handler*>;

    const Site* find(std::string_view name) const noexcept;

    std::vector<Site> sites_;  // sorted; by host_key()
    http::Handler* otherwise_;
};

}  // namespace weir::rules
