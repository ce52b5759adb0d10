#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "live/feed.h"
#include "weir/http/response.h"

namespace weir::live {

/// The event stream of one page: the present version at once, and then each new one.
class EventSource final : public http::Source {
   public:
    explicit EventSource(Feed::Place place) noexcept : place_{std::move(place)} {}

    Pulled pull(std::span<char> into) override;
    Instant due() const noexcept override { return due_; }
    bool ends_with_peer() const noexcept override { return true; }

   private:
    void tell();
    Pulled give(std::span<char> into);

    const Feed::Place place_;
    Version told_;
    bool has_begun_ = false;
    std::string text_;              // the event that is being sent
    std::size_t given_ = 0;         // bytes of it
    Instant due_ = Instant::min();  // of the next heartbeat
};

}  // namespace weir::live
