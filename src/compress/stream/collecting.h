#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "compress/cache/body_cache.h"

namespace weir::compress {

/// Gathers what a stream gives, so that the next client finds it in the cache.
class Collecting {
   public:
    /// `size`: of the content before compression.
    Collecting(std::shared_ptr<BodyCache> cache, std::string key, std::uint64_t size)
        : cache_{std::move(cache)}, key_{std::move(key)}, size_{size} {}

    void add(std::string_view bytes) {
        // Nobody is served faster by what is no smaller.
        if (bytes_.size() < size_) bytes_ += bytes;
    }
    void finish() {
        auto body = std::make_shared<Body>();
        body->is_smaller = bytes_.size() < size_;
        if (body->is_smaller) {
            bytes_.shrink_to_fit();
            body->bytes = std::move(bytes_);
        }
        cache_->insert(std::move(key_), std::move(body));
    }

   private:
    std::shared_ptr<BodyCache> cache_;
    std::string key_;
    std::string bytes_{};
    std::uint64_t size_;
};

}  // namespace weir::compress
