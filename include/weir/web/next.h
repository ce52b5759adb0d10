#pragma once

#include <memory>

#include "weir/web/response.h"
#include "weir/web/task.h"

namespace weir::web {

namespace detail {
class Conversation;
}

/// The rest of the way of a request, for middleware that wraps it; see Routes::use().
class Next {
   public:
    explicit Next(std::shared_ptr<detail::Conversation> conversation) noexcept;
    Next(Next&&) noexcept;
    Next& operator=(Next&&) = delete;
    ~Next();

    /// `co_await next()`: calls the middleware that was added later, and the handler. Returns their
    /// response, also that of an error, see Router::on_error(): an exception of the handler ends
    /// there. Throws std::logic_error if it is called a second time.
    ///
    /// The connection may refuse the content (400, 408, 413), or the time for the response may be
    /// over (503). Then all that is within ends where it waits, and next() returns that answer. The
    /// connection can't wait for the middleware: a further `co_await` ends it, and the answer goes
    /// out without its changes. After time_limit(), middleware has one second for such waits. A
    /// handler that waits for another thread, as offload() does, can't end at once: next() does not
    /// return then, and only functions after the handler see the answer.
    Task<Response> operator()();

   private:
    std::shared_ptr<detail::Conversation> conversation_;  // null after the call
};

}  // namespace weir::web
