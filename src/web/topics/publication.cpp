#include "web/topics/publication.h"

#include <algorithm>

#include "web/websocket/frame_head.h"

namespace weir::web::detail {

const Publication::Bytes& Publication::form(const Outbox& receiver) {
    if (receiver.published_form() == Outbox::Form::frame) return frame(receiver.compression());
    if (!rendered_ && message_.is_text())
        rendered_ = std::make_shared<const std::string>(rendered(event_));
    return rendered_;
}

/// A server does not mask its frames (RFC 6455 5.1), so all clients get the same bytes.
const Publication::Bytes& Publication::frame(const MessageCompression* compression) {
    if (compression != nullptr) {
        auto found = std::ranges::find_if(
            compressed_, [&](const auto& each) { return each.first == compression; });
        if (found == compressed_.end())
            found = compressed_.insert(found, {compression, compressed_frame(*compression)});
        if (found->second) return found->second;
    }
    if (!frame_) frame_ = std::make_shared<const std::string>(framed(message_.data, false));
    return frame_;
}

Publication::Bytes Publication::compressed_frame(const MessageCompression& compression) const {
    const auto payload = compression.compress(message_.data);
    return payload ? std::make_shared<const std::string>(framed(*payload, true)) : nullptr;
}

std::string Publication::framed(std::string_view payload, bool is_compressed) const {
    const ws::FrameHead head{message_.is_text() ? ws::Opcode::text : ws::Opcode::binary,
                             payload.size(), is_compressed};
    std::string frame;
    frame.reserve(head.bytes().size() + payload.size());
    frame.append(head.bytes()).append(payload);
    return frame;
}

}  // namespace weir::web::detail
