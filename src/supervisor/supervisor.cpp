#include "supervisor/supervisor.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include "base/readable_time.h"
#include "net/clock.h"
#include "net/restart_delay.h"
#include "supervisor/candidate.h"
#include "supervisor/control_socket.h"
#include "supervisor/replacement.h"
#include "supervisor/signals.h"
#include "supervisor/succession.h"
#include "supervisor/systemd/watchdog_feed.h"
#include "supervisor/wishes.h"

namespace weir::supervisor {
namespace {

using std::chrono::milliseconds;
using Event = Succession::Event;

constexpr int failure = EXIT_FAILURE;

void say(const Settings& settings, const std::string& text) {
    settings.say(settings.command + ": " + text + '\n');
}

std::string named(const std::string& version) { return "weir " + version; }

Wish wish_of(Request request, int client) {
    if (client < 0) return {request};
    return {request, ControlSocket::Client{net::UniqueFd{client}}};
}

/// Returns -1 for the wish of a signal.
int descriptor_of(const Wish& wish) { return wish.client ? wish.client->fd() : -1; }

class Supervisor {
   public:
    Supervisor(const Settings& settings, Signals signals)
        : settings_{settings},
          signals_{std::move(signals)},
          succession_{settings.program, {settings.ready_timeout, settings.stops_within}},
          stops_{static_cast<unsigned>(settings.early_stops)},
          is_reload_asked_{settings.early_reload},
          is_upgrade_asked_{settings.early_upgrade} {}

    /// Returns an error in a sentence.
    std::string begin() {
        if (settings_.control) {
            auto control = ControlSocket::open(*settings_.control);
            if (!control)
                return "--control: cannot listen on " + settings_.control->text() + ": " +
                       control.error().message();
            control_.emplace(std::move(*control));
        }
        if (const auto error = succession_.start(now_))
            return "cannot start a process: " + error.message();
        return {};
    }

    /// The same for a supervisor that goes on with the state of another one.
    std::string resume(State state) {
        succession_.resume(state, now_);
        has_served_ = true;
        for (KeptClient& each : state.waiting)
            if (const auto request = request_named(each.text))
                wishes_.add(wish_of(*request, each.socket));
        if (state.upgraded) {
            say("the supervisor is " + named(settings_.program.version) + " now");
            tell_ready(state.upgraded->text);
            wish_of(Request::upgrade, state.upgraded->socket)
                .answer({.is_ok = true, .text = std::move(state.upgraded->text)});
        }
        if (state.control_socket < 0) return {};
        auto control = ControlSocket::resume(state, now_);
        if (!control) return "--control: " + control.error().message();
        control_.emplace(std::move(*control));
        return {};
    }

    int run() {
        while (!is_done()) turn();
        return end();
    }

   private:
    /// If there is no memory, the turn ends, and the next one does the rest after a pause. The
    /// server goes on meanwhile.
    void turn() try {
        wait();
        while (const auto signal = signals_.take()) note(*signal);
        if (control_)
            control_->take(now_, [this](Request request, ControlSocket::Client client) {
                obey({request, std::move(client)});
            });
        obey_signals();
        look_at_candidate();
        for (const Event& event : succession_.look(now_)) note(event);
        if (is_process_1_ && !candidate_) succession_.reap_orphans();
        mend();
        start_next();
        feed_.look(!succession_.serving(), succession_.take_alive(), now_);
        is_behind_ = false;
    } catch (const std::bad_alloc&) {
        is_behind_ = true;
        constexpr int pause_milliseconds = 100;
        ::poll(nullptr, 0, pause_milliseconds);
    }

    bool is_done() const { return is_stopping_ && succession_.is_empty(); }

    void wait() {
        watched_.assign(1, {signals_.fd(), POLLIN, 0});
        if (control_) control_->watch(watched_);
        succession_.watch(watched_);
        if (candidate_) candidate_->watch(watched_);
        const Instant until = is_behind_ ? now_
                                         : std::min({succession_.next(), restart_at_, feed_.next(),
                                                     control_ ? control_->next() : never,
                                                     candidate_ ? candidate_->next() : never});
        ::poll(watched_.data(), watched_.size(), net::wait_milliseconds(until, now_));
        now_ = net::read_instant();
    }

    // ---- requests and signals ----

    void note(Signalled signal) noexcept {
        switch (signal.number) {
            case SIGHUP:
                if (!signal.by_terminal)
                    is_reload_asked_ = true;
                else if (!settings_.outlives_terminal)
                    ++stops_;
                return;
            case SIGUSR2: is_upgrade_asked_ = true; return;
            case SIGUSR1: return succession_.pass_on(SIGUSR1);
            case SIGCHLD: return;  // to end the wait
            default: ++stops_;
        }
    }

    /// Counts a signal as obeyed only afterwards, because stop() and obey() may throw.
    void obey_signals() {
        for (; stops_obeyed_ < stops_; ++stops_obeyed_) stop();
        if (is_reload_asked_) obey({Request::reload});
        is_reload_asked_ = false;
        if (is_upgrade_asked_) obey({Request::upgrade});
        is_upgrade_asked_ = false;
    }

    void obey(Wish wish) {
        if (wish.request == Request::status) return wish.answer({.is_ok = true, .text = status()});
        if (wish.request == Request::stop) {
            stoppers_.push_back(std::move(wish));
            if (stops_ == 0) ++stops_;
        } else if (is_stopping_) {
            wish.answer({.text = "the server stops"});
        } else {
            wishes_.add(std::move(wish));
        }
    }

    void stop() {
        if (is_stopping_) return succession_.cut(now_);
        settings_.notifier.send("STOPPING=1\nSTATUS=stopping");
        succession_.stop(now_);
        restart_at_ = never;
        candidate_.reset();
        is_stopping_ = true;
    }

    /// Repairs the state after a turn without memory: handles an event that was not noted, and
    /// answers a wish without an answer.
    void mend() {
        const std::string_view why =
            is_stopping_ ? "the server stops" : "there was no memory for it";
        if (is_stopping_ && !wishes_.is_empty()) wishes_.refuse_all({.text = std::string{why}});
        if (wish_ && (is_stopping_ || !is_busy())) {
            wish_->answer({.text = std::string{why}});
            wish_.reset();
            if (!is_stopping_) settings_.notifier.send("READY=1");  // the reload has ended
        }
        if (is_stopping_ || succession_.serving() || succession_.is_starting()) return;
        if (has_served_) {
            restart_at_ = std::min(restart_at_, now_ + net::RestartLimits{}.most);
        } else {
            is_stopping_ = true;
            exit_code_ = failure;
        }
    }

    // ---- generations ----

    bool is_busy() const { return candidate_ || succession_.is_starting(); }

    void start_next() {
        if (is_stopping_ || is_busy()) return;
        if (!wishes_.is_empty()) return start(wishes_.take());
        if (now_ >= restart_at_) restart();
    }

    void start(Wish wish) {
        restart_at_ = never;
        wish_ = std::move(wish);
        settings_.notifier.tell_reloading();
        if (wish_->request == Request::upgrade) return ask_candidate();
        if (const auto error = succession_.start(now_))
            refuse("cannot start a process: " + error.message());
    }

    void restart() {
        restart_at_ = never;
        if (const auto error = succession_.start(now_))
            again_later("cannot start a process: " + error.message(), milliseconds{0});
    }

    void ask_candidate() {
        const bool is_limited = settings_.ready_timeout != milliseconds{0};
        auto asked =
            Candidate::ask(settings_.path, is_limited ? now_ + settings_.ready_timeout : never);
        if (!asked) return refuse(asked.error());
        candidate_.emplace(std::move(*asked));
    }

    /// Starts a generation of the newer program, once that has said that it can take over.
    void look_at_candidate() {
        auto found = candidate_ ? candidate_->look(now_) : std::nullopt;
        if (!found) return;
        candidate_.reset();
        if (!*found) return refuse(found->error());
        newer_ = std::move(**found);
        newer_->arguments = settings_.program.arguments;
        newer_->passed = settings_.program.passed;
        newer_->watchdog = settings_.program.watchdog;
        if (const auto error = succession_.start(*newer_, now_))
            refuse("cannot start a process: " + error.message());
    }

    /// Returns only if the supervisor can't be replaced: then it goes on, and later generations run
    /// the newer program, too.
    std::string replace(const std::string& text) {
        const auto error = try_to_replace(text);
        succession_.run(std::move(*newer_));
        newer_.reset();
        return "; the supervisor stays " + named(settings_.program.version) + ", because " +
               settings_.path + " cannot replace it: " + error.message();
    }

    std::error_code try_to_replace(const std::string& text) const try {
        State state = kept();
        state.upgraded = {wish_ ? descriptor_of(*wish_) : -1, text};
        return replace_supervisor(*newer_, state);
    } catch (const std::bad_alloc&) {
        return std::make_error_code(std::errc::not_enough_memory);
    }

    State kept() const {
        State state{.pid = ::getpid(),
                    .command = settings_.command,
                    .path = settings_.path,
                    .ready_timeout = settings_.ready_timeout,
                    .stops_within = settings_.stops_within,
                    .outlives_terminal = settings_.outlives_terminal,
                    .notifier = settings_.notifier.fd(),
                    .watchdog = settings_.program.watchdog};
        for (const PassedSocket& each : settings_.program.passed.sockets)
            state.passed.push_back({each.fd, each.name});
        succession_.keep(state, now_);
        if (control_) control_->keep(state);
        for (const Wish& each : wishes_.all())
            state.waiting.push_back({descriptor_of(each), std::string{name_of(each.request)}});
        return state;
    }

    void note(const Event& event) {
        if (is_stopping_) return;
        switch (event.kind) {
            case Event::Kind::took_over: return took_over(event);
            case Event::Kind::gave_up: return gave_up(event);
            case Event::Kind::died: {
                if (is_busy()) return say(event.name + ' ' + event.exit.text());
                return again_later(event.name + ' ' + event.exit.text(), event.lived);
            }
        }
    }

    void took_over(const Event& event) {
        const bool is_first = !std::exchange(has_served_, true);
        restart_at_ = never;
        std::string text = event.name + " serves" + upgrade_in_words() +
                           (event.changed.empty() ? "" : "; " + event.changed);
        if (!is_first) say(text);
        const bool is_upgrade = newer_.has_value();
        if (is_upgrade) {
            const auto why = replace(text);
            say("the upgrade is not complete" + why);
            text += why;
        }
        tell_ready(text);
        if (wish_) wish_->answer({.is_ok = !is_upgrade, .text = text});
        wish_.reset();
    }

    std::string upgrade_in_words() const {
        if (!newer_) return {};
        const std::string& before = succession_.program().version;
        if (before == newer_->version) return "; " + named(before) + " again";
        return "; " + named(before) + " -> " + newer_->version;
    }

    void gave_up(const Event& event) {
        newer_.reset();
        if (wish_) return refuse(event.why);
        if (has_served_) return again_later(event.why, event.lived);
        // A generation that could report the reason has done so.
        const bool could_speak =
            !event.exit.by_signal && event.exit.number != Generation::cannot_run;
        if (!could_speak) say(event.why);
        settings_.notifier.send(status_line(event.why));
        is_stopping_ = true;
        exit_code_ = could_speak && event.exit.number != 0 ? event.exit.number : failure;
    }

    /// The last words of a generation begin as the lines of its supervisor do.
    std::string without_command(std::string why) const {
        const std::string prefix = settings_.command + ": ";
        if (why.starts_with(prefix)) why.erase(0, prefix.size());
        return why;
    }

    void refuse(std::string why) {
        newer_.reset();
        const Generation* const serving = succession_.serving();
        why = without_command(std::move(why));
        const std::string text = why + (serving ? "; " + serving->name() + " goes on" : "");
        say(std::string{name_of(wish_->request)} + " failed: " + text);
        tell_ready(std::string{name_of(wish_->request)} + " failed: " + text);
        wish_->answer({.text = text});
        wish_.reset();
        if (!serving) again_later(why, milliseconds{0});
    }

    void again_later(const std::string& why, milliseconds lived) {
        const auto delay = delay_.after_death(lived);
        restart_at_ = now_ + delay;
        settings_.notifier.send(status_line(why));
        const std::string when = delay.count() == 0 ? "at once" : "in " + readable_time(delay);
        say(without_command(why) + "; another one starts " + when);
    }

    // ---- messages ----

    std::string status() const {
        const Generation* const serving = succession_.serving();
        std::string text = serving ? serving->name() + " serves, " + named(serving->version())
                           : is_stopping_ ? "the server stops"
                                          : "no generation serves";
        if (candidate_) text += "\na newer program is checked";
        if (succession_.is_starting()) text += "\na new generation starts";
        if (const auto count = succession_.finishing(); count > 0)
            text += '\n' + std::to_string(count) +
                    (count == 1 ? " generation finishes its requests"
                                : " generations finish their requests");
        return text + "\nsupervisor: pid " + std::to_string(::getpid()) + ", " +
               named(settings_.program.version);
    }

    void say(const std::string& text) const { supervisor::say(settings_, text); }

    /// Ends a start or a reload for systemd. After a failed reload the service is as it was before.
    /// A generation that has just started is alive.
    void tell_ready(const std::string& text) const {
        settings_.notifier.send("READY=1\nWATCHDOG=1\n" + status_line(text));
    }

    int end() {
        succession_.remove_socket_files();
        if (control_) control_->close();
        for (Wish& each : stoppers_) each.answer({.is_ok = true, .text = "stopped"});
        return exit_code_;
    }

    const Settings& settings_;
    Signals signals_;
    const bool is_process_1_ = ::getpid() == 1;
    Instant now_ = net::read_instant();
    Succession succession_;
    std::optional<ControlSocket> control_{};
    std::vector<pollfd> watched_{};
    Wishes wishes_{};
    std::optional<Wish> wish_{};            // the wish for which a generation starts
    std::optional<Candidate> candidate_{};  // the program of an upgrade, while it is asked
    std::optional<Program> newer_{};        // the same, while its generation starts
    std::vector<Wish> stoppers_{};
    net::RestartDelay delay_{};
    WatchdogFeed feed_{settings_.notifier, settings_.program.watchdog};
    Instant restart_at_ = never;
    unsigned stops_ = 0;  // requested stops; each after the first one cuts
    unsigned stops_obeyed_ = 0;
    bool is_reload_asked_ = false;
    bool is_upgrade_asked_ = false;
    bool is_behind_ = true;  // there is work to do without waiting
    bool has_served_ = false;
    bool is_stopping_ = false;
    int exit_code_ = EXIT_SUCCESS;
};

}  // namespace

int supervise(const Settings& settings) {
    auto signals = Signals::open();
    if (!signals) return say(settings, signals.error().message()), failure;
    Supervisor supervisor{settings, std::move(*signals)};
    if (const auto error = supervisor.begin(); !error.empty()) return say(settings, error), failure;
    return supervisor.run();
}

int go_on(const Settings& settings, State state) {
    auto signals = Signals::open();
    if (!signals) return say(settings, signals.error().message()), failure;
    Supervisor supervisor{settings, std::move(*signals)};
    if (const auto error = supervisor.resume(std::move(state)); !error.empty())
        return say(settings, error), failure;
    return supervisor.run();
}

}  // namespace weir::supervisor
