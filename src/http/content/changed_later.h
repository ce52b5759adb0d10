#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "weir/http/handler.h"

namespace weir::http {

/// Changes the response of another continuation: for handlers around handlers.
class ChangedLater : public Continuation {
   public:
    explicit ChangedLater(std::unique_ptr<Continuation> inner) noexcept
        : inner_{std::move(inner)} {}

    Reply resume() final try {
        Reply reply = inner_->resume();
        if (auto* const response = std::get_if<Response>(&reply)) change(*response);
        return reply;
    } catch (Failure& failure) {
        change(failure.response);
        throw;
    }
    std::optional<Response> refused(Status status, std::string_view reason) final {
        auto response = inner_->refused(status, reason);
        if (response) change(*response);
        return response;
    }
    Instant due() const noexcept final { return inner_->due(); }
    std::size_t bytes() const noexcept final { return inner_->bytes(); }
    bool ends_with_peer() const noexcept final { return inner_->ends_with_peer(); }
    void cut() noexcept final { inner_->cut(); }

   private:
    virtual void change(Response& response) = 0;

    const std::unique_ptr<Continuation> inner_;
};

/// Returns the reply after `change(response)`, also if the response comes later from a continuation.
/// Responses through Deferred are not changed.
template <typename Change>
Reply changed(Reply reply, Change change) {
    class Changed final : public ChangedLater {
       public:
        Changed(std::unique_ptr<Continuation> inner, Change with)
            : ChangedLater{std::move(inner)}, with_{std::move(with)} {}

       private:
        void change(Response& response) override { with_(response); }
        Change with_;
    };
    if (auto* const response = std::get_if<Response>(&reply))
        change(*response);
    else if (auto* const later = std::get_if<Later>(&reply); later && later->continuation)
        later->continuation =
            std::make_unique<Changed>(std::move(later->continuation), std::move(change));
    return reply;
}

}  // namespace weir::http
