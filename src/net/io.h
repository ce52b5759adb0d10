#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace weir::net {

/// What came of one attempt to move bytes.
struct Moved {
    enum class Kind : std::uint8_t {
        bytes,        // `size` of them, at least one
        would_block,  // none now
        ended,        // receive: the peer shut down its side; send_file: the file ends here
        failed,       // the connection is gone, or cannot be used: `error` is an errno
    };
    Kind kind;
    int error = 0;
    std::size_t size = 0;
};
static_assert(sizeof(Moved) == 16);  // returned in registers

/// The sockets are non-blocking. An interrupted call is made again; no call raises SIGPIPE, except
/// send_file(): see SigpipeBlocked.
Moved receive(int socket, std::span<char> into) noexcept;

/// Sends the parts one behind the other, `parts` of them at most. `more` says that a file or the
/// end follows at once (MSG_MORE), so that these do not leave in a segment of their own.
inline constexpr std::size_t parts_max = 8;
Moved send(int socket, std::span<const std::string_view> parts, bool more) noexcept;

/// Sends a stretch of a file from where it lies (sendfile(2)); where its file system can't do that,
/// by reading it. What the kernel takes at once is bounded by the socket's buffer.
Moved send_file(int socket, int file, std::uint64_t offset, std::uint64_t size) noexcept;

/// sendfile(2) to a reset peer raises SIGPIPE and has no flag against it. Engines block the signal
/// in each thread that sends, for as long as they run, instead of changing what the process does
/// with it: that is the embedder's.
class SigpipeBlocked {
   public:
    SigpipeBlocked() noexcept;
    ~SigpipeBlocked();
    SigpipeBlocked(const SigpipeBlocked&) = delete;
    SigpipeBlocked& operator=(const SigpipeBlocked&) = delete;

   private:
    bool was_blocked_;
};

}  // namespace weir::net
