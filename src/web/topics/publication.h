#pragma once

#include <memory>
#include <string>

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

    /// Null if the message has no such form: an event is no binary message.
    const std::shared_ptr<const std::string>& form(Outbox::Form form);

   private:
    std::string framed() const;

    Message message_;
    Event event_;
    std::shared_ptr<const std::string> frame_{};
    std::shared_ptr<const std::string> rendered_{};
};

}  // namespace weir::web::detail
