#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "acme/json/json.h"

namespace weir::acme {

/// The refusal of a CA (RFC 8555 6.7). Its text, what(), is for the operator, without a period.
class Problem : public std::runtime_error {
   public:
    using Seconds = std::chrono::seconds;

    /// `kind`: the last part of its type, as "badNonce"; empty if the CA gives none.
    Problem(std::string kind, const std::string& sentence, std::optional<Seconds> retry_after = {})
        : std::runtime_error{sentence}, kind_{std::move(kind)}, retry_after_{retry_after} {}

    const std::string& kind() const noexcept { return kind_; }
    /// The time before which another try is of no use.
    std::optional<Seconds> retry_after() const noexcept { return retry_after_; }

   private:
    std::string kind_;
    std::optional<Seconds> retry_after_;
};

/// The part of a conversation to which a problem belongs.
enum class About : std::uint8_t {
    request,
    binding,  // a request for an account that is bound to another one (RFC 8555 7.3.4)
    challenge,
};

/// The problem in a document (RFC 7807): the content of a response, or the error of a challenge.
/// `status`: of the response, for a document that says nothing.
Problem problem_of(const Json& document, About about, unsigned status = 0,
                   std::optional<Problem::Seconds> retry_after = {});

/// The value of a step that went well. Throws its sentence as a problem.
template <typename Value>
Value or_throw(std::expected<Value, std::string> result) {
    if (!result) throw Problem{"", result.error()};
    if constexpr (!std::is_void_v<Value>) return std::move(*result);
}

}  // namespace weir::acme
