// permessage-deflate: a payload is a message, or it is refused. A decoder that has read another payload before
// reads it in the same way, and what the server writes of the message gives it back.

#include <memory>
#include <string>

#include "fuzz/fuzz_input.h"
#include "weir/compress/permessage_deflate.h"

namespace weir::tests {
namespace {

using Expansion = web::MessageCompression::Expansion;

constexpr std::size_t bytes_max = 3000;

struct Read {
    Expansion expansion;
    std::string message;

    bool operator==(const Read&) const = default;
};

Read read(const web::MessageCompression& deflate, std::string_view payload) {
    const ExactCopy bytes{payload};
    Read read{};
    read.expansion = deflate.expand(bytes.view(), bytes_max, read.message);
    if (read.expansion != Expansion::whole) read.message.clear();
    return read;
}

}  // namespace

void fuzz(const FuzzInput& input) {
    // Of a new decoder, and of one that may have been left in the middle of a payload.
    const auto fresh = web::permessage_deflate({.size_min = 0, .size_max = bytes_max});
    const Read whole = read(*fresh, input.text);
    read(*fresh, input.text.substr(0, input.cut));
    require(read(*fresh, input.text) == whole);
    require(whole.message.size() <= bytes_max);
    const auto payload = fresh->compress(whole.message);
    require(!payload || payload->size() < whole.message.size());
    require(!payload || read(*fresh, *payload) == Read{Expansion::whole, whole.message});
}

}  // namespace weir::tests
