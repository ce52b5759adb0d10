#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "weir/http/request.h"

namespace weir::markdown {

/// While it lives, the request asks for the whole of a file, without a coding and without conditions:
/// what the client wishes is for the page that is made of it.
class Wishes {
   public:
    explicit Wishes(const http::Request& request);
    ~Wishes();
    Wishes(const Wishes&) = delete;
    Wishes& operator=(const Wishes&) = delete;

    /// The request was shared meanwhile, and can't be changed any more.
    void forget() noexcept { values_.clear(); }

   private:
    const http::Request& request_;
    std::vector<std::pair<std::size_t, std::string>> values_;  // of its fields
};

}  // namespace weir::markdown
