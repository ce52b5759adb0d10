#pragma once

#include <linux/io_uring.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "net/mapping.h"
#include "net/unique_fd.h"

struct msghdr;

namespace weir::net {

/// io_uring(7): operations are written into one ring that the kernel reads, their results into
/// another one that it writes. wait() hands over what was asked for, and waits, in one system call.
///
/// `about` of an operation comes back with each of its completions, and is what cancel() knows it
/// by. Until the last of them, the kernel may use whatever the operation names.
///
/// One thread uses a ring, from enable() on; it may have been opened by another.
class Ring {
   public:
    /// What this kernel's rings can do; older ones lack some of it.
    struct Features {
        bool deferred_work =
            true;                  // what completes is worked off in wait(), and nowhere else (6.1)
        bool accept_many = true;   // one operation for all that is to be accepted (5.19)
        bool receive_many = true;  // and for all that is to be received (6.0)
    };

    struct Completion {
        std::uint64_t about;
        int result;  // as of the system call of that name, or -errno
        std::uint32_t flags;

        /// The operation is over.
        bool is_last() const noexcept { return (flags & IORING_CQE_F_MORE) == 0; }
        /// The buffer that was taken for it.
        std::optional<std::uint16_t> buffer() const noexcept {
            if ((flags & IORING_CQE_F_BUFFER) == 0) return std::nullopt;
            return static_cast<std::uint16_t>(flags >> IORING_CQE_BUFFER_SHIFT);
        }
    };

    /// Before all else. Room for so many operations on their way to the kernel, and for so many
    /// completions on the way back; more of both are kept, at a price. Of the features, those in
    /// `wanted` are used. An error's message() says why this machine has no rings to offer.
    std::error_code open(unsigned operations, unsigned completions, Features wanted);
    /// By the thread that will use the ring.
    std::error_code enable() noexcept;

    const Features& features() const noexcept { return features_; }
    int fd() const noexcept { return fd_.get(); }

    // Sockets must not be O_NONBLOCK: an operation that would have to wait fails then with EAGAIN.

    /// Each completion is a connection's socket; `many`: until canceled, or failed.
    void accept(int listener, bool many, std::uint64_t about);
    /// Each completion names a buffer of the group (see BufferRing); until the end (a result of 0),
    /// an error, or want of buffers (ENOBUFS).
    void receive_many(int socket, std::uint16_t buffer_group, std::uint64_t about);
    void send(int socket, std::string_view bytes, int flags, std::uint64_t about);
    void send(int socket, const msghdr& message, int flags, std::uint64_t about);
    /// Whether `fd` is ready for one of `events` (poll(2)); `many`: at each change.
    void poll(int fd, std::uint32_t events, bool many, std::uint64_t about);
    /// Of `about_what`; whatever it has not done yet, it ends as ECANCELED.
    void cancel(std::uint64_t about_what, std::uint64_t about);
    void no_operation(std::uint64_t about);

    /// At most so many at once. There until the next call. Returns as soon as there is one, and
    /// with none when the time is over. `milliseconds`: -1 for as long as it takes.
    std::span<const Completion> wait(int milliseconds) noexcept;

   private:
    /// A ring as it lies in the memory that is shared with the kernel. One side moves the head, the
    /// other one the tail; both count up for ever.
    struct Shared {
        std::uint32_t* head = nullptr;
        std::uint32_t* tail = nullptr;
        std::uint32_t mask = 0;
        std::uint32_t entries = 0;
    };

    std::error_code map(const io_uring_params& params) noexcept;
    std::error_code probe(Features wanted);
    void add(const io_uring_sqe& operation);
    bool put(const io_uring_sqe& operation) noexcept;
    void put_waiting();
    int enter(unsigned completions_min, int milliseconds) noexcept;
    std::span<const Completion> take() noexcept;

    UniqueFd fd_;
    Mapping rings_;
    Mapping operations_memory_;
    Shared submission_;
    Shared completion_;
    io_uring_sqe* operations_ = nullptr;
    const io_uring_cqe* completions_ = nullptr;
    std::uint32_t tail_ = 0;             // of the submission ring, which is ours to move
    std::vector<io_uring_sqe> waiting_;  // while the kernel takes no more
    Features features_;
    std::array<Completion, 256> taken_;
};

/// Why there is no ring: io_uring_setup(2)'s errors, in words.
const std::error_category& ring_category() noexcept;

}  // namespace weir::net
