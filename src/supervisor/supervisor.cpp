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
#include "supervisor/control_socket.h"
#include "supervisor/signals.h"
#include "supervisor/succession.h"
#include "supervisor/wishes.h"

namespace weir::supervisor {
namespace {

using std::chrono::milliseconds;
using Event = Succession::Event;

constexpr int failure = EXIT_FAILURE;

void say(const Settings& settings, const std::string& text) {
    settings.say(settings.command + ": " + text + '\n');
}

class Supervisor {
   public:
    Supervisor(const Settings& settings, Signals signals)
        : settings_{settings},
          signals_{std::move(signals)},
          succession_{settings.program, {settings.ready_timeout, settings.stops_within}},
          stops_{static_cast<unsigned>(settings.early_stops)},
          is_reload_asked_{settings.early_reload} {}

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
        for (const Event& event : succession_.look(now_)) note(event);
        mend();
        start_next();
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
        const Instant until =
            is_behind_
                ? now_
                : std::min({succession_.next(), restart_at_, control_ ? control_->next() : never});
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
            case SIGUSR1: return succession_.pass_on(SIGUSR1);
            default: ++stops_;
        }
    }

    /// Counts a signal as obeyed only afterwards, because stop() and obey() may throw.
    void obey_signals() {
        for (; stops_obeyed_ < stops_; ++stops_obeyed_) stop();
        if (!is_reload_asked_) return;
        obey({Request::reload});
        is_reload_asked_ = false;
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
        succession_.stop(now_);
        restart_at_ = never;
        is_stopping_ = true;
    }

    /// Repairs the state after a turn without memory: handles an event that was not noted, and
    /// answers a wish without an answer.
    void mend() {
        const std::string_view why =
            is_stopping_ ? "the server stops" : "there was no memory for it";
        if (is_stopping_ && !wishes_.is_empty()) wishes_.refuse_all({.text = std::string{why}});
        if (wish_ && (is_stopping_ || !succession_.is_starting())) {
            wish_->answer({.text = std::string{why}});
            wish_.reset();
        }
        if (is_stopping_ || succession_.serving() || succession_.is_starting()) return;
        if (has_served_) {
            restart_at_ = std::min(restart_at_, now_ + milliseconds{net::RestartDelay::most});
        } else {
            is_stopping_ = true;
            exit_code_ = failure;
        }
    }

    // ---- generations ----

    void start_next() {
        if (is_stopping_ || succession_.is_starting()) return;
        if (!wishes_.is_empty()) return start(wishes_.take());
        if (now_ >= restart_at_) restart();
    }

    void start(Wish wish) {
        restart_at_ = never;
        wish_ = std::move(wish);
        if (const auto error = succession_.start(now_))
            refuse("cannot start a process: " + error.message());
    }

    void restart() {
        restart_at_ = never;
        if (const auto error = succession_.start(now_))
            again_later("cannot start a process: " + error.message(), milliseconds{0});
    }

    void note(const Event& event) {
        if (is_stopping_) return;
        switch (event.kind) {
            case Event::Kind::took_over: return took_over(event);
            case Event::Kind::gave_up: return gave_up(event);
            case Event::Kind::died: {
                if (succession_.is_starting()) return say(event.name + ' ' + event.exit.text());
                return again_later(event.name + ' ' + event.exit.text(), event.lived);
            }
        }
    }

    void took_over(const Event& event) {
        const bool is_first = !std::exchange(has_served_, true);
        restart_at_ = never;
        const std::string text =
            event.name + " serves" + (event.changed.empty() ? "" : "; " + event.changed);
        if (!is_first) say(text);
        if (wish_) wish_->answer({.is_ok = true, .text = text});
        wish_.reset();
    }

    void gave_up(const Event& event) {
        if (wish_) return refuse(event.why);
        if (has_served_) return again_later(event.why, event.lived);
        // A generation that could report the reason has done so.
        const bool could_speak =
            !event.exit.by_signal && event.exit.number != Generation::cannot_run;
        if (!could_speak) say(event.why);
        is_stopping_ = true;
        exit_code_ = could_speak && event.exit.number != 0 ? event.exit.number : failure;
    }

    void refuse(std::string why) {
        const Generation* const serving = succession_.serving();
        if (why.starts_with(settings_.command + ": ")) why.erase(0, settings_.command.size() + 2);
        const std::string text = why + (serving ? "; " + serving->name() + " goes on" : "");
        say("reload failed: " + text);
        wish_->answer({.text = text});
        wish_.reset();
        if (!serving) again_later(why, milliseconds{0});
    }

    void again_later(const std::string& why, milliseconds lived) {
        const auto delay = delay_.after_death(lived);
        restart_at_ = now_ + delay;
        const std::string when = delay.count() == 0 ? "at once" : "in " + readable_time(delay);
        say(why + "; another one starts " + when);
    }

    // ---- messages ----

    std::string status() const {
        const Generation* const serving = succession_.serving();
        std::string text = serving ? serving->name() + " serves" : "no generation serves";
        if (succession_.is_starting()) text += "\na new generation starts";
        if (const auto count = succession_.finishing(); count > 0)
            text += '\n' + std::to_string(count) +
                    (count == 1 ? " generation finishes its requests"
                                : " generations finish their requests");
        if (is_stopping_) text += "\nthe server stops";
        return text + "\nsupervisor: pid " + std::to_string(::getpid());
    }

    void say(const std::string& text) const { supervisor::say(settings_, text); }

    int end() {
        succession_.remove_socket_files();
        if (control_) control_->close();
        for (Wish& each : stoppers_) each.answer({.is_ok = true, .text = "stopped"});
        return exit_code_;
    }

    const Settings& settings_;
    Signals signals_;
    Instant now_ = net::read_instant();
    Succession succession_;
    std::optional<ControlSocket> control_{};
    std::vector<pollfd> watched_{};
    Wishes wishes_{};
    std::optional<Wish> wish_{};  // the wish for which a generation starts
    std::vector<Wish> stoppers_{};
    net::RestartDelay delay_{};
    Instant restart_at_ = never;
    unsigned stops_ = 0;  // requested stops; each after the first one cuts
    unsigned stops_obeyed_ = 0;
    bool is_reload_asked_ = false;
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

}  // namespace weir::supervisor
