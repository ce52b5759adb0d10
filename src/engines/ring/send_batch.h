#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "engines/peer/peer.h"
#include "weir/http/connection.h"

namespace weir::engines {

/// The small responses that a loop has copied for its ring to send. The kernel sends them all in
/// the loop's next io_uring_enter(2), and reports only those that it could not send whole. The next
/// batch uses the same memory.
class SendBatch {
   public:
    struct Sending {
        Peer* peer;
        std::string_view bytes;
    };

    /// In bytes. A larger copy costs more than the system call that it saves.
    static constexpr std::size_t bytes_max = 4 * 1024;

    /// Whether there is memory for `bytes` more.
    bool has_room(std::size_t bytes) const noexcept {
        return used_ + bytes <= capacity && sendings_.size() < sendings_.capacity();
    }

    /// Copies the parts of `what`, after has_room(). Returns the index of the new entry.
    std::size_t add(Peer& peer, const http::Transmission& what) {
        char* const begin = memory_->data() + used_;
        for (const std::string_view part : what.parts) {
            part.copy(memory_->data() + used_, part.size());
            used_ += part.size();
        }
        sendings_.push_back({&peer, {begin, what.part_bytes()}});
        return sendings_.size() - 1;
    }
    const Sending& operator[](std::size_t index) const noexcept { return sendings_[index]; }

    /// Differs from that of the last batch; never 0.
    std::uint32_t number() const noexcept { return number_; }
    /// The kernel has finished the whole batch.
    void clear() noexcept {
        if (sendings_.empty()) return;
        sendings_.clear();
        used_ = 0;
        if (++number_ == 0) number_ = 1;
    }

   private:
    static std::vector<Sending> with_room() {
        std::vector<Sending> sendings;
        sendings.reserve(sendings_max);
        return sendings;
    }

    static constexpr std::size_t capacity = 256 * 1024;
    using Memory = std::array<char, capacity>;

    static constexpr std::size_t sendings_max = 2048;

    std::unique_ptr<Memory> memory_ = std::make_unique_for_overwrite<Memory>();
    std::vector<Sending> sendings_ = with_room();
    std::size_t used_ = 0;
    std::uint32_t number_ = 1;
};

}  // namespace weir::engines
