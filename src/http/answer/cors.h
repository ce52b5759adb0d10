#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/http/request.h"
#include "weir/http/response.h"

namespace weir::http {

/// The rights of pages of other origins.
struct CorsPolicy {
    std::vector<std::string> origins{};  // one "*" allows all; none: CORS is off
    bool credentials = false;            // only with origins that are named
    std::string exposed{};               // names of fields that pages may read, a list
    // For the response to a preflight.
    std::string methods{};
    std::string headers{};    // of requests, a list
    bool any_header = false;  // allow those that the preflight asks for, instead of `headers`
    std::string max_age{};    // in seconds
};

/// Lets pages of other origins read responses (Fetch Standard, "CORS protocol").
class Cors {
   public:
    using Field = std::pair<std::string, std::string>;

    Cors() = default;
    static std::expected<Cors, std::string> from(CorsPolicy policy);

    /// The fields that every response has, also if the request names no origin: a shared cache may
    /// give a response to pages that did not ask for it.
    const std::vector<Field>& fixed_fields() const noexcept { return fixed_fields_; }

    /// True if allow() sets Access-Control-Allow-Origin.
    bool names_origins() const noexcept { return !policy_.origins.empty(); }

    /// Adds the fields that depend on the request. They name its origin, if the origin is allowed.
    void allow(const Request& request, Response& response) const {
        if (names_origins()) allow_listed(request, response);
    }

    /// True for the OPTIONS request by which a browser asks whether a page may send another
    /// request.
    static bool is_preflight(const Request& request) noexcept;
    /// True for a preflight of an allowed origin.
    bool allows_preflight(const Request& request) const noexcept;
    /// Completes the response to a preflight. Any other response stays as it is.
    void answer_preflight(const Request& request, Response& response) const;

   private:
    bool allows(std::string_view origin) const noexcept;
    void allow_listed(const Request& request, Response& response) const;

    CorsPolicy policy_{};  // `origins` is empty if all are allowed
    bool any_ = false;
    std::vector<Field> fixed_fields_{};
};

}  // namespace weir::http
