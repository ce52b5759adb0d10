#include "cli/commands/target_options.h"

#include <array>
#include <chrono>
#include <utility>

#include "cli/command.h"
#include "cli/options/launch_reader.h"
#include "cli/options/option_reader.h"

namespace weir::cli {
namespace {

constexpr std::array paths{
    Term{"/plaintext", "Hello, World!"},
    Term{"/json", R"({"message":"Hello, World!"})"},
    Term{"/echo", "the content of the request"},
    Term{"/stream?bytes=N", "N bytes, generated while they are sent, in chunks"},
    Term{"/stream?bytes=N&sized", "the same, with Content-Length"},
    Term{"any other", "as many bytes as --bytes says"},
};

constexpr std::array examples{
    Example{"weir target --engine blocking --sleep 1ms --bytes 1024 --close -p 8080",
            "one thread, one connection at a time, 1 ms each"},
    Example{"weir target --engine thread-per-connection --sleep 1ms --bytes 1024 --close -p 8080",
            "the same, with a thread for each connection"},
    Example{"weir target --engine epoll-edge --bytes 40",
            "short responses from one loop; then: wrk -t8 -c10000 -d20s http://127.0.0.1:8000/"},
    Example{"weir target --engine epoll-edge --timer 1ms",
            "each response 1 ms later, without a thread that waits for it"},
};

Page empty_page() {
    return {.command = "target",
            .summary = "give every request the same response, for load generators",
            .usage = "[option...]",
            .description =
                "Gives every request the same response after a time that you choose. A "
                "load generator then measures the engine and nothing else.",
            .terms_title = "Paths, and what they return (the delay applies to all of them)",
            .terms = paths,
            .examples = examples,
            .is_server = true};
}

/// The limit exists because the content is held in memory, once.
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
        add_answer_options();
        launch_.add();
    }

    std::expected<TargetOptions, NoOptions> read(std::vector<std::string> arguments) {
        const auto read = reader_.read(std::move(arguments), [this] { finish(); });
        if (!read) return std::unexpected{read.error()};
        return std::move(options_);
    }

    Page page() const { return reader_.page(); }

   private:
    struct Way {
        TargetAnswer::Waiting waiting;
        const OptionReader::Added* option;
        std::chrono::microseconds delay;
    };

    void add_answer_options() {
        reader_.group("Response");
        TargetAnswer& answer = options_.answer;
        reader_.value("--bytes", "SIZE", answer.bytes, parse_content_size,
                      "Content of the response, up to 1G (default: 1024)");
        add_way(sleep_, "--sleep", "The thread that handles the request sleeps this long");
        add_way(spin_, "--spin", "The thread that handles the request computes this long");
        add_way(timer_, "--timer", "A timer sends the response this much later; no thread waits");
        reader_.alternatives({sleep_.option, spin_.option, timer_.option});
        reader_.flag("--close", answer.close, "Close the connection after each response");
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
                throw WrongUse{"--sleep, --spin and --timer cannot be combined; give one of them"};
            answer.waiting = way->waiting;
            answer.delay = way->delay;
        }
        // A delay from an option must not count as a slow handler.
        options_.server.timeouts.handler +=
            std::chrono::ceil<std::chrono::milliseconds>(answer.delay);
    }

    OptionReader reader_{empty_page()};
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

Page target_page() { return TargetReader{}.page(); }

}  // namespace weir::cli
