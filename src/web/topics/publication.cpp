#include "web/topics/publication.h"

#include "web/websocket/frame_head.h"

namespace weir::web::detail {

const std::shared_ptr<const std::string>& Publication::form(Outbox::Form form) {
    if (form == Outbox::Form::frame) {
        if (!frame_) frame_ = std::make_shared<const std::string>(framed());
        return frame_;
    }
    if (!rendered_ && message_.is_text())
        rendered_ = std::make_shared<const std::string>(rendered(event_));
    return rendered_;
}

/// A server does not mask its frames (RFC 6455 5.1), so all clients get the same bytes.
std::string Publication::framed() const {
    const ws::FrameHead head{message_.is_text() ? ws::Opcode::text : ws::Opcode::binary,
                             message_.data.size()};
    std::string frame;
    frame.reserve(head.bytes().size() + message_.data.size());
    frame.append(head.bytes()).append(message_.data);
    return frame;
}

}  // namespace weir::web::detail
