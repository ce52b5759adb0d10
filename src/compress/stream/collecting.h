#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/budget.h"
#include "compress/cache/body_cache.h"

namespace weir::compress {

/// Collects the output of a stream, so that the next client finds it in the cache.
class Collecting {
   public:
    /// `size`: of the content before compression. `share`: an empty share of the memory limit of
    /// compression.
    Collecting(std::shared_ptr<BodyCache> cache, std::string key, std::uint64_t size, Share share)
        : cache_{std::move(cache)}, key_{std::move(key)}, size_{size}, share_{std::move(share)} {}

    /// Returns false if the output is too long for the cache, or if there is no memory for it.
    bool add(std::string_view bytes) {
        // An output that is not smaller would serve no client faster, so its bytes are dropped.
        if (is_smaller_) is_smaller_ = bytes_.size() + bytes.size() < size_;
        if (!is_smaller_) {
            bytes_ = {};
            return true;
        }
        if (bytes_.size() + bytes.size() > cache_->body_bytes_max()) return false;
        while (bytes_.capacity() - bytes_.size() < bytes.size()) {
            const std::size_t wanted = 2 * bytes_.capacity() + bytes.size();
            if (!share_.resize(wanted)) return false;
            bytes_.reserve(wanted);
        }
        bytes_ += bytes;
        return true;
    }
    void finish() {
        auto body = std::make_shared<Body>();
        body->is_smaller = is_smaller_;
        bytes_.shrink_to_fit();
        body->bytes = std::move(bytes_);
        cache_->insert(std::move(key_), std::move(body));
    }

   private:
    std::shared_ptr<BodyCache> cache_;
    std::string key_;
    std::string bytes_{};
    std::uint64_t size_;
    Share share_;
    bool is_smaller_ = true;
};

}  // namespace weir::compress
