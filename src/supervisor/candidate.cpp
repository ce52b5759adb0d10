#include "supervisor/candidate.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <new>

#include "base/last_error.h"
#include "net/open_process.h"
#include "net/uninterrupted.h"
#include "supervisor/handover.h"
#include "supervisor/state.h"

namespace weir::supervisor {
namespace {

using std::string_view;

constexpr std::size_t answer_bytes = 4'096;
constexpr int cannot_run = 127;

/// Removes the first line, or word, and returns it.
string_view take_until(char end, string_view& text) {
    const auto taken = text.substr(0, text.find(end));
    text.remove_prefix(std::min(taken.size() + 1, text.size()));
    return taken;
}

/// Returns the words after `name` in the line that begins with it; empty if there is none.
string_view words_after(string_view name, string_view answer) {
    while (!answer.empty()) {
        auto line = take_until('\n', answer);
        if (take_until(' ', line) == name) return line;
    }
    return {};
}

bool is_among(string_view wanted, string_view words) {
    while (!words.empty())
        if (take_until(' ', words) == wanted) return true;
    return false;
}

/// Runs in the child of a process with one thread, so all functions may be called here. No
/// exception may leave it, because the child would go on as a second supervisor.
[[noreturn]] void become(const Program& program, const std::string& path, int output) noexcept {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(output, stream);
    let_signals_through();
    try {
        const auto error = execute(program);
        const std::string text = "cannot run " + path + ": " + error.message() + '\n';
        static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()));
    } catch (const std::bad_alloc&) {
        ::_exit(cannot_run);
    }
    ::_exit(cannot_run);
}

std::string failure(const std::string& what) { return what + ": " + last_error().message(); }

}  // namespace

std::string abilities(string_view version) {
    std::string text{"weir "};
    text.append(version).append("\nhandover ").append(handover_version);
    return text.append("\nsupervisor ").append(state_version) += '\n';
}

std::expected<std::string, std::string> version_in(string_view answer, const std::string& path) {
    const auto version = words_after("weir", answer);
    const auto handovers = words_after("handover", answer);
    if (version.empty() || handovers.empty()) {
        const std::string line{answer.substr(0, answer.find('\n'))};
        if (line.starts_with("cannot run ")) return std::unexpected{line};
        return std::unexpected{path + " does not say that it can take over" +
                               (line.empty() ? "" : ": " + line)};
    }
    const bool is_known = is_among(handover_version, handovers) &&
                          is_among(state_version, words_after("supervisor", answer));
    if (is_known) return std::string{version};
    return std::unexpected{path + " is weir " + std::string{version} +
                           ", which does not know what this one hands over: restart the server"};
}

std::expected<Candidate, std::string> Candidate::ask(const std::string& path, Instant until) {
    Candidate candidate{path, until};
    auto file = std::make_shared<const net::UniqueFd>(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!*file) return std::unexpected{failure("cannot run " + path)};
    candidate.program_ = {.file = "/proc/self/fd/" + std::to_string(file->get()),
                          .arguments = {path, abilities_option},
                          .held = std::move(file)};
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::unexpected{failure("no pipe")};
    candidate.output_.reset(ends[0]);
    const net::UniqueFd output{ends[1]};
    candidate.pid_ = ::fork();
    if (candidate.pid_ == 0) become(candidate.program_, path, output.get());
    if (candidate.pid_ < 0) {
        candidate.pid_ = 0;
        return std::unexpected{failure("cannot start a process")};
    }
    candidate.pidfd_ = net::open_process(candidate.pid_);
    if (!candidate.pidfd_) return std::unexpected{failure("cannot start a process")};
    return candidate;
}

Candidate::~Candidate() { end(); }

void Candidate::watch(std::vector<pollfd>& watched) const {
    watched.push_back({pidfd_.get(), POLLIN, 0});
}

/// A pipe holds the whole answer, so it is read when the process has ended.
std::optional<std::expected<Program, std::string>> Candidate::look(Instant now) {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) != pid_) {
        if (now < until_) return std::nullopt;
        end();
        return std::unexpected{path_ + " did not say in time that it can take over"};
    }
    pid_ = 0;
    ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);  // a child of it may have the other end
    std::array<char, answer_bytes> bytes;
    const auto size =
        net::uninterrupted([&] { return ::read(output_.get(), bytes.data(), bytes.size()); });
    auto version = version_in({bytes.data(), static_cast<std::size_t>(size > 0 ? size : 0)}, path_);
    if (!version) return std::unexpected{std::move(version.error())};
    program_.version = std::move(*version);
    program_.arguments.clear();
    return std::move(program_);
}

void Candidate::end() noexcept {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(std::exchange(pid_, 0), nullptr, 0);
}

}  // namespace weir::supervisor
