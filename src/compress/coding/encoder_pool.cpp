#include "compress/coding/encoder_pool.h"

#include <utility>

namespace weir::compress {

std::optional<EncoderPool::Lease> EncoderPool::lease(const CodingInUse& coding, std::size_t more) {
    Share share{&budget_};
    if (!share.resize(coding.bytes + more)) return std::nullopt;
    auto encoder = kept(coding.coding);
    if (!encoder) encoder = coding.make(coding.level);
    if (!encoder) return std::nullopt;
    return Lease{shared_from_this(), coding, std::move(encoder), std::move(share)};
}

std::unique_ptr<Encoder> EncoderPool::kept(http::Coding coding) {
    const std::lock_guard lock{mutex_};
    for (auto& slot : kept_[static_cast<std::size_t>(coding)])
        if (slot) return std::move(slot);
    return nullptr;
}

void EncoderPool::take_back(http::Coding coding, std::unique_ptr<Encoder> encoder) noexcept {
    if (!encoder->restart()) return;
    const std::lock_guard lock{mutex_};
    for (auto& slot : kept_[static_cast<std::size_t>(coding)]) {
        if (slot) continue;
        slot = std::move(encoder);
        return;
    }
}

}  // namespace weir::compress
