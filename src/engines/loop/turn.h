#pragma once

namespace weir::engines {

/// The turn of one peer: a number of transfers, before other peers have their turns.
class Turn {
   public:
    /// After each attempt. `tried` is false if nothing could be done: the turn ends early.
    void count(bool tried) noexcept { transfers_left_ = tried ? transfers_left_ - 1 : stuck; }
    bool goes_on() const noexcept { return transfers_left_ > 0; }
    /// There may be more to do at once.
    bool is_used_up() const noexcept { return transfers_left_ == 0; }

   private:
    static constexpr int stuck = -1;
    int transfers_left_ = 16;
};

}  // namespace weir::engines
