#pragma once

#include <cstdint>
#include <string_view>

#include "net/unique_fd.h"

namespace weir::tests {

/// A file without a name. It disappears when its descriptor is closed.
class TemporaryFile {
   public:
    TemporaryFile();

    void write(std::string_view bytes);
    /// Extends the file with a hole, which reads as zeros and takes no space, or cuts it.
    void resize(std::uint64_t bytes);
    int fd() const { return fd_.get(); }

   private:
    net::UniqueFd fd_;
};

}  // namespace weir::tests
