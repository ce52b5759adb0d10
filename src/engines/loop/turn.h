#pragma once

namespace weir::engines {

/// The turn of one peer: so many transfers, before others have theirs.
class Turn {
   public:
    /// After each attempt. `tried` is false where nothing could be done: the turn ends early.
    void count(bool tried) noexcept {
        is_stuck_ = !tried;
        --transfers_left_;
    }
    bool goes_on() const noexcept { return transfers_left_ != 0 && !is_stuck_; }
    /// There may be more to do at once.
    bool is_used_up() const noexcept { return !is_stuck_; }

   private:
    unsigned transfers_left_ = 16;
    bool is_stuck_ = false;
};

}  // namespace weir::engines
