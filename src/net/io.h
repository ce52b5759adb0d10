#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace weir::net {

/// The result of one attempt to send or receive bytes.
struct Moved {
    enum class Kind : std::uint8_t {
        bytes,        // `size` of them, at least one
        would_block,  // no byte at present
        ended,        // receive: the peer has shut down its side; send_file: the file ends here
        failed,       // the connection is no longer usable: `error` is an errno
    };
    Kind kind;
    int error = 0;
    std::size_t size = 0;
};
static_assert(sizeof(Moved) == 16);  // returned in registers

/// Receives the bytes that have arrived, up to the size of `into`. For this and the functions
/// below: sockets are non-blocking; a function repeats a system call that a signal interrupts; only
/// send_file() can raise SIGPIPE (see SigpipeBlocked).
Moved receive(int socket, std::span<char> into) noexcept;

/// Sends at most `parts_max` parts, one after the other. `more`: a file, or the end of sending,
/// follows immediately (MSG_MORE), so the parts should not leave in a segment of their own.
inline constexpr std::size_t parts_max = 8;
Moved send(int socket, std::span<const std::string_view> parts, bool more) noexcept;

/// Sends a range of a file by sendfile(2), or by reading it if its file system doesn't support that
/// call. One call sends no more than the socket's buffer takes.
Moved send_file(int socket, int file, std::uint64_t offset, std::uint64_t size) noexcept;

/// The number of sent bytes that the peer's system has not acknowledged (SIOCOUTQ). 0 if the system
/// doesn't know it.
std::size_t queued_bytes(int socket) noexcept;

/// For a TCP socket that connects, or that listens: its connections inherit the settings. The kernel
/// sends all bytes at once (RFC 896 waits for more). It asks a peer that has been silent for a
/// minute, and resets the connection of one that has gone without a word, so content may pause for
/// hours. tcp(7)
bool set_up_tcp(int socket) noexcept;

/// Makes close(2) discard the queued bytes and send a reset to the peer (SO_LINGER with a time of
/// 0). Otherwise the kernel keeps the bytes, for minutes if the peer takes none.
void reset_on_close(int socket) noexcept;

/// The number of bytes that the peer of a TCP connection has sent and acknowledged since the
/// connection was opened. Nothing if the system doesn't know it, as for a unix socket.
std::optional<std::uint64_t> moved_bytes(int socket) noexcept;

/// Blocks SIGPIPE for the calling thread as long as the object exists. sendfile(2) to a reset peer
/// raises this signal and has no flag that prevents it. Engines block it in each thread that sends,
/// because the program itself decides how it handles SIGPIPE.
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
