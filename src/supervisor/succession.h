#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "net/child.h"
#include "net/unique_fd.h"
#include "supervisor/generation.h"
#include "supervisor/handover.h"
#include "supervisor/program.h"
#include "weir/base/now.h"

namespace weir::supervisor {

/// The generations of a server: one that serves, perhaps one that starts, and those that finish
/// their requests. The succession keeps a copy of each socket of the serving generation. So if a
/// generation dies, no socket closes, and no connection in its queue is lost.
class Succession {
   public:
    struct Event {
        enum class Kind : std::uint8_t {
            took_over,  // the new generation serves, and the one before finishes
            gave_up,    // the new generation ended, or was not ready in time; see `why`
            died,       // the generation that served has ended by itself
        };
        Kind kind;
        std::string name;  // of the generation
        std::string why{};
        std::string changed{};  // options, in words
        net::Exit exit{};
        std::chrono::milliseconds lived{0};
    };

    struct Times {
        /// The time for a generation to become ready while another one serves; 0: no limit.
        std::chrono::milliseconds ready{0};
        std::chrono::milliseconds stop{0};  // for a generation that has not named its own
    };
    Succession(Program program, Times times) : program_{std::move(program)}, times_{times} {}
    /// Takes the generations and sockets of the state.
    void resume(const State& state, Instant now);
    /// Adds the generations and sockets to the state. No generation may be starting.
    void keep(State& state, Instant now) const;

    /// Starts a generation of the program given to the constructor.
    std::error_code start(Instant now) { return start(program_, now); }
    std::error_code start(const Program& program, Instant now);
    /// From now on, start() runs this program.
    void run(Program program) noexcept { program_ = std::move(program); }
    const Program& program() const noexcept { return program_; }
    bool is_starting() const noexcept { return starting_ != nullptr; }
    /// Null while no generation serves.
    const Generation* serving() const noexcept { return serving_.get(); }
    /// True if the serving generation has shown that its loops turn, since the last call.
    bool take_alive() noexcept { return serving_ && serving_->take_alive(); }
    std::size_t finishing() const noexcept { return finishing_.size(); }
    bool is_empty() const noexcept { return !starting_ && !serving_ && finishing_.empty(); }

    void watch(std::vector<pollfd>& watched) const;
    /// The time for the next look(), unless a descriptor is ready earlier.
    Instant next() const noexcept;
    /// Returns the events since the last call.
    std::vector<Event> look(Instant now);

    /// All generations finish their requests, and end. A generation that starts does so after it
    /// has begun to serve: it may have accepted connections already.
    void stop(Instant now);
    /// All generations end at once.
    void cut(Instant now);
    /// Sends the signal to the generation that serves.
    void pass_on(int signal) const noexcept;

    /// For process 1, which becomes the parent of each process whose own parent has ended: those
    /// beside a generation end after it.
    void reap_orphans() const noexcept;

    /// Removes the files of the unix sockets in the succession.
    void remove_socket_files() const;

   private:
    struct Finishing {
        std::unique_ptr<Generation> generation;
        Instant kill_at;
    };

    std::optional<Event> look_at_starting(Instant now);
    std::optional<Event> look_at_serving(Instant now);
    void look_at_finishing(Instant now);
    Handover hand_over() const;
    Event take_over(Instant now);
    bool has_child(pid_t pid) const noexcept;
    void keep_sockets(std::vector<net::UniqueFd> reported);
    void finish(std::unique_ptr<Generation> generation, Order order, Instant now);

    Program program_;
    Times times_;
    std::vector<net::UniqueFd> sockets_{};
    net::UniqueFd tickets_{};   // the secret of the latest generation with one
    net::UniqueFd counters_{};  // the counts of the latest generation with some
    unsigned number_ = 0;
    std::unique_ptr<Generation> starting_{};
    Instant ready_by_ = never;
    std::unique_ptr<Generation> serving_{};
    std::vector<Finishing> finishing_{};
};

}  // namespace weir::supervisor
