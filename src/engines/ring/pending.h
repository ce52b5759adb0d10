#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "base/budget.h"
#include "base/troubles.h"
#include "weir/base/now.h"

namespace weir::engines {

/// The operations and the bytes that a ring has for one peer: 16 bytes, and more for the few peers
/// that need it.
class Pending {
   public:
    bool receiving : 1 = false;
    bool awaiting_space : 1 = false;
    bool ended : 1 = false;     // the peer has shut down its side,
    bool end_told : 1 = false;  // and its connection knows
    std::uint32_t batch = 0;    // the last one with a response to this peer

    /// Keeps bytes that came before the connection reads them. False if there is no memory for
    /// them, or the connections together may keep no more.
    bool park(std::string_view bytes, Budget* memory) {
        return keep(memory, [bytes](Extra& extra) { extra.parked += bytes; });
    }
    std::size_t parked() const noexcept { return extra_ ? extra_->parked.size() : 0; }
    std::string unpark() {
        std::string parked = std::exchange(extra_->parked, {});
        drop_extra_if_empty();
        return parked;
    }

    /// Keeps the rest of a response that the connection has handed over, and the time to give up
    /// sending it. False as for park().
    bool set_unsent(std::string_view bytes, Instant give_up, Budget* memory) {
        return keep(memory, [bytes, give_up](Extra& extra) {
            extra.unsent = bytes;
            extra.give_up = give_up;
        });
    }
    bool has_unsent() const noexcept { return extra_ && !extra_->unsent.empty(); }
    std::string_view unsent() const noexcept { return extra_->unsent; }
    Instant give_up() const noexcept { return extra_ ? extra_->give_up : never; }
    /// So many of the unsent bytes were sent.
    void sent(std::size_t bytes, Instant give_up) {
        extra_->unsent.erase(0, bytes);
        extra_->give_up = give_up;
        drop_unsent_if_empty();
    }
    void drop_unsent() {
        if (extra_) extra_->unsent.clear();
        drop_unsent_if_empty();
    }

   private:
    struct Extra {
        std::size_t bytes() const noexcept {
            return sizeof *this + parked.capacity() + unsent.capacity();
        }

        Share share{};  // of the memory that all connections may keep
        std::string parked{};
        std::string unsent{};
        Instant give_up = never;
    };

    template <typename Add>
    bool keep(Budget* memory, Add add) try {
        if (!extra_) extra_ = std::make_unique<Extra>(Share{memory});
        add(*extra_);
        if (extra_->share.resize(extra_->bytes())) return true;
        troubles().note(Trouble::memory);
        return false;
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
        return false;
    }
    void drop_unsent_if_empty() {
        if (!extra_ || !extra_->unsent.empty()) return;
        extra_->give_up = never;
        drop_extra_if_empty();
    }
    void drop_extra_if_empty() {
        if (extra_->parked.empty() && extra_->unsent.empty()) extra_.reset();
    }

    std::unique_ptr<Extra> extra_;
};
static_assert(sizeof(Pending) == 16);

}  // namespace weir::engines
