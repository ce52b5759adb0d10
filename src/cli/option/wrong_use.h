#pragma once

#include <stdexcept>

namespace weir::cli {

/// Says what is wrong with the options, in one sentence without its full stop.
class WrongUse : public std::runtime_error {
   public:
    using std::runtime_error::runtime_error;
};

}  // namespace weir::cli
