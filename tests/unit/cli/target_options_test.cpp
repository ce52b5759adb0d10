#include "cli/commands/target_options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "variable.h"

namespace weir::cli {
namespace {

using Arguments = std::vector<std::string>;
using Waiting = TargetAnswer::Waiting;
using std::chrono::microseconds;
using std::chrono::milliseconds;

TargetOptions parsed(const Arguments& arguments) {
    auto options = parse_target_options(arguments);
    EXPECT_TRUE(options.has_value()) << options.error().text;
    return options.value_or(TargetOptions{});
}

std::string refusal(const Arguments& arguments) {
    const auto options = parse_target_options(arguments);
    if (options) return "none";
    EXPECT_EQ(options.error().exit_code, 2);
    const std::string& text = options.error().text;
    EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
    EXPECT_TRUE(text.starts_with("weir target: ")) << text;
    return text;
}

TEST(TargetOptions, HaveDefaults) {
    const auto answer = parsed({}).answer;
    EXPECT_EQ(answer.bytes, 1'024u);
    EXPECT_EQ(answer.waiting, Waiting::none);
    EXPECT_FALSE(answer.close);
}

TEST(TargetOptions, SayWhatIsAnswered) {
    const auto answer = parsed({"--bytes", "40", "--close"}).answer;
    EXPECT_EQ(answer.bytes, 40u);
    EXPECT_TRUE(answer.close);
    EXPECT_EQ(parsed({"--bytes", "0"}).answer.bytes, 0u);
    EXPECT_EQ(parsed({"--bytes", "1G"}).answer.bytes, 1'073'741'824u);
}

TEST(TargetOptions, SayHowItTakesItsTime) {
    const std::map<std::string, Waiting> ways{
        {"--sleep", Waiting::sleep}, {"--spin", Waiting::spin}, {"--timer", Waiting::timer}};
    for (const auto& [option, waiting] : ways) {
        const auto answer = parsed({option, "150us"}).answer;
        EXPECT_EQ(answer.waiting, waiting) << option;
        EXPECT_EQ(answer.delay, microseconds{150}) << option;
    }
}

TEST(TargetOptions, TakeTimeInOneWay) {
    const std::string naming = "--sleep, --spin and --timer cannot be combined";
    EXPECT_TRUE(refusal({"--sleep", "1ms", "--spin", "1ms"}).contains(naming));
    EXPECT_TRUE(refusal({"--timer", "1ms", "--sleep", "1ms"}).contains(naming));
    const Variable sleep{"WEIR_SLEEP", "1ms"};
    EXPECT_EQ(parsed({}).answer.waiting, Waiting::sleep);
    EXPECT_EQ(parsed({"--timer", "2ms"}).answer.waiting, Waiting::timer);
    const Variable spin{"WEIR_SPIN", "1ms"};
    EXPECT_TRUE(refusal({}).contains(naming));
}

TEST(TargetOptions, GiveAHandlerThatMuchMoreTime) {
    const auto usual = parsed({}).server.timeouts.handler;
    EXPECT_EQ(parsed({"--timer", "2m"}).server.timeouts.handler, usual + milliseconds{120'000});
    EXPECT_EQ(parsed({"--timer", "1us"}).server.timeouts.handler, usual + milliseconds{1});
}

TEST(TargetOptions, AreReadFromTheirVariables) {
    const Variable bytes{"WEIR_BYTES", "4K"};
    const Variable close{"WEIR_CLOSE", "1"};
    const Variable timer{"WEIR_TIMER", "3ms"};
    const Variable port{"WEIR_PORT", "81"};
    const TargetOptions options = parsed({});
    EXPECT_EQ(options.answer.bytes, 4'096u);
    EXPECT_TRUE(options.answer.close);
    EXPECT_EQ(options.answer.delay, microseconds{3'000});
    EXPECT_EQ(options.server.port, 81);
    EXPECT_EQ(parsed({"--bytes", "1"}).answer.bytes, 1u);
}

TEST(TargetOptions, OfTheServerAreThoseOfServe) {
    const TargetOptions options =
        parsed({"-p", "82", "-b", "::1", "-e", "per-core", "-w", "5", "-q", "--max-connections",
                "9", "--keep-alive-timeout", "1s", "-v"});
    EXPECT_EQ(options.server.port, 82);
    EXPECT_EQ(options.server.addresses, Arguments{"::1"});
    EXPECT_EQ(options.server.engine, "per-core");
    EXPECT_EQ(options.server.workers, 5u);
    EXPECT_TRUE(options.quiet);
    EXPECT_EQ(options.server.connections_max, 9u);
    EXPECT_EQ(options.server.timeouts.keep_alive, milliseconds{1'000});
    EXPECT_EQ(options.server.access_log.path, "-");
}

TEST(TargetOptions, SayWhatIsWrong) {
    const std::map<std::string, Arguments> refused{
        {"--nonsense", {"--nonsense"}},
        {"unexpected argument 'a'", {"a"}},
        {"--bytes: '1025M'", {"--bytes", "1025M"}},
        {"--bytes: 'x'", {"--bytes", "x"}},
        {"--sleep: '1x'", {"--sleep", "1x"}},
        {"--spin: '2h'", {"--spin", "2h"}},
        {"--timer: '-1ms'", {"--timer=-1ms"}},
        {"--root", {"--root", "a"}},
    };
    for (const auto& [naming, arguments] : refused) {
        const std::string text = refusal(arguments);
        EXPECT_TRUE(text.contains(naming)) << text << " should name " << naming;
    }
    const Variable variable{"WEIR_SLEEP", "long"};
    EXPECT_TRUE(refusal({}).contains("WEIR_SLEEP: 'long'")) << refusal({});
}

TEST(TargetOptions, AreExplained) {
    const auto options = parse_target_options({"--help"});
    ASSERT_FALSE(options.has_value());
    EXPECT_EQ(options.error().exit_code, 0);
    const std::string& text = options.error().text;
    EXPECT_TRUE(text.contains("weir target --engine blocking --sleep 1ms --bytes 1024 --close"));
    EXPECT_TRUE(text.contains("(default: 1024)"));
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

}  // namespace
}  // namespace weir::cli
