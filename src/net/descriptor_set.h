#pragma once

#include <sys/select.h>

namespace weir::net {

/// Descriptors, as select(2) takes and returns them: a set of FD_SETSIZE bits, which are 1,024. A
/// higher descriptor can't be asked about, and must not be put in.
class DescriptorSet {
   public:
    DescriptorSet() { FD_ZERO(&bits_); }

    static bool has_room_for(int fd) { return fd < FD_SETSIZE; }
    void put(int fd, bool in) { in ? FD_SET(fd, &bits_) : FD_CLR(fd, &bits_); }
    bool has(int fd) const { return FD_ISSET(fd, &bits_); }

    fd_set* bits() { return &bits_; }

   private:
    fd_set bits_;
};

}  // namespace weir::net
