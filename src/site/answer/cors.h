#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "weir/http/request.h"
#include "weir/http/response.h"
#include "weir/site/site.h"

namespace weir::site {

/// Parses an origin as browsers write it in the Origin field (RFC 6454 6.2): in lower case, without
/// the scheme's default port. "*" means all origins. The error is one sentence.
std::expected<std::string, std::string> origin_from(std::string_view text);

/// Allows pages of other origins to read the answers (Fetch Standard, "CORS protocol").
class Cors {
   public:
    static std::expected<Cors, std::string> from(const std::vector<std::string>& origins);

    /// The fields that are the same in every answer.
    std::vector<FieldRule> rules() const;

    /// True if `rule` sets the field that allow() sets.
    bool excludes(const FieldRule& rule) const noexcept;

    /// Adds the field that depends on the request: it names the request's origin, if that is
    /// allowed.
    void allow(const http::Request& request, http::Response& response) const {
        if (!origins_.empty()) allow_listed(request, response);
    }

    /// Completes the answer to a preflight, the OPTIONS request by which a browser asks whether a
    /// page may send a certain request. Does not change the answer to any other OPTIONS.
    void answer_preflight(const http::Request& request, http::Response& response) const;

   private:
    void allow_listed(const http::Request& request, http::Response& response) const;

    bool any_ = false;
    std::vector<std::string> origins_;  // empty if all are allowed
};

}  // namespace weir::site
