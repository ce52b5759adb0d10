#pragma once

#include <span>

#include "live/feed.h"
#include "weir/http/response.h"

namespace weir::live {

/// The event stream of one page: the version at once, and each one after it.
class EventSource final : public http::Source {
   public:
    explicit EventSource(Feed::Place place) noexcept : place_{std::move(place)} {}

    Pulled pull(std::span<char> into) override;
    Instant due() const noexcept override { return due_; }

   private:
    Pulled give(std::string_view text, std::span<char> into);

    const Feed::Place place_;
    Version told_;
    bool has_begun_ = false;
    Instant due_ = Instant::min();  // of the next heartbeat
};

}  // namespace weir::live
