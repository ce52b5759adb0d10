#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/http/limits.h"

namespace weir::tests {

/// What the handler of a played connection does about content.
enum class Handling : std::uint8_t {
    reads,    // asks for it, then answers
    streams,  // takes it with a sink, then answers
    ignores,  // answers at once
};

struct Setting {
    http::Limits limits;
    Handling handling = Handling::reads;
    bool peer_ends = false;     // it shuts down its side after the last piece
    bool shows_fields = false;  // the events tell each field line
    bool settles = false;       // the connection is settled after each call
};

/// Plays a peer that sends `pieces`, one after the other, to an Http1Connection in memory, each
/// piece in front of a guard page. Returns what happened, one event a line, as the corpus writes it:
/// what the handler was given, what was answered, and whether the connection stays open.
std::vector<std::string> play(std::span<const std::string_view> pieces, const Setting& setting);

}  // namespace weir::tests
