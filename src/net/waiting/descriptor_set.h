#pragma once

#include <sys/select.h>

namespace weir::net {

/// A set of descriptors for select(2). It can hold the descriptors below FD_SETSIZE (1,024); put()
/// must not get others.
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
