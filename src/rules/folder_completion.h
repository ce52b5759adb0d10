#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "rules/completed.h"
#include "rules/folder/headers_file.h"
#include "weir/http/response.h"

namespace weir::rules {

/// The result of a line of `_redirects` for a request.
struct Verdict {
    http::Status status;
    bool is_forced;
    std::string target;

    bool rewrites() const noexcept {
        return status == http::Status::ok || status == http::Status::not_found;
    }
};

/// The changes to a response: it becomes a redirect or a 404, and has other fields.
class FolderCompletion final : public Completion {
   public:
    FolderCompletion(std::optional<Verdict> verdict, HeaderChanges changes)
        : verdict_{std::move(verdict)}, changes_{std::move(changes)} {}

    void complete(http::Response& response) const override;

   private:
    void redirect(http::Response& response) const;
    void change_fields(http::Response& response) const;
    bool is_replaced(std::string_view name, bool is_delivered) const;

    const std::optional<Verdict> verdict_;
    const HeaderChanges changes_;
};

}  // namespace weir::rules
