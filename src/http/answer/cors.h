#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::http {

/// Parses an origin as browsers write it in the Origin field (RFC 6454 6.2): in lower case, without
/// the scheme's default port. "*" means all origins. The error is one sentence.
std::expected<std::string, std::string> origin_from(std::string_view text);

/// What pages of other origins may do.
struct CorsPolicy {
    std::vector<std::string> origins{};  // one "*" allows all; none: CORS is off
    bool credentials = false;            // only with origins that are named
    std::string exposed{};               // names of fields that pages may read, a list
    // For the answer to a preflight.
    std::string methods{};
    std::string headers{};    // of requests, a list
    bool any_header = false;  // instead: those that the preflight asks for
    std::string max_age{};    // in seconds
};

/// Lets pages of other origins read answers (Fetch Standard, "CORS protocol").
class Cors {
   public:
    using Field = std::pair<std::string, std::string>;

    Cors() = default;
    static std::expected<Cors, std::string> from(CorsPolicy policy);

    /// The fields that every answer has, whether the request names an origin or not: a shared cache
    /// may give an answer to pages that did not ask for it.
    const std::vector<Field>& fixed_fields() const noexcept { return fixed_fields_; }

    /// allow() sets Access-Control-Allow-Origin.
    bool names_origins() const noexcept { return !policy_.origins.empty(); }

    /// Adds the fields that depend on the request: they name its origin, if that is allowed.
    void allow(const Request& request, Response& response) const {
        if (names_origins()) allow_listed(request, response);
    }

    /// The OPTIONS request by which a browser asks whether a page may send a certain request.
    static bool is_preflight(const Request& request) noexcept;
    /// Completes the answer to a preflight; any other answer stays as it is.
    void answer_preflight(const Request& request, Response& response) const;

   private:
    bool allows(std::string_view origin) const noexcept;
    void allow_listed(const Request& request, Response& response) const;

    CorsPolicy policy_{};  // its origins are empty if all are allowed
    bool any_ = false;
    std::vector<Field> fixed_fields_{};
};

}  // namespace weir::http
