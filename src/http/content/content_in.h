#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "http/content/user_code.h"
#include "weir/base/now.h"
#include "weir/http/handler.h"
#include "weir/http/limits.h"

namespace weir::http {

/// The number of bytes of content that the reply of a handler lets pass.
inline std::uint64_t content_bytes_max(const Reply& reply, const Limits& limits) noexcept {
    const auto or_default = [](std::uint64_t bytes_max, std::uint64_t otherwise) {
        return bytes_max != 0 ? bytes_max : otherwise;
    };
    const auto* const stream = std::get_if<StreamContent>(&reply);
    if (stream != nullptr && stream->sink)
        return or_default(stream->bytes_max, std::numeric_limits<std::uint64_t>::max());
    const auto* const read = std::get_if<ReadContent>(&reply);
    return or_default(read != nullptr ? read->bytes_max : 0, limits.content_bytes_max);
}

/// The content of a request on its way in: for a sink, or collected in the request.
class ContentIn {
   public:
    enum class Passed : std::uint8_t {
        on,
        paused,    // the sink has these bytes, and pauses
        failed,    // the sink has failed, and is gone
        too_long,  // beyond the limit
    };

    /// Without a sink the content is collected.
    void begin(std::unique_ptr<Sink> sink, std::uint64_t bytes_max, Instant now) noexcept {
        sink_ = std::move(sink);
        left_ = bytes_max;
        began_ = now;
    }
    /// `bytes` have come, and are passed on now or later.
    void count(std::size_t bytes) noexcept { received_ += bytes; }
    /// `collected` belongs to the request.
    Passed pass_on(std::string_view bytes, const UserCode& code, std::string& collected) {
        if (bytes.size() > left_) return Passed::too_long;
        left_ -= bytes.size();
        if (sink_) return feed(bytes, code);
        collected += bytes;
        return Passed::on;
    }
    /// The content is complete.
    void end() noexcept { sink_.reset(); }
    /// The rest is not used, or does not come. The sink's cut() is called.
    void cut() noexcept {
        if (sink_) std::exchange(sink_, nullptr)->cut();
    }

    bool is_collected() const noexcept { return sink_ == nullptr; }
    Instant began() const noexcept { return began_; }
    std::uint64_t received() const noexcept { return received_; }

   private:
    Passed feed(std::string_view bytes, const UserCode& code) {
        switch (code.take(*sink_, bytes)) {
            case Sink::Taken::more: return Passed::on;
            case Sink::Taken::paused: return Passed::paused;
            case Sink::Taken::failed: break;
        }
        sink_.reset();
        return Passed::failed;
    }

    std::unique_ptr<Sink> sink_;
    Instant began_{};
    std::uint64_t received_ = 0;  // bytes, decoded
    std::uint64_t left_ = 0;      // bytes that may still be passed on
};

}  // namespace weir::http
