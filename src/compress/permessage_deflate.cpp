#include "weir/compress/permessage_deflate.h"

#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "compress/coding/encoder.h"
#include "compress/coding/expander.h"
#include "compress/coding/shelf.h"

namespace weir::web {
namespace {

class PermessageDeflate final : public MessageCompression {
   public:
    explicit PermessageDeflate(DeflateOptions options) noexcept : options_{options} {}

    std::shared_ptr<const std::string> compress(std::string_view message) const noexcept override {
        if (message.size() < options_.size_min || message.size() > options_.size_max)
            return nullptr;
        try {
            auto encoder = encoders_.take();
            if (!encoder) encoder = compress::make_deflate_encoder(options_.level);
            if (!encoder) return nullptr;
            auto payload = smaller(message, *encoder);
            if (encoder->restart()) encoders_.put(std::move(encoder));
            return payload;
        } catch (const std::bad_alloc&) {
            return nullptr;
        }
    }

    Expansion expand(std::string_view payload, std::size_t bytes_max,
                     std::string& message) const override {
        auto expander = expanders_.take();
        if (!expander) expander = compress::make_expander();
        const Expansion result = expander->expand(payload, bytes_max, message);
        expanders_.put(std::move(expander));
        return result;
    }

   private:
    /// Null if the payload would not be smaller than the message. The peer adds the end of the
    /// output (RFC 7692 7.2.1).
    static std::shared_ptr<const std::string> smaller(std::string_view message,
                                                      compress::Encoder& encoder) {
        std::string payload(message.size() + compress::sync_end.size(), '\0');
        const auto progress = encoder.encode(message, payload, compress::Flush::sync);
        if (progress.has_failed || !progress.is_done) return nullptr;
        payload.resize(progress.given - compress::sync_end.size());
        payload.shrink_to_fit();
        return std::make_shared<const std::string>(std::move(payload));
    }

    DeflateOptions options_;
    mutable compress::Shelf<compress::Encoder> encoders_;
    mutable compress::Shelf<compress::Expander> expanders_;
};

}  // namespace

std::shared_ptr<const MessageCompression> permessage_deflate(DeflateOptions options) {
    if (options.level < 1 || options.level > 9)
        throw std::invalid_argument{"permessage-deflate has levels from 1 to 9"};
    if (compress::make_deflate_encoder == nullptr)
        throw std::invalid_argument{"permessage-deflate needs zlib, which this build lacks"};
    return std::make_shared<PermessageDeflate>(options);
}

}  // namespace weir::web
