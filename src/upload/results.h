#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weir/http/response.h"

namespace weir::upload {

/// The results of the files of a form.
class Results {
   public:
    void add(std::string name, http::Status status, std::string why = {});
    /// The form has further parts, which were not read.
    void leave_rest() noexcept { leaves_rest_ = true; }
    bool is_empty() const noexcept { return all_.empty(); }

    /// With the status of each file. The response has the status of the first file that was
    /// refused.
    http::Response as_json() const;
    /// For a browser: a redirect to the page at `folder` (RFC 3986 4.1), or a page that names the
    /// files that were refused.
    http::Response as_page(std::string_view folder) const;

   private:
    struct Result {
        std::string name;
        http::Status status;
        std::string why;  // empty: the file was taken
    };

    const Result* first_refused() const noexcept;
    std::size_t taken() const noexcept;

    std::vector<Result> all_;
    bool leaves_rest_ = false;
};

}  // namespace weir::upload
