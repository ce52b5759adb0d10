#pragma once

#include "weir/base/now.h"

namespace weir::engines {

/// Told of the turns of loops, so that somebody knows how long they take. A turn begins when a loop
/// has waited for its descriptors, and ends when it is about to wait again. Called by the loop's own
/// thread. Must not block.
class TurnObserver {
   public:
    virtual void turn_began(Instant now) noexcept = 0;
    /// Does nothing where no turn has begun.
    virtual void turn_ended(Instant now) noexcept = 0;

   protected:
    ~TurnObserver() = default;
};

}  // namespace weir::engines
