#include "server/log/trouble_reports.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <system_error>

#include "net/clock.h"
#include "net/mapping.h"
#include "net/system/system_limits.h"

namespace weir::server {
namespace {

struct Words {
    std::string_view what;
    std::string advice;
};

Words words_of(Trouble kind) {
    switch (kind) {
        case Trouble::descriptors:
            return {"no descriptor was left", "raise the limit with " + net::more_descriptors()};
        case Trouble::threads:
            return {
                "no thread or process could be started",
                net::limit_behind(std::make_error_code(std::errc::resource_unavailable_try_again))};
        case Trouble::memory:
            return {"no memory was left for a connection",
                    "give the server more memory, or let it have fewer connections"};
        case Trouble::connections:
            return {"the limit on connections was reached",
                    "raise --max-connections if the machine can serve more"};
        case Trouble::queue_delay:
            return {"a request was turned away, since all waited too long for a worker",
                    "the server has more to do than it can; raise --workers if its handlers wait, "
                    "or --queue-delay if clients do"};
        case Trouble::per_address:
            return {"an address had as many connections as it may have",
                    "it attacks, or many clients share it"};
        case Trouble::slow_peers:
            return {"a connection was cut because its peer was too slow",
                    "raise the timeouts if such peers are welcome"};
        case Trouble::calmed_peers:
            return {"an HTTP/2 connection was ended because its peer asked for too much",
                    "it attacks, or it has a fault (ENHANCE_YOUR_CALM)"};
        case Trouble::proxy_headers:
            return {"a proxy's connection was cut, since it began without a PROXY header",
                    "let the proxy send one (HAProxy: send-proxy-v2), or take its network out of "
                    "--proxy-protocol"};
        case Trouble::handshakes:
            return {"the limit on TLS handshakes was reached",
                    "many clients that are slow or attack; raise --tls-handshakes if they are "
                    "welcome"};
        case Trouble::watches:
            return {"a folder could not be watched for changes",
                    "raise fs.inotify.max_user_watches, or fs.inotify.max_user_instances (sysctl)"};
        case Trouble::root:
            return {"the folder that is served was gone, or could not be read",
                    "requests get 503 until its path leads to one again; where the sandbox does "
                    "not allow a new folder (-v says what it allows), weir must start again"};
        case Trouble::servers:
            return {"a server behind this one did not answer",
                    "another one takes its place, or the client gets 502, 503 or 504"};
        case Trouble::names:
            return {"the name of a server behind this one could not be looked up",
                    "its last known addresses stay; without any, clients get 502"};
        case Trouble::log_lines:
            return {"a line of a log was dropped",
                    "the disk is full or slow, or nobody reads the log"};
        case Trouble::workers:  // the engine reports each of them with more details
        case Trouble::count: break;
    }
    return {};
}

// The timer of the teller that note() wakes.
std::atomic<const net::TimerFd*> first_teller{nullptr};

void wake_teller() noexcept {
    using namespace std::chrono_literals;
    if (const auto* const due = first_teller.load()) due->set(0ms);
}

}  // namespace

std::string trouble_sentence(Trouble kind, std::uint64_t times, bool in_the_last_minute,
                             std::string_view about) {
    const Words words = words_of(kind);
    if (words.what.empty()) return {};
    std::string out{words.what};
    if (times > 1) out += ", " + std::to_string(times) + " times";
    if (in_the_last_minute) out += " in the last minute";
    if (!about.empty()) ((out += " (") += about) += ')';
    return (out += ": ") += words.advice;
}

Instant TroubleReports::tell(Instant now) {
    Instant next = never;
    for (std::size_t number = 0; number < Troubles::kinds; ++number) {
        const auto kind = static_cast<Trouble>(number);
        if (!troubles_.is_watched(kind)) continue;
        if (now >= quiet_until_[number]) tell(kind, now);
        if (troubles_.is_watched(kind)) next = std::min(next, quiet_until_[number]);
    }
    return next;
}

/// A kind without a case for a minute is no longer watched, so that the next case is reported at
/// once.
void TroubleReports::tell(Trouble kind, Instant now) {
    auto& quiet_until = quiet_until_[static_cast<std::size_t>(kind)];
    const bool was_told = quiet_until != Instant{};
    auto times = troubles_.take(kind);
    if (times == 0) {
        quiet_until = {};
        troubles_.forget(kind);
        times = troubles_.take(kind);  // cases noted just before forget()
        if (times == 0) return;
        troubles_.note(kind, 0);
    }
    try {
        const auto about = troubles_.take_about(kind);
        const auto sentence = trouble_sentence(kind, times, was_told, about);
        quiet_until = now + interval;
        if (!sentence.empty()) log_.write(Severity::warning, sentence);
    } catch (const std::bad_alloc&) {
        troubles_.note(kind, times);  // for a later report
        throw;
    }
}

OperatorWarnings::OperatorWarnings(Log& log) : reports_{troubles(), log} {
    const net::TimerFd* none = nullptr;
    is_first_ = first_teller.compare_exchange_strong(none, &due_);
    if (!is_first_) return;
    troubles().wake_with(wake_teller);
    wake_teller();  // troubles may have been noted before
}

OperatorWarnings::~OperatorWarnings() {
    if (!is_first_) return;
    tell();  // reports the last troubles
    troubles().wake_with(nullptr);
    first_teller = nullptr;
}

void OperatorWarnings::share_with_forks() {
    // Shared once for all servers of the process. If there is no memory, each process counts for
    // itself. Any thread may note a trouble until the process ends.
    static const net::Mapping& shared = *new net::Mapping{
        net::Mapping::among_forks(sizeof(Troubles::Shared))};  // never freed, for the last troubles
    static const bool is_shared = [] {
        if (shared) troubles().count_in(*std::construct_at(shared.at<Troubles::Shared>(0)));
        return static_cast<bool>(shared);
    }();
    static_cast<void>(is_shared);
}

void OperatorWarnings::tell() noexcept try {
    due_.clear();
    const Instant now = net::read_instant();
    // A thread that notes a new kind meanwhile also sets the timer. The loop reads all kinds again
    // each time after it has set the timer, so that no kind is missed.
    for (Instant next = never, again = reports_.tell(now); again != next;) {
        next = again;
        due_.set(std::chrono::ceil<std::chrono::milliseconds>(next - now));
        again = reports_.tell(now);
    }
} catch (const std::bad_alloc&) {
    due_.set(std::chrono::seconds{1});
}

}  // namespace weir::server
