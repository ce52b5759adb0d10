#include "cli/launch/stop_notice.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <new>

#include "base/background_thread.h"
#include "base/readable_time.h"
#include "base/troubles.h"
#include "cli/help/output.h"

namespace weir::cli {
namespace {

// Connections learn of the stop within 1 or 2 ms, unless a handler keeps its loop busy.
constexpr int look_every_milliseconds = 2;
constexpr int looks = 100;

std::string requests_in_words(server::Server::Finishing finishing) {
    if (!finishing.all_known) return "the requests in progress";
    return std::to_string(finishing.requests) +
           (finishing.requests == 1 ? " request" : " requests");
}

}  // namespace

std::string stop_sentence(server::Server::Finishing finishing, std::chrono::milliseconds timeout,
                          bool on_terminal) {
    if (finishing.all_known && finishing.requests == 0) return {};
    return "finishing " + requests_in_words(finishing) + ", for " + readable_time(timeout) +
           " at most; " +
           (on_terminal ? "press Ctrl-C again to end at once" : "a second signal ends it at once");
}

StopNotice::StopNotice(const server::Server& server, std::chrono::milliseconds timeout)
    : server_{server}, timeout_{timeout} {
    thread_ = start_background_thread([this] { run(); });
}

StopNotice::~StopNotice() {
    stopped_.signal();
    thread_.join();
}

/// If there is no memory for the notice, it is left out, and the stop goes on.
void StopNotice::run() noexcept try {
    std::array waited{pollfd{stopping_.fd(), POLLIN, 0}, pollfd{stopped_.fd(), POLLIN, 0}};
    ::poll(waited.data(), waited.size(), -1);
    if (waited[1].revents || timeout_.count() == 0) return;  // the server finishes nothing
    const bool on_terminal = ::isatty(STDOUT_FILENO) == 1;
    const auto finishing = look();
    const std::string sentence = stop_sentence(finishing, timeout_, on_terminal);
    if (sentence.empty() || has_stopped(0)) return;
    // "\r" overwrites the ^C that the terminal shows.
    say_if_taken((on_terminal ? "\r" : "") + sentence + '\n');
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
}

bool StopNotice::has_stopped(int milliseconds) const {
    pollfd waited{stopped_.fd(), POLLIN, 0};
    return ::poll(&waited, 1, milliseconds) > 0;
}

server::Server::Finishing StopNotice::look() const {
    auto finishing = server_.finishing();
    for (int count = 0; count < looks && !finishing.all_known; ++count) {
        if (has_stopped(look_every_milliseconds)) break;
        finishing = server_.finishing();
    }
    return finishing;
}

}  // namespace weir::cli
