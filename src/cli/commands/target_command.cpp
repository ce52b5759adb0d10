#include <utility>

#include "cli/command.h"
#include "cli/commands/target_handler.h"
#include "cli/commands/target_options.h"
#include "cli/help/output.h"
#include "cli/launch/launch.h"

namespace weir::cli {
namespace {

std::string to_text(std::chrono::microseconds delay) {
    const auto count = delay.count();
    return count % 1'000 == 0 ? std::to_string(count / 1'000) + " ms"
                              : std::to_string(count) + " us";
}

/// Describes the response in the banner: "1024 bytes at any path, after a sleep of 1 ms, closing
/// each connection".
std::string in_words(const TargetAnswer& answer) {
    std::string text = std::to_string(answer.bytes) + " bytes at any path";
    switch (answer.waiting) {
        case TargetAnswer::Waiting::none: break;
        case TargetAnswer::Waiting::sleep: text += ", after a sleep of "; break;
        case TargetAnswer::Waiting::spin: text += ", after computing for "; break;
        case TargetAnswer::Waiting::timer: text += ", with a timer after "; break;
    }
    if (answer.waiting != TargetAnswer::Waiting::none) text += to_text(answer.delay);
    if (answer.close) text += ", closing each connection";
    return text;
}

}  // namespace

int target(std::vector<std::string> arguments) {
    const auto options = parse_target_options(std::move(arguments));
    if (!options) return tell(options.error());
    TargetHandler handler{options->answer};
    return launch({.command = "weir target",
                   .served = in_words(options->answer),
                   .handler = handler,
                   .options = *options});
}

}  // namespace weir::cli
