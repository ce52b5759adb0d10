#include "cli/target_options.h"

#include <array>
#include <chrono>
#include <memory>
#include <utility>

#include "cli/help_formatter.h"
#include "cli/launch_reader.h"
#include "cli/option_reader.h"

namespace weir::cli {
namespace {

constexpr const char* description =
    "Gives every request the same answer, in the time that it is told to take: what a load\n"
    "generator aims at, to measure an engine and nothing else.";

constexpr const char* footer =
    R"(
Every path answers the content of --bytes, but for these:
  /plaintext                  "Hello, World!"
  /json                       {"message":"Hello, World!"}
  /echo                       what was sent
  /stream?bytes=N             N bytes, made as they are taken, in chunks; with &sized, announced
They take their time, too.

Each option has a variable that stands in for it: --some-name is WEIR_SOME_NAME (1 or 0 for
one without a value; several values one a line). The command line goes first.

Examples:
  weir target --engine blocking --sleep 1ms --bytes 1024 --close -p 8080
      one thread, one connection at a time, a millisecond each
  weir target --engine thread-per-connection --sleep 1ms --bytes 1024 --close -p 8080
      the same, a thread for each connection
  weir target --engine epoll-edge --bytes 40
      short answers from one loop; then: wrk -t8 -c10000 -d20s http://127.0.0.1:8000/
  weir target --engine epoll-edge --timer 1ms
      each answer a millisecond later, and no thread waits for it

Signals: SIGTERM or SIGINT (Ctrl-C) finishes what is under way, a second one stops at once; SIGUSR1
opens the access log again, and so does SIGHUP, which under prefork replaces all workers.
Exit codes: 0 stopped, 1 could not start, 2 wrong use.
)";

/// It is held in memory, once.
Parsed<std::uint64_t> parse_content_size(std::string_view text) {
    constexpr std::uint64_t max = std::uint64_t{1} << 30u;
    auto bytes = parse_size(text);
    if (bytes && *bytes > max)
        return std::unexpected{"'" + std::string{text} + "' is more than 1G"};
    return bytes;
}

class TargetReader {
   public:
    TargetReader() {
        reader_.app.footer(footer);
        reader_.app.formatter(std::make_shared<HelpFormatter>("weir target [option...]"));
        add_answer_options();
        launch_.add();
    }

    std::expected<TargetOptions, NoOptions> read(std::vector<std::string> arguments) {
        const auto read = reader_.read(std::move(arguments), [this] { finish(); });
        if (!read) return std::unexpected{read.error()};
        return std::move(options_);
    }

   private:
    struct Way {
        TargetAnswer::Waiting waiting;
        CLI::Option* option;
        std::chrono::microseconds delay;
    };

    void add_answer_options() {
        reader_.app.option_defaults()->group("What is answered, and when");
        TargetAnswer& answer = options_.answer;
        reader_.value("--bytes", "SIZE", answer.bytes, parse_content_size,
                      "Content of an answer (1024)");
        add_way(sleep_, "--sleep", "The thread that handles a request sleeps that long");
        add_way(spin_, "--spin", "The thread that handles a request computes that long");
        add_way(timer_, "--timer",
                "The answer comes that much later, from a timer: no thread waits for it");
        reader_.alternatives({sleep_.option, spin_.option, timer_.option});
        reader_.flag("--close", answer.close, "Close the connection after each answer");
    }

    void add_way(Way& way, const char* name, const char* help) {
        way.option = reader_.value(name, "TIME", way.delay, parse_delay, help);
    }

    void finish() {
        launch_.finish();
        TargetAnswer& answer = options_.answer;
        for (const Way* way : {&sleep_, &spin_, &timer_}) {
            if (way->option->count() == 0) continue;
            if (answer.waiting != TargetAnswer::Waiting::none)
                throw CLI::ValidationError{"of --sleep, --spin and --timer give one"};
            answer.waiting = way->waiting;
            answer.delay = way->delay;
        }
        // What is asked for is not a fault, however long it takes.
        options_.server.timeouts.handler +=
            std::chrono::ceil<std::chrono::milliseconds>(answer.delay);
    }

    OptionReader reader_{description, "weir target"};
    TargetOptions options_;
    LaunchReader launch_{reader_, options_};
    Way sleep_{TargetAnswer::Waiting::sleep, nullptr, {}};
    Way spin_{TargetAnswer::Waiting::spin, nullptr, {}};
    Way timer_{TargetAnswer::Waiting::timer, nullptr, {}};
};

}  // namespace

std::expected<TargetOptions, NoOptions> parse_target_options(std::vector<std::string> arguments) {
    return TargetReader{}.read(std::move(arguments));
}

}  // namespace weir::cli
