#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "http/content/user_code.h"
#include "weir/base/now.h"
#include "weir/http/handler.h"

namespace weir::http {

/// The content of a request on its way in: for a sink, or collected in the request.
class ContentIn {
   public:
    enum class Passed : std::uint8_t {
        on,
        paused,    // the sink has these bytes, and pauses
        failed,    // the sink has failed, and is gone
        too_long,  // beyond the limit of collected content
    };

    /// Without a sink the content is collected.
    void begin(std::unique_ptr<Sink> sink, Instant now) noexcept {
        sink_ = std::move(sink);
        began_ = now;
    }
    /// `bytes` have come, and are passed on now or later.
    void count(std::size_t bytes) noexcept { received_ += bytes; }
    /// `collected` belongs to the request, and has at most `bytes_max` bytes.
    Passed pass_on(std::string_view bytes, const UserCode& code, std::string& collected,
                   std::size_t bytes_max) {
        if (sink_) return feed(bytes, code);
        if (collected.size() + bytes.size() > bytes_max) return Passed::too_long;
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
};

}  // namespace weir::http
