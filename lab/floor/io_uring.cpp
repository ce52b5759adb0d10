// floor/io-uring: the same on io_uring(7), by the reference library. One operation accepts all
// connections, one more receives all that a connection sends, into buffers that they share, and
// sockets live in the ring's own table (direct descriptors), so that nothing is looked up twice. A
// system call hands over all sends of a turn, and brings back all that was received meanwhile.

#include <liburing.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <cerrno>
#include <vector>

#include "run.h"

namespace {

using namespace lab;

constexpr unsigned operations = 4096;
constexpr unsigned completions = 16'384;
constexpr unsigned buffers = 1024;  // of received bytes, for all connections together
constexpr unsigned buffer_bytes = 4096;
constexpr int group = 0;

enum class Kind : std::uint32_t { accepted, received, sent, done };

struct Connection : Peer {
    bool is_sending = false;    // one operation at a time: two might overtake each other
    bool is_receiving = false;  // until the peer has said all, or nobody wants to hear more
    bool is_closed = false;     // what completes now comes too late
};

class Loop {
   public:
    Loop(int listener, const Answers& answers, unsigned connections_max)
        : listener_{listener}, answers_{answers}, connections_(connections_max) {
        open();
        checked(::io_uring_register_files_sparse(&ring_, connections_max), "register files");
        share_buffers();
        accept();
    }

    [[noreturn]] void run() {
        for (;;) {
            ::io_uring_submit_and_wait(&ring_, 1);
            unsigned head, count = 0;
            const io_uring_cqe* completion;
            io_uring_for_each_cqe(&ring_, head, completion) {
                take(*completion);
                ++count;
            }
            ::io_uring_cq_advance(&ring_, count);
        }
    }

   private:
    void open() {
        // What completes is worked off when this thread asks for it (6.1), or at least without
        // interrupting it (5.19).
        io_uring_params params{};
        params.cq_entries = completions;
        params.flags =
            IORING_SETUP_CQSIZE | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
        if (::io_uring_queue_init_params(operations, &ring_, &params) == 0) return;
        params = {};
        params.cq_entries = completions;
        params.flags = IORING_SETUP_CQSIZE | IORING_SETUP_COOP_TASKRUN;
        result(::io_uring_queue_init_params(operations, &ring_, &params), "io_uring_setup");
    }

    /// liburing returns -errno.
    static void result(int returned, const char* what) {
        errno = -returned;
        checked(returned, what);
    }

    void share_buffers() {
        const std::size_t bytes = buffers * (sizeof(io_uring_buf) + buffer_bytes);
        void* const memory =
            ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        checked(memory == MAP_FAILED ? -1 : 0, "mmap");
        shared_ = static_cast<io_uring_buf_ring*>(memory);
        memory_ = static_cast<char*>(memory) + buffers * sizeof(io_uring_buf);
        io_uring_buf_reg registration{};
        registration.ring_addr = reinterpret_cast<std::uint64_t>(shared_);
        registration.ring_entries = buffers;
        result(::io_uring_register_buf_ring(&ring_, &registration, 0), "register buffers");
        for (unsigned buffer = 0; buffer < buffers; ++buffer) give_back(buffer);
    }

    char* buffer_at(unsigned buffer) const { return memory_ + std::size_t{buffer} * buffer_bytes; }

    void give_back(unsigned buffer) {
        ::io_uring_buf_ring_add(shared_, buffer_at(buffer), buffer_bytes,
                                static_cast<unsigned short>(buffer),
                                ::io_uring_buf_ring_mask(buffers), 0);
        ::io_uring_buf_ring_advance(shared_, 1);
    }

    // ---- operations ----

    io_uring_sqe* operation() {
        io_uring_sqe* made;
        while ((made = ::io_uring_get_sqe(&ring_)) == nullptr) ::io_uring_submit(&ring_);
        return made;
    }

    /// What completes says on which connection, and what it was.
    static std::uint64_t about(unsigned slot, Kind kind) {
        return std::uint64_t{slot} << 32 | static_cast<std::uint32_t>(kind);
    }

    static void of(io_uring_sqe* made, unsigned slot, Kind kind) {
        made->flags |= IOSQE_FIXED_FILE;
        made->user_data = about(slot, kind);
    }

    void accept() {
        auto* const made = operation();
        ::io_uring_prep_multishot_accept_direct(made, listener_, nullptr, nullptr, 0);
        made->user_data = about(0, Kind::accepted);
    }

    void receive(unsigned slot) {
        auto* const made = operation();
        ::io_uring_prep_recv_multishot(made, static_cast<int>(slot), nullptr, 0, 0);
        made->flags |= IOSQE_BUFFER_SELECT;
        made->buf_group = group;
        of(made, slot, Kind::received);
        connections_[slot].is_receiving = true;
    }

    void send(unsigned slot) {
        Connection& connection = connections_[slot];
        const std::string_view next = connection.answer->next(connection.owed);
        auto* const made = operation();
        // MSG_WAITALL: the ring itself goes on until all of it is sent.
        ::io_uring_prep_send(made, static_cast<int>(slot), next.data(), next.size(),
                             MSG_NOSIGNAL | MSG_WAITALL);
        of(made, slot, Kind::sent);
        connection.is_sending = true;
    }

    /// An operation under way would keep the socket open: receiving is given up first.
    void close(unsigned slot) {
        Connection& connection = connections_[slot];
        connection.is_closed = true;
        if (connection.is_receiving) {
            auto* const canceled = operation();
            ::io_uring_prep_cancel64(canceled, about(slot, Kind::received), 0);
            silently(canceled);
        }
        auto* const made = operation();
        ::io_uring_prep_close_direct(made, slot);
        silently(made);
    }

    /// Only a failure completes.
    static void silently(io_uring_sqe* made) {
        made->flags |= IOSQE_CQE_SKIP_SUCCESS;
        made->user_data = about(0, Kind::done);
    }

    // ---- what they came to ----

    void take(const io_uring_cqe& completion) {
        const auto slot = static_cast<unsigned>(completion.user_data >> 32);
        switch (static_cast<Kind>(completion.user_data & 0xffff'ffff)) {
            case Kind::accepted: accepted(completion); break;
            case Kind::received: received(slot, completion); break;
            case Kind::sent: sent(slot, completion.res); break;
            case Kind::done: break;
        }
    }

    void accepted(const io_uring_cqe& completion) {
        if (completion.res >= 0) {
            connections_[completion.res] = {};
            receive(static_cast<unsigned>(completion.res));
        } else if (completion.res == -ENFILE) {
            result(completion.res, "accept");  // a floor that can't take all is no floor
        }
        if ((completion.flags & IORING_CQE_F_MORE) == 0) accept();
    }

    void received(unsigned slot, const io_uring_cqe& completion) {
        // Given up when the connection was closed; the slot may have its next one already.
        if (completion.res == -ECANCELED) return;
        Connection& connection = connections_[slot];
        if (completion.res > 0) {
            const unsigned buffer = completion.flags >> IORING_CQE_BUFFER_SHIFT;
            answers_.owe(connection, {buffer_at(buffer), static_cast<std::size_t>(completion.res)});
            give_back(buffer);
        }
        if (connection.is_closed) return;
        if ((completion.flags & IORING_CQE_F_MORE) == 0) ended(slot, connection, completion.res);
        if (connection.owed > 0 && !connection.is_sending) send(slot);
    }

    /// All buffers were taken, or the peer has said all; what it is owed is sent first.
    void ended(unsigned slot, Connection& connection, int result) {
        connection.is_receiving = false;
        if (result > 0 || result == -ENOBUFS) return receive(slot);
        connection.closing = true;
        if (!connection.is_sending && connection.owed == 0) close(slot);
    }

    void sent(unsigned slot, int bytes) {
        Connection& connection = connections_[slot];
        if (connection.is_closed) return;
        connection.is_sending = false;
        if (bytes < 0) connection.closing = true;
        connection.owed = bytes < 0 ? 0 : connection.owed - static_cast<std::size_t>(bytes);
        if (connection.owed > 0)
            send(slot);
        else if (connection.closing)
            close(slot);
    }

    io_uring ring_{};
    io_uring_buf_ring* shared_ = nullptr;
    char* memory_ = nullptr;
    const int listener_;
    const Answers& answers_;
    std::vector<Connection> connections_;  // by their place in the ring's table
};

}  // namespace

int main(int argc, char** argv) {
    return run(argc, argv, [](int listener, const Answers& answers, unsigned connections_max) {
        Loop{listener, answers, connections_max}.run();
    });
}
