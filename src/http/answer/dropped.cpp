#include "http/answer/dropped.h"

#include <memory>
#include <utility>
#include <variant>

namespace weir::http {

void drop(Reply&& reply, Outcome outcome) noexcept {
    Reply dropped{std::move(reply)};
    if (auto* response = std::get_if<Response>(&dropped)) {
        if (auto* source = std::get_if<std::unique_ptr<Source>>(&response->content()))
            if (*source) (*source)->done(outcome);
    } else if (auto* stream = std::get_if<StreamContent>(&dropped)) {
        if (stream->sink) stream->sink->cut();
    } else if (auto* later = std::get_if<Later>(&dropped)) {
        if (later->continuation) later->continuation->cut();
    }
}

}  // namespace weir::http
