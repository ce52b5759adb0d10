#include "supervisor/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/last_error.h"
#include "engines/processes/durations.h"
#include "engines/processes/restart_delay.h"
#include "net/clock.h"
#include "supervisor/activation.h"
#include "supervisor/control_socket.h"
#include "supervisor/notifier.h"
#include "supervisor/signals.h"
#include "supervisor/succession.h"
#include "supervisor/watchdog.h"
#include "supervisor/wishes.h"

namespace weir::supervisor {
namespace {

using std::chrono::milliseconds;
using Event = Succession::Event;

constexpr int failure = EXIT_FAILURE;
constexpr const char* this_program = "/proc/self/exe";

void keep_open(const Handover& handover, bool kept) noexcept {
    const int flags = kept ? 0 : FD_CLOEXEC;
    ::fcntl(handover.control, F_SETFD, flags);
    for (const int fd : handover.sockets) ::fcntl(fd, F_SETFD, flags);
    for (const Activated& each : handover.activated) ::fcntl(each.fd, F_SETFD, flags);
    for (const auto& each : handover.processes) ::fcntl(each.channel, F_SETFD, flags);
}

class Supervisor {
   public:
    Supervisor(const Settings& settings, Signals signals, std::vector<Activated> activated)
        : settings_{settings},
          signals_{std::move(signals)},
          succession_{settings.arguments,
                      {settings.ready_timeout, settings.stops_within},
                      std::move(activated)} {}

    /// Returns an error in a sentence.
    std::string begin(const std::optional<Handover>& handover) {
        if (handover) return resume(*handover);
        if (settings_.control) {
            auto control = ControlSocket::open(*settings_.control);
            if (!control)
                return "--control: cannot listen on " + settings_.control->text() + ": " +
                       control.error().message();
            control_.emplace(std::move(*control));
        }
        if (const auto error = succession_.start(this_program, now_))
            return "cannot start a process: " + error.message();
        return {};
    }

    int run() {
        obey_early_signals();
        while (!is_done()) {
            wait();
            while (const auto signal = signals_.take()) obey(*signal);
            if (control_)
                control_->take(now_, [this](Request request, ControlSocket::Client client) {
                    obey({request, std::move(client)});
                });
            for (const Event& event : succession_.look(now_)) note(event);
            start_next();
            if (watchdog_.look(succession_.serving() ? succession_.any_socket() : -1, now_))
                notifier_.watchdog();
        }
        return end();
    }

   private:
    bool is_done() const { return is_stopping_ && succession_.is_empty(); }

    void wait() {
        watched_.assign(1, {signals_.fd(), POLLIN, 0});
        if (control_) control_->watch(watched_);
        succession_.watch(watched_);
        watchdog_.watch(watched_);
        const Instant until = std::min({succession_.next(), watchdog_.next(), restart_at_,
                                        control_ ? control_->next() : never});
        ::poll(watched_.data(), watched_.size(), net::wait_milliseconds(until, now_));
        now_ = net::read_clock().instant;
    }

    // ---- what it is asked for ----

    void obey_early_signals() {
        for (int i = 0; i < settings_.early_stops; ++i) stop();
        if (settings_.early_reload) wishes_.add({Request::reload});
    }

    void obey(Signalled signal) {
        switch (signal.number) {
            case SIGHUP:
                if (!signal.by_terminal) return obey({Request::reload});
                if (!settings_.outlives_terminal) stop();
                return;
            case SIGUSR1: return succession_.pass_on(SIGUSR1);
            case SIGUSR2: return obey({Request::upgrade});
            default: stop();
        }
    }

    void obey(Wish wish) {
        if (wish.request == Request::status) return wish.answer({.is_ok = true, .text = status()});
        if (wish.request == Request::stop) {
            stoppers_.push_back(std::move(wish));
            if (!is_stopping_) stop();
        } else if (is_stopping_) {
            wish.answer({.text = "the server stops"});
        } else {
            wishes_.add(std::move(wish));
        }
    }

    void stop() {
        if (std::exchange(is_stopping_, true)) return succession_.cut(now_);
        notifier_.stopping("finishing requests");
        wishes_.refuse_all({.text = "the server stops"});
        if (wish_) wish_->answer({.text = "the server stops"});
        wish_.reset();
        restart_at_ = never;
        succession_.stop(now_);
    }

    // ---- generations ----

    void start_next() {
        if (is_stopping_ || succession_.is_starting()) return;
        if (!wishes_.is_empty()) return start(wishes_.take());
        if (now_ >= restart_at_) restart();
    }

    void start(Wish wish) {
        restart_at_ = never;
        const bool is_upgrade = wish.request == Request::upgrade;
        notifier_.reloading(is_upgrade ? "upgrading" : "reloading");
        wish_ = std::move(wish);
        if (const auto error = succession_.start(is_upgrade ? settings_.file : this_program, now_))
            refuse("cannot start a process: " + error.message());
    }

    void restart() {
        restart_at_ = never;
        if (const auto error = succession_.start(this_program, now_))
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
        const std::string text = event.name + " serves";
        notifier_.ready(text);
        if (!is_first) say(text);
        if (!wish_) return;
        wish_->answer({.is_ok = true, .text = text});
        const auto done = std::exchange(wish_, std::nullopt);
        if (done->request == Request::upgrade) become_new_program();
    }

    void gave_up(const Event& event) {
        if (wish_) return refuse(event.why);
        if (has_served_) return again_later(event.why, event.lived);
        // The generation has said why.
        if (event.why.contains("--ready-timeout") || event.exit.by_signal) say(event.why);
        is_stopping_ = true;
        exit_code_ = event.exit.by_signal || event.exit.number == 0 ? failure : event.exit.number;
    }

    void refuse(const std::string& why) {
        const Generation* const serving = succession_.serving();
        const std::string text = std::string{name_of(wish_->request)} + " failed: " + why +
                                 (serving ? "; " + serving->name() + " goes on" : "");
        say(text);
        wish_->answer({.text = text});
        wish_.reset();
        if (serving) return notifier_.ready(text);
        again_later(why, milliseconds{0});
    }

    void again_later(const std::string& why, milliseconds lived) {
        const auto delay = delay_.after_death(lived);
        restart_at_ = now_ + delay;
        const std::string when = delay.count() == 0 ? "at once" : "in " + engines::in_words(delay);
        say(why + "; another one starts " + when);
        notifier_.say(why);
    }

    // ---- another program ----

    /// The generation came from the new program, and does its work: so this process can, too.
    void become_new_program() {
        const Generation* const serving = succession_.serving();
        if (serving->readiness().handover_version != handover_version)
            return say(
                "the supervisor goes on as the program that it is: the new one does not "
                "know its state");
        wishes_.refuse_all({.text = "the supervisor is being replaced; ask again"});
        Handover handover = succession_.hand_over();
        if (control_) handover.control = control_->fd();
        keep_open(handover, true);
        set_variable(supervisor_variable, write_handover(handover));
        const auto error = execute({settings_.file, settings_.arguments});
        remove_variable(supervisor_variable);
        keep_open(handover, false);
        say("the supervisor goes on as the program that it is: " + error.message());
    }

    std::string resume(const Handover& handover) {
        has_served_ = true;
        if (handover.control >= 0) {
            auto control = ControlSocket::resume(handover.control);
            if (control) control_.emplace(std::move(*control));
        }
        if (const auto error = succession_.resume(handover, now_))
            return "cannot go on after the upgrade: " + error.message();
        return {};
    }

    // ---- what it says ----

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

    void say(const std::string& text) const {
        settings_.say(settings_.command + ": " + text + '\n');
    }

    int end() {
        succession_.remove_socket_files();
        if (control_) control_->close();
        for (Wish& each : stoppers_) each.answer({.is_ok = true, .text = "stopped"});
        return exit_code_;
    }

    const Settings& settings_;
    Signals signals_;
    Instant now_ = net::read_clock().instant;
    Succession succession_;
    std::optional<ControlSocket> control_{};
    Notifier notifier_ = Notifier::from_environment();
    Watchdog watchdog_{Watchdog::limit_from_environment(), now_};
    std::vector<pollfd> watched_{};
    Wishes wishes_{};
    std::optional<Wish> wish_{};  // for which a generation starts
    std::vector<Wish> stoppers_{};
    engines::RestartDelay delay_{};
    Instant restart_at_ = never;
    bool has_served_ = false;
    bool is_stopping_ = false;
    int exit_code_ = EXIT_SUCCESS;
};

std::optional<Handover> take_handover() {
    const char* const text = std::getenv(supervisor_variable);
    if (!text) return std::nullopt;
    auto handover = read_handover(text);
    remove_variable(supervisor_variable);
    return handover;
}

}  // namespace

int supervise(const Settings& settings) {
    const auto say = [&](const std::string& text) {
        settings.say(settings.command + ": " + text + '\n');
    };
    auto signals = Signals::open();
    if (!signals) return say(signals.error().message()), failure;
    const auto handover = take_handover();
    std::vector<std::string> complaints;
    auto activated = handover ? handover->activated : take_activated(complaints);
    for (const std::string& each : complaints) say("warning: " + each);
    Supervisor supervisor{settings, std::move(*signals), std::move(activated)};
    if (const auto error = supervisor.begin(handover); !error.empty()) return say(error), failure;
    return supervisor.run();
}

}  // namespace weir::supervisor
