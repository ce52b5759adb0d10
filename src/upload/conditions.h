#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "upload/naming.h"
#include "weir/http/request.h"

namespace weir::upload {

/// The conditions of a PUT (RFC 9110 13.1), copied from its request for another thread.
class Conditions {
   public:
    Conditions() = default;
    static Conditions of(const http::Request& request);

    struct File {
        std::function<std::string()> entity_tag;  // called if a condition names a tag
        std::int64_t modified = 0;                // Unix seconds
    };
    /// `file`: the present file of the name; null if there is none.
    bool hold_for(const File* file) const;

    /// The file may replace one, whatever the options of the store say.
    void let_replace() noexcept { may_replace_ = true; }
    bool let_it_replace() const noexcept { return may_replace_; }
    /// Takes the place of the store's own further look.
    void look_further(FurtherLook look) { further_ = std::move(look); }
    const FurtherLook& further() const noexcept { return further_; }

   private:
    bool has_match(const File* file) const;
    bool has_none_match(const File* file) const;

    std::vector<std::string> match_{};       // lines of If-Match
    std::vector<std::string> none_match_{};  // lines of If-None-Match
    std::optional<std::int64_t> unmodified_since_{};
    bool may_replace_ = false;
    FurtherLook further_{};  // null: that of the store
};

}  // namespace weir::upload
