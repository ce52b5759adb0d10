#include "server/guarded_handler.h"

#include <new>
#include <string>
#include <utility>

#include "base/troubles.h"
#include "http/content/user_code.h"
#include "server/log/log_escape.h"

namespace weir::server {
namespace {

std::string message_of(std::exception_ptr exception) {
    try {
        std::rethrow_exception(std::move(exception));
    } catch (const std::exception& thrown) {
        return thrown.what();
    } catch (...) {
        return "an exception of unknown type";
    }
}

}  // namespace

http::Reply GuardedHandler::handle(const http::Request& request) noexcept {
    return http::UserCode{this, request}.handle(handler_);
}

void GuardedHandler::failed(std::string_view code, std::string_view request,
                            std::exception_ptr exception) noexcept try {
    std::string line{code};
    line += " threw an exception for ";
    append_escaped(line, request, Escape::hexadecimal);
    line += ": ";
    append_escaped(line, message_of(std::move(exception)), Escape::hexadecimal);
    log_.write(Severity::error, line);
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
}

}  // namespace weir::server
