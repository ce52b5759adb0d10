#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/quick_hash.h"
#include "base/thread_local.h"
#include "compress/cache/body.h"

namespace weir::compress {

/// A response that is ready to be sent, and the request and fields that it belongs to.
struct ReadyAnswer {
    std::string target{};        // of the request, in its original form
    std::string accepted{};      // its Accept-Encoding
    std::string inner_fields{};  // of the handler's response; they contain its entity tag
    std::string fields{};        // of the compressed response
    std::string block{};         // the same for HTTP/2; empty if the response is not kept
    std::shared_ptr<const Body> body{};
};

/// The latest responses of each thread, in front of the cache: a hit takes no lock, parses nothing
/// and allocates nothing.
class BodyThreadCache {
   public:
    /// A longer body takes so long to send that the cache's lock does not matter. A thread may keep
    /// 32 bodies after the cache has evicted them.
    static constexpr std::size_t body_bytes_max = 64 * 1024;

    /// Null if there is no memory for the table.
    static BodyThreadCache* of_this_thread() noexcept {
        return ThreadLocal<BodyThreadCache>::get();
    }

    struct Asked {
        std::string_view target, accepted, inner_fields;
    };
    /// `compressor`: the number of the compressor. Returns null if there is no such response, or if
    /// its body was evicted.
    std::shared_ptr<const ReadyAnswer> find(std::uint64_t compressor, const Asked& asked) noexcept {
        Slot& slot = slot_of(asked.target, asked.accepted);
        if (slot.compressor != compressor || !slot.answer) return nullptr;
        const ReadyAnswer& answer = *slot.answer;
        if (answer.target != asked.target || answer.accepted != asked.accepted) return nullptr;
        if (!answer.body->is_cached.load(std::memory_order_acquire)) {
            slot = {};
            return nullptr;
        }
        if (answer.inner_fields != asked.inner_fields) return nullptr;
        answer.body->mark_used();
        return slot.answer;
    }

    void put(std::uint64_t compressor, std::shared_ptr<const ReadyAnswer> answer) noexcept {
        Slot& slot = slot_of(answer->target, answer->accepted);
        slot = {compressor, std::move(answer)};
    }

   private:
    struct Slot {
        std::uint64_t compressor = 0;  // 0: empty
        std::shared_ptr<const ReadyAnswer> answer{};
    };

    Slot& slot_of(std::string_view target, std::string_view accepted) noexcept {
        return slots_[(quick_hash(target) + quick_hash(accepted)) % slots_.size()];
    }

    std::array<Slot, 32> slots_;
};

}  // namespace weir::compress
