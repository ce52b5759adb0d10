// A connection does the same whether its input comes whole, in two pieces, or byte by byte, and all
// that it sends are answers.

#include <algorithm>

#include "corpus/player.h"
#include "fuzz/fuzz_input.h"

namespace weir::tests {
namespace {

using Events = std::vector<std::string>;

/// Whether 100 (Continue) is sent depends on whether the content is there already.
Events play_without_interim(const std::vector<std::string_view>& pieces, const Setting& setting) {
    Events events = play(pieces, setting);
    std::erase(events, "100");
    return events;
}

/// What read_answers() says of an answer that is none, or not as it must be.
bool is_wrong(const std::string& event) {
    return event.starts_with("no answer") || event.starts_with("an answer") ||
           event.ends_with(" without Date") || event.ends_with("Connection: close");
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const std::string_view text = input.text;
    Setting setting{.limits = input.limits,
                    .handling = static_cast<Handling>(input.choice % 3),
                    .peer_ends = (input.choice & 4) != 0,
                    .shows_fields = true,
                    .settles = (input.choice & 8) != 0};
    const Events whole = play_without_interim({text}, setting);
    require(std::ranges::none_of(whole, is_wrong));

    const Events in_two =
        play_without_interim({text.substr(0, input.cut), text.substr(input.cut)}, setting);
    require(std::ranges::none_of(in_two, is_wrong));
    std::vector<std::string_view> bytes;
    for (std::size_t at = 0; at < text.size(); ++at) bytes.push_back(text.substr(at, 1));
    const Events one_by_one = play_without_interim(bytes, setting);

    // A handler that leaves content unread closes or not, as far as the content has come.
    if (setting.handling == Handling::ignores) return;
    require(in_two == whole);
    require(one_by_one == whole);
}

}  // namespace weir::tests
