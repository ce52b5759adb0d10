#include "cli/trust/program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "net/uninterrupted.h"

namespace weir::cli {
namespace {

/// Standard input and output of the program are /dev/null.
class Silence {
   public:
    explicit Silence(Messages messages) noexcept {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        if (messages == Messages::dropped)
            ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    ~Silence() { ::posix_spawn_file_actions_destroy(&actions_); }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

    const posix_spawn_file_actions_t* actions() const noexcept { return &actions_; }

   private:
    posix_spawn_file_actions_t actions_{};
};

}  // namespace

std::expected<int, std::string> run_program(std::vector<std::string> words, Messages messages) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const Silence silence{messages};
    pid_t program = 0;
    const int error = ::posix_spawnp(&program, arguments[0], silence.actions(), nullptr,
                                     arguments.data(), environ);
    if (error == ENOENT) return std::unexpected{words[0] + " is not installed"};
    if (error != 0)
        return std::unexpected{words[0] + ": " + std::generic_category().message(error)};
    int status = 0;
    net::uninterrupted([&] { return ::waitpid(program, &status, 0); });
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace weir::cli
