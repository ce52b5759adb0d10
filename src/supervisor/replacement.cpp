#include "supervisor/replacement.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "base/last_error.h"
#include "net/unique_fd.h"
#include "supervisor/memory_file.h"

namespace weir::supervisor {
namespace {

// The value is the descriptor of a memory file.
constexpr const char* state_variable = "WEIR_SUPERVISOR";

/// Keeps descriptors open over execve(2) while it lives.
class KeptOpen {
   public:
    explicit KeptOpen(std::vector<int> fds) noexcept : fds_{std::move(fds)} { mark(0); }
    ~KeptOpen() { mark(FD_CLOEXEC); }
    KeptOpen(const KeptOpen&) = delete;
    KeptOpen& operator=(const KeptOpen&) = delete;

   private:
    void mark(int flags) const noexcept {
        for (const int fd : fds_) ::fcntl(fd, F_SETFD, flags);
    }
    std::vector<int> fds_;
};

/// Returns -1 if the text is not a number.
int descriptor_in(const char* text) {
    int fd = -1;
    std::from_chars(text, text + std::strlen(text), fd);
    return fd;
}

}  // namespace

std::error_code replace_supervisor(const Program& program, const State& state) try {
    const net::UniqueFd memory = make_memory_file("supervisor", write_state(state));
    if (!memory) return last_error();
    auto fds = descriptors_in(state);
    fds.push_back(memory.get());
    const KeptOpen kept_open{std::move(fds)};
    if (const auto error = set_variable(state_variable, std::to_string(memory.get()))) return error;
    auto error = execute(program);
    remove_variable(state_variable);
    return error;
} catch (const std::bad_alloc&) {
    remove_variable(state_variable);
    return std::make_error_code(std::errc::not_enough_memory);
}

std::expected<std::optional<State>, std::string> inherited_state() {
    const char* const text = std::getenv(state_variable);
    if (!text) return std::nullopt;
    const net::UniqueFd memory{descriptor_in(text)};
    remove_variable(state_variable);
    auto state = read_state(read_memory_file(memory.get()));
    if (!state || state->pid != ::getpid())
        return std::unexpected{std::string{state_variable} + " names no state of this process"};
    for (const int fd : descriptors_in(*state)) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    return state;
}

}  // namespace weir::supervisor
