#pragma once

#include <stdexcept>
#include <string>

#include "weir/http/status.h"

namespace weir::web {

/// An exception that a handler may throw instead of returning an error: the peer gets the status,
/// and `what()` as the explanation on its page (one sentence without its full stop). A refusal is
/// no error of the server and is not logged as one.
class Refusal : public std::runtime_error {
   public:
    /// Throws as http::final_status() does.
    Refusal(http::Status status, const std::string& detail)
        : std::runtime_error{detail}, status_{http::final_status(status)} {}
    http::Status status() const noexcept { return status_; }

   private:
    http::Status status_;
};

}  // namespace weir::web
