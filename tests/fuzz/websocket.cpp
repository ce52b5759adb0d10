// WebSocket: a client's frames are read the same whole, in two pieces, and byte by byte, and no buffer holds
// more than it may, with and without compression. What is text, is UTF-8.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/fuzz_input.h"
#include "http/syntax/utf8.h"
#include "web/websocket/close_payload.h"
#include "web/websocket/frame_reader.h"

namespace weir::tests {
namespace {

using web::ws::FrameReader;
using Event = FrameReader::Event;

constexpr std::size_t message_bytes_max = 300;

/// Doubles each byte.
struct Doubling final : web::MessageCompression {
    std::shared_ptr<const std::string> compress(std::string_view) const noexcept override {
        return nullptr;
    }
    Expansion expand(std::string_view payload, std::size_t bytes_max,
                     std::string& message) const override {
        if (payload.starts_with('!')) return Expansion::malformed;
        if (2 * payload.size() > bytes_max) return Expansion::too_large;
        for (const char byte : payload) message.append(2, byte);
        return Expansion::whole;
    }
};

struct Read {
    std::vector<std::string> events;
    std::size_t used = 0;
    bool failed = false;

    bool operator==(const Read&) const = default;
};

void note_message(FrameReader& reader, Read& read) {
    const auto message = reader.message();
    require(message.data.size() <= message_bytes_max);
    require(!message.is_text() || http::is_utf8(message.data));
    read.events.push_back((message.is_text() ? "text " : "binary ") + std::string{message.data});
    reader.next();
}

void note_close(FrameReader& reader, Read& read) {
    web::ws::ClosePayload close;
    const bool is_good = web::ws::read_close(reader.control(), close);
    require(!is_good || http::is_utf8(close.reason));
    const bool answers = is_good && close.code != web::CloseCode::none;
    require(!answers || web::ws::may_be_sent(close.code));
    read.events.push_back("close " + std::to_string(std::to_underlying(close.code)));
}

/// False where nothing more is read.
bool take(FrameReader& reader, Read& read, std::string_view piece) {
    while (!piece.empty()) {
        const ExactCopy bytes{piece};
        const auto step = reader.read(bytes.view());
        require(step.size <= piece.size() && (step.size != 0 || step.event == Event::fault));
        require(reader.control().size() <= web::ws::control_bytes_max);
        read.used += step.size;
        piece.remove_prefix(step.size);
        switch (step.event) {
            case Event::more: break;
            case Event::message: note_message(reader, read); break;
            case Event::ping: read.events.push_back("ping " + std::string{reader.control()}); break;
            case Event::pong: read.events.push_back("pong " + std::string{reader.control()}); break;
            case Event::close: note_close(reader, read); break;
            case Event::fault:
                read.failed = true;
                read.events.push_back(std::to_string(std::to_underlying(reader.fault())));
                return false;
        }
    }
    return true;
}

Read read(std::string_view text, std::size_t first, std::size_t step,
          const web::MessageCompression* compression) {
    FrameReader reader{message_bytes_max, compression};
    Read read;
    bool goes_on = take(reader, read, text.substr(0, first));
    for (std::size_t at = first; goes_on && at < text.size(); at += step)
        goes_on = take(reader, read, text.substr(at, step));
    return read;
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const std::string_view text = input.text;
    const Doubling doubling;
    const web::MessageCompression* const compression =
        (input.choice & 1) != 0 ? &doubling : nullptr;
    const Read whole = read(text, text.size(), 1, compression);
    const Read in_two = read(text, input.cut, text.size() + 1, compression);
    const Read in_bytes = read(text, 0, 1, compression);
    require(in_two.events == whole.events && in_bytes.events == whole.events);
    require(in_bytes.used <= text.size());
}

}  // namespace weir::tests
