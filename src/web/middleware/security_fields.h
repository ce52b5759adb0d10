#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/http/response.h"
#include "weir/web/ready_middleware.h"

namespace weir::web {

/// The field lines of SecurityHeaders.
class SecurityFields {
   public:
    /// Throws std::invalid_argument for a value with a control character.
    explicit SecurityFields(SecurityHeaders headers);
    /// Adds the fields that the response does not have.
    void complete(http::Response& response) const;

   private:
    void add(std::string_view name, std::string value);

    std::vector<std::pair<std::string_view, std::string>> fields_;
};

}  // namespace weir::web
