#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "weir/http/request.h"

namespace weir::markdown {

/// As long as this object lives, the request asks for the whole of a file, without a coding and
/// without conditions: the wishes of the client are for the page that is made of the file.
class Wishes {
   public:
    explicit Wishes(const http::Request& request);
    ~Wishes();
    Wishes(const Wishes&) = delete;
    Wishes& operator=(const Wishes&) = delete;

    /// Leaves the request as it is, because it was shared meanwhile and can't be changed.
    void forget() noexcept { values_.clear(); }

   private:
    const http::Request& request_;
    std::vector<std::pair<std::size_t, std::string>> values_;  // of its fields
};

}  // namespace weir::markdown
