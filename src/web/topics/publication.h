#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "web/stream/outbox.h"
#include "weir/web/events.h"
#include "weir/web/websocket.h"

namespace weir::web::detail {

/// A message in the forms that its receivers need. Each form is made once, and all of them share
/// it.
class Publication {
   public:
    /// Borrows the bytes. Streams of events get a text as the data of an event.
    explicit Publication(const Message& message) noexcept
        : message_{message}, event_{.data = message.data} {}
    /// The same. Sockets get the data as a text.
    explicit Publication(const Event& event) noexcept
        : message_{.data = event.data}, event_{event} {}

    /// The message for one receiver. Null if it has no such form: an event is no binary message.
    const std::shared_ptr<const std::string>& form(const Outbox& receiver);

   private:
    using Bytes = std::shared_ptr<const std::string>;

    const Bytes& frame(const MessageCompression* compression);
    Bytes compressed_frame(const MessageCompression& compression) const;
    std::string framed(std::string_view payload, bool is_compressed) const;

    Message message_;
    Event event_;
    Bytes frame_{};
    Bytes rendered_{};
    /// A frame for each compression; null: the message is sent as it is.
    std::vector<std::pair<const MessageCompression*, Bytes>> compressed_{};
};

}  // namespace weir::web::detail
