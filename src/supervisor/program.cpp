#include "supervisor/program.h"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>

#include "base/last_error.h"

namespace weir::supervisor {

void let_signals_through() noexcept {
    sigset_t none;
    ::sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

std::error_code execute(const Program& program) {
    std::vector<char*> arguments;
    arguments.reserve(program.arguments.size() + 1);
    for (const std::string& each : program.arguments)
        arguments.push_back(const_cast<char*>(each.c_str()));
    arguments.push_back(nullptr);
    ::execv(program.file.c_str(), arguments.data());
    return last_error();
}

// NOLINTBEGIN(concurrency-mt-unsafe): a supervisor has one thread, and a generation has none yet
std::error_code set_variable(const char* name, const std::string& value) {
    if (::setenv(name, value.c_str(), 1) != 0) return last_error();
    return {};
}

void remove_variable(const char* name) { ::unsetenv(name); }
// NOLINTEND(concurrency-mt-unsafe)

}  // namespace weir::supervisor
