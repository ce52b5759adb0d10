#include "compress/coding/encoder_pool.h"

#include <utility>

namespace weir::compress {

std::optional<EncoderPool::Lease> EncoderPool::lease(const CodingInUse& coding,
                                                     const EncoderKind& kind, std::size_t more) {
    Share share{&budget_};
    if (!share.resize(kind.bytes + more)) return std::nullopt;
    auto encoder = kept_[kind.slot].take();
    if (!encoder) encoder = kind.make(coding.level);
    if (!encoder) return std::nullopt;
    return Lease{shared_from_this(), coding, kind, std::move(encoder), std::move(share)};
}

void EncoderPool::take_back(std::size_t slot, std::unique_ptr<Encoder> encoder) noexcept {
    if (encoder->restart()) kept_[slot].put(std::move(encoder));
}

}  // namespace weir::compress
