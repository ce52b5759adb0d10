#include "web/calling/conversation.h"

#include <stdexcept>
#include <utility>
#include <variant>

#include "web/calling/chain.h"

namespace weir::web::detail {
namespace {

/// Gives each piece to the coroutine, which decides when the next one may come.
class Pieces final : public http::Sink {
   public:
    explicit Pieces(std::shared_ptr<Conversation> to) noexcept : to_{std::move(to)} {}
    Taken take(std::string_view bytes) override {
        to_->give_piece(bytes);
        return Taken::paused;
    }

   private:
    std::shared_ptr<Conversation> to_;
};

std::string address_of(const http::Request& request) {
    std::string address;
    request.origin().append_address(address);
    return address;
}

}  // namespace

Conversation::Conversation(CallState&& of)
    : call_{std::move(of)},
      request_{call_.request->share()},
      waker_{request_->waker()},
      peer_address_{address_of(*request_)} {}

void Conversation::set_result(std::optional<http::Response>&& response) noexcept {
    {
        const std::scoped_lock lock{mutex_};
        if (is_closed_ || is_dropped_ || answer_) return;
        if (response)
            answer_ = std::move(response);
        else
            is_dropped_ = true;
    }
    waker_.wake();
}

void Conversation::respond(http::Response&& response) noexcept { set_result(std::move(response)); }
void Conversation::drop() noexcept { set_result(std::nullopt); }

std::optional<http::Response> Conversation::take_answer() noexcept {
    const std::scoped_lock lock{mutex_};
    if (is_closed_) return std::nullopt;
    is_closed_ = answer_.has_value();
    return std::exchange(answer_, std::nullopt);
}

bool Conversation::is_dropped() noexcept {
    const std::scoped_lock lock{mutex_};
    return is_dropped_;
}

bool Conversation::has_answer() noexcept {
    const std::scoped_lock lock{mutex_};
    return answer_.has_value();
}

void Conversation::close() noexcept {
    const std::scoped_lock lock{mutex_};
    is_closed_ = true;
}

void Conversation::ask(Asked for_what) {
    if (asked_ != Asked::nothing && asked_ != for_what)
        throw std::logic_error{"the content of a request is read either in pieces or as a whole"};
    asked_ = for_what;
}

std::string_view Conversation::take_piece() noexcept {
    has_piece_ = false;
    return piece_;
}

void Conversation::give_piece(std::string_view bytes) {
    piece_.assign(bytes);
    has_piece_ = true;
}

http::Reply Conversation::content_reply(const std::shared_ptr<Conversation>& self) {
    if (has_hints()) return http::EarlyHints{std::exchange(hints_, {})};
    if (reply_) {
        is_asked_for_ = !std::holds_alternative<http::EarlyHints>(*reply_);
        return limited(*std::exchange(reply_, std::nullopt), call_);
    }
    const bool is_known = std::exchange(is_asked_for_, true);
    if (asked_ == Asked::pieces)
        return limited(
            http::StreamContent{.sink = is_known ? nullptr : std::make_unique<Pieces>(self)},
            call_);
    if (is_known) return http::Later{};
    return limited(http::ReadContent{}, call_);
}

}  // namespace weir::web::detail
