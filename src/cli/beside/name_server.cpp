#include "cli/beside/name_server.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <map>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>

#include "base/last_error.h"
#include "cli/beside/process.h"
#include "net/clock.h"
#include "net/uninterrupted.h"
#include "weir/proxy/proxy.h"

namespace weir::cli {
namespace {

using Found = std::expected<std::vector<std::string>, std::string>;

/// Of a name (RFC 1035 3.1), and of an answer: 32 addresses, or a sentence.
constexpr std::size_t message_max = 4096;

/// The system's resolver gives up before, as it is set up by default (resolv.conf(5)).
constexpr std::chrono::seconds patience{30};

/// The process that looks names up may die again and again.
constexpr net::RestartLimits pauses{.soon = std::chrono::seconds{10},
                                    .first = std::chrono::milliseconds{100},
                                    .most = std::chrono::seconds{60}};

/// The name, and a line for each address; or the name, and a line with the error behind '!'.
std::string in_words(const std::string& name, const Found& found) {
    std::string text = name;
    if (!found) return (text += "\n!") += found.error();
    for (const std::string& each : *found) (text += '\n') += each;
    return text;
}

/// Nothing if the answer is for another name: one that came too late for its asker.
std::optional<Found> read_answer(std::string_view text, std::string_view name) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (text.substr(0, end) != name) return std::nullopt;
    text.remove_prefix(std::min(end + 1, text.size()));
    if (text.starts_with('!')) return std::unexpected{std::string{text.substr(1)}};
    std::vector<std::string> addresses;
    for (const auto line : std::views::split(text, '\n'))
        if (!line.empty()) addresses.emplace_back(std::string_view{line});
    return addresses;
}

/// Empty if there is none, or if the other side has gone.
std::string receive(int from, int flags) {
    std::string message(message_max, '\0');
    const auto size =
        net::uninterrupted([&] { return ::recv(from, message.data(), message.size(), flags); });
    message.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    return message;
}

bool send_whole(int to, const std::string& message) {
    const std::size_t size = std::min(message.size(), message_max);
    return net::uninterrupted([&] { return ::send(to, message.data(), size, MSG_NOSIGNAL); }) >= 0;
}

/// The look-ups of the process. Of each name there are two in a second at most: some engines have a
/// process for each client, and each of them asks.
class LatestAnswers {
   public:
    explicit LatestAnswers(const std::vector<std::string>& names) {
        for (const std::string& each : names) latest_[each] = {};
    }
    Found of(const std::string& name) {
        const auto known = latest_.find(name);
        if (known == latest_.end()) return std::unexpected{"the name " + name + " is of no server"};
        Latest& latest = known->second;
        const Instant now = net::read_instant();
        if (now - latest.at >= std::chrono::milliseconds{500})
            latest = {.found = proxy::look_up_by_system(name), .at = now};
        return latest.found;
    }

   private:
    struct Latest {
        Found found{};
        Instant at{};
    };
    std::map<std::string, Latest> latest_;
};

/// Looks up what the server asks for, until that has gone. Returns an exit status.
int answer(int server, const std::vector<std::string>& names) {
    LatestAnswers answers{names};
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    for (;;) {
        const std::string name = receive(server, 0);
        if (name.empty()) return 0;
        if (!send_whole(server, in_words(name, answers.of(name)))) return 0;
    }
}

/// A mutex of several processes.
class Turn {
   public:
    explicit Turn(pthread_mutex_t& mutex) noexcept : mutex_{mutex} {
        // The process of another asker has died. Its answer is thrown away.
        if (::pthread_mutex_lock(&mutex_) == EOWNERDEAD) ::pthread_mutex_consistent(&mutex_);
    }
    ~Turn() { ::pthread_mutex_unlock(&mutex_); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    static bool make(pthread_mutex_t& mutex) noexcept {
        pthread_mutexattr_t kind;
        if (::pthread_mutexattr_init(&kind) != 0) return false;
        const bool is_made = ::pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED) == 0 &&
                             ::pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST) == 0 &&
                             ::pthread_mutex_init(&mutex, &kind) == 0;
        ::pthread_mutexattr_destroy(&kind);
        return is_made;
    }

   private:
    pthread_mutex_t& mutex_;
};

}  // namespace

std::string NameServer::start(const std::vector<std::string>& names) {
    if (names.empty()) return {};
    std::array<int, 2> ends{};
    turn_ = net::Mapping::among_forks(sizeof(pthread_mutex_t));
    if (!turn_ || !Turn::make(*turn_.at<pthread_mutex_t>(0)) ||
        ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return "cannot start the process that looks names up: " + last_error().message();
    way_ = net::UniqueFd{ends[0]};
    const net::UniqueFd of_process{ends[1]};
    return start_beside({.name = "weir-names",
                         .in_words = "the process that looks names up",
                         .pauses = pauses,
                         .descriptors = {of_process.get()},
                         .run = [&] { return answer(of_process.get(), names); }});
}

Found NameServer::look_up(const std::string& name) const {
    if (!way_) return proxy::look_up_by_system(name);
    const Turn turn{*turn_.at<pthread_mutex_t>(0)};
    while (!receive(way_.get(), MSG_DONTWAIT).empty()) {}
    const Instant until = net::read_instant() + patience;
    const std::unexpected gone{std::string{"the process that looks names up has gone"}};
    if (!send_whole(way_.get(), name)) return gone;
    pollfd watched{.fd = way_.get(), .events = POLLIN, .revents = 0};
    for (Instant now = net::read_instant(); now < until; now = net::read_instant()) {
        if (::poll(&watched, 1, net::wait_milliseconds(until, now)) <= 0) continue;
        const std::string message = receive(way_.get(), MSG_DONTWAIT);
        if (message.empty()) return gone;
        if (auto found = read_answer(message, name)) return std::move(*found);
    }
    return std::unexpected{"the name " + name + " has no address: no answer in " +
                           std::to_string(patience.count()) + " s"};
}

}  // namespace weir::cli
