// What clients send to a supervisor's control socket, what it answers, and what a process hands over to
// the next: read the same in any pieces, within its limits, and written as it is read.

#include <cstddef>
#include <string>

#include "fuzz/fuzz_input.h"
#include "supervisor/channel.h"
#include "supervisor/handover.h"
#include "supervisor/requests.h"

namespace weir::tests {
namespace {

using namespace supervisor;

void check_line(std::string_view text) {
    RequestLine whole;
    const auto state = whole.add(text);
    RequestLine pieces;
    auto state_of_pieces = RequestLine::State::unfinished;
    for (std::size_t at = 0; at < text.size(); ++at)
        state_of_pieces = pieces.add(text.substr(at, 1));
    require(text.empty() || state == state_of_pieces);
    require(whole.text() == pieces.text() && whole.text().size() <= RequestLine::bytes_max);
    if (state == RequestLine::State::finished)
        require(whole.text() == text.substr(0, text.find('\n')));
    if (const auto request = request_named(whole.text()))
        require(name_of(*request) == whole.text());
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const std::string_view text = input.text;
    check_line(text);
    if (const auto answer = read_answer(text)) require(write_answer(*answer) == text);
    if (const auto readiness = read_readiness(text)) {
        const auto again = read_readiness(write_readiness(*readiness));
        require(again && again->stops_within == readiness->stops_within);
    }
    if (const auto handover = read_handover(text)) {
        const auto written = write_handover(*handover);
        const auto again = read_handover(written);
        require(again && write_handover(*again) == written);
        require(again->sockets == handover->sockets);
    }
}

}  // namespace weir::tests
