#include "compress/coding/encoder.h"

namespace weir::compress {

std::optional<std::string> Encoder::whole(std::string_view content) {
    constexpr std::size_t room_bytes = 4096;
    std::string out;
    for (;;) {
        const std::size_t size = out.size();
        out.resize(size + room_bytes);
        const auto progress = encode(content, std::span{out}.subspan(size), Flush::end);
        out.resize(size + progress.given);
        content.remove_prefix(progress.taken);
        if (progress.has_failed) return std::nullopt;
        if (progress.is_done) break;
        if (progress.taken == 0 && progress.given == 0) return std::nullopt;
    }
    out.shrink_to_fit();
    return out;
}

}  // namespace weir::compress
