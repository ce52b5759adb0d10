#pragma once

#include <poll.h>
#include <sys/types.h>

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/unique_fd.h"
#include "supervisor/program.h"
#include "weir/base/now.h"

namespace weir::supervisor {

/// The option by which a supervisor asks a program file which versions it knows.
inline constexpr const char* abilities_option = "--handover-version";

/// The answer of this program: "weir 1.2.0\nhandover 2\nsupervisor 1\n". A line may name several
/// versions, with spaces between them.
std::string abilities(std::string_view version);

/// Returns the version of weir in the answer of a program that can go on with what this one hands
/// over. The error is a sentence.
std::expected<std::string, std::string> version_in(std::string_view answer,
                                                   const std::string& path);

/// A program file that may replace the one that runs. It is opened once, and then executed by its
/// descriptor: so what was asked is what serves, even if the file is replaced meanwhile.
class Candidate {
   public:
    /// Opens the file, and asks it as a child process. The error is a sentence. At `until`, the
    /// process is ended.
    static std::expected<Candidate, std::string> ask(const std::string& path, Instant until);

    Candidate(Candidate&& other) noexcept
        : path_{std::move(other.path_)},
          until_{other.until_},
          program_{std::move(other.program_)},
          pid_{std::exchange(other.pid_, 0)},
          pidfd_{std::move(other.pidfd_)},
          output_{std::move(other.output_)} {}
    Candidate& operator=(Candidate&&) = delete;
    /// Kills the process, if it runs.
    ~Candidate();

    void watch(std::vector<pollfd>& watched) const;
    /// The time for the next look(), unless a descriptor is ready earlier.
    Instant next() const noexcept { return until_; }
    /// Returns the program, without arguments, or a sentence that says why it can't be taken.
    /// Nothing until the process has ended.
    std::optional<std::expected<Program, std::string>> look(Instant now);

   private:
    Candidate(std::string path, Instant until) : path_{std::move(path)}, until_{until} {}
    void end() noexcept;

    std::string path_;
    Instant until_;
    Program program_{};
    pid_t pid_ = 0;  // 0: reaped
    net::UniqueFd pidfd_{};
    net::UniqueFd output_{};
};

}  // namespace weir::supervisor
