#pragma once

#include <stdexcept>

namespace weir::cli {

/// An error in the options, as one sentence without its full stop.
class WrongUse : public std::runtime_error {
   public:
    using std::runtime_error::runtime_error;
};

}  // namespace weir::cli
