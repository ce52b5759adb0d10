// An HTTP/2 connection: whatever comes, what it sends are frames that a strict client takes; and where
// handlers answer later, requests and answers are the same however the input is cut.

#include <optional>

#include "fuzz/fuzz_input.h"
#include "unit/http/http2/http2_driver.h"

namespace weir::tests {
namespace {

using http::Reply;
using http::Request;
using http::Response;

enum class Replies { at_once, later, with_content };

std::string told(const Request& request) {
    std::string text{request.method_text()};
    text.append(" ").append(request.target()).append(" ").append(request.authority());
    for (const auto& line : request.fields())
        text.append("|").append(request.name_of(line)).append("=").append(request.value_of(line));
    return text.append("#").append(request.content()).append("#").append(request.trailers());
}

/// What is sent in the end: of each stream that has an answer, and why the connection ended.
std::string play(const std::vector<std::string_view>& pieces, const FuzzInput& input,
                 Replies replies) {
    http::Http2Driver peer{[&](const Request& request) -> Reply {
                               if (replies == Replies::with_content && request.content_pending())
                                   return http::ReadContent{};
                               Response response;
                               response.content(told(request));
                               return response;
                           },
                           input.limits};
    peer.handles = replies != Replies::later;
    peer.settles = (input.choice & 8) != 0;
    if ((input.choice & 16) != 0) peer.send_max = 7;
    if ((input.choice & 4) == 0) peer.receive(http2::hello());
    std::string requests;
    for (const std::string_view piece : pieces) {
        if (piece.empty()) continue;
        const ExactCopy copy{piece};
        peer.receive(copy.view());
    }
    for (const http::RequestId id : peer.taken) {
        if (!peer.connection->awaits(id)) continue;
        requests += std::to_string(id) + " ";
        Response response;
        response.content(std::string{"answer"});
        peer.respond(id, std::move(response));
        requests += peer.stream(static_cast<http2::StreamId>(id)).content + " ";
    }
    for (const auto& goaway : peer.reader.goaways)
        requests += "GOAWAY " + std::to_string(static_cast<unsigned>(goaway.code()));
    for (int i = 0; i < 5; ++i) peer.pass(std::chrono::seconds{20});
    if (http::reads(peer.step())) peer.receive_end();
    require(peer.connection->deadline() != never || peer.step() == http::Step::close ||
            peer.step() == http::Step::wait || peer.step() == http::Step::receive);
    return requests;
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const std::string_view text = input.text;
    std::vector<std::string_view> bytes;
    for (std::size_t at = 0; at < text.size(); ++at) bytes.push_back(text.substr(at, 1));
    const std::vector<std::string_view> in_two{text.substr(0, input.cut), text.substr(input.cut)};
    for (const Replies replies : {Replies::at_once, Replies::with_content}) {
        play({text}, input, replies);
        play(in_two, input, replies);
        play(bytes, input, replies);
    }
    const std::string whole = play({text}, input, Replies::later);
    require(play(in_two, input, Replies::later) == whole);
    require(play(bytes, input, Replies::later) == whole);
}

}  // namespace weir::tests
