#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "weir/http/status.h"

namespace weir::web {

/// One thing that is wrong with a request.
struct Violation {
    std::string name;     // of the parameter, the field or the member: "title"
    std::string message;  // "must not be empty"
};

/// An exception that a handler may throw instead of returning an error: the peer gets the status,
/// and `what()` as the explanation on its page (one sentence without its full stop). A refusal is
/// no error of the server and is not logged as one.
class Refusal : public std::runtime_error {
   public:
    /// Throws as http::final_status() does.
    Refusal(http::Status status, const std::string& detail)
        : std::runtime_error{detail}, status_{http::final_status(status)} {}
    /// With a list of what is wrong: a problem has it as "errors".
    Refusal(http::Status status, const std::string& detail, std::vector<Violation> violations)
        : Refusal{status, detail} {
        violations_ = std::make_shared<const std::vector<Violation>>(std::move(violations));
    }
    http::Status status() const noexcept { return status_; }
    /// Valid as long as the refusal, or a copy of it.
    std::span<const Violation> violations() const noexcept {
        return violations_ ? std::span{*violations_} : std::span<const Violation>{};
    }

   private:
    http::Status status_;
    std::shared_ptr<const std::vector<Violation>> violations_{};  // copies must not throw
};

}  // namespace weir::web
