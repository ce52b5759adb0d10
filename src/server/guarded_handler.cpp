#include "server/guarded_handler.h"

#include <new>
#include <string>
#include <utility>

#include "base/troubles.h"
#include "http/content/user_code.h"
#include "server/log/line/log_escape.h"

namespace weir::server {

http::Reply GuardedHandler::handle(const http::Request& request) noexcept {
    return http::UserCode{this, request}.handle(handler_);
}

void GuardedHandler::failed(std::string_view what, std::string_view request,
                            std::exception_ptr cause) noexcept try {
    std::string line;
    append_escaped(line, http::failure_text(what, request, std::move(cause)), Escape::hexadecimal);
    log_.write(Severity::error, line);
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
}

}  // namespace weir::server
