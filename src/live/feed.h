#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>

#include "live/news.h"
#include "weir/http/handler.h"

namespace weir::live {

/// The event streams of this process. Thread-safe.
class Feed : public std::enable_shared_from_this<Feed> {
   public:
    Feed(std::shared_ptr<const News> news, std::size_t streams_max) noexcept
        : news_{std::move(news)}, streams_max_{streams_max} {}

    const News& news() const noexcept { return *news_; }

    /// The place of one stream.
    class Place {
       public:
        Place(Place&& other) noexcept = default;
        Place& operator=(Place&&) = delete;
        ~Place() {
            if (feed_) feed_->leave(waker_);
        }
        const Feed& feed() const noexcept { return *feed_; }
        const http::Waker& waker() const noexcept { return *waker_; }

       private:
        friend class Feed;
        Place(std::shared_ptr<Feed> feed, std::list<http::Waker>::iterator waker) noexcept
            : feed_{std::move(feed)}, waker_{waker} {}

        std::shared_ptr<Feed> feed_;
        std::list<http::Waker>::iterator waker_;
    };
    /// Null if there are too many streams, or if all streams have ended.
    std::optional<Place> join(http::Waker waker);
    /// Wakes all streams, because there are news.
    void wake() const;

   private:
    void leave(std::list<http::Waker>::iterator waker) noexcept;

    const std::shared_ptr<const News> news_;
    const std::size_t streams_max_;
    mutable std::mutex mutex_;
    std::list<http::Waker> streams_;
};

}  // namespace weir::live
