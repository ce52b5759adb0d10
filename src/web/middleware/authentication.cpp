#include <utility>

#include "web/calling/errors.h"
#include "web/middleware/credentials.h"
#include "weir/web/ready_middleware.h"

namespace weir::web {
namespace {

class Authentication : public Middleware {
   public:
    explicit Authentication(std::string challenges) : challenge_{std::move(challenges)} {}

    std::optional<Response> before(const Call& call) final {
        if (auto user = user_of(call)) {
            call.state().own_notes().user = std::move(*user);
            return std::nullopt;
        }
        return detail::response_to(call.state(),
                                   {.kind = Error::Kind::unknown, .status = Status::unauthorized})
            .set("WWW-Authenticate", challenge_);
    }

   private:
    virtual std::optional<std::string> user_of(const Call& call) = 0;

    std::string challenge_;
};

class Basic final : public Authentication {
   public:
    std::string_view name() const noexcept override { return "basic_auth"; }

    using Check = std::function<bool(std::string_view, std::string_view)>;
    Basic(std::string_view realm, Check check)
        : Authentication{basic_challenge(realm)}, check_{std::move(check)} {}

   private:
    std::optional<std::string> user_of(const Call& call) override {
        const auto given = BasicCredentials::from(call.request());
        if (!given || !check_(given->user(), given->password())) return std::nullopt;
        return std::string{given->user()};
    }

    Check check_;
};

class Bearer final : public Authentication {
   public:
    std::string_view name() const noexcept override { return "bearer_auth"; }

    using Check = std::function<std::optional<std::string>(std::string_view)>;
    Bearer(std::string_view realm, Check check)
        : Authentication{challenge("Bearer", realm)}, check_{std::move(check)} {}

   private:
    std::optional<std::string> user_of(const Call& call) override {
        const auto token = credentials(call.request(), "Bearer");
        return token && !token->empty() ? check_(*token) : std::nullopt;
    }

    Check check_;
};

}  // namespace

std::shared_ptr<Middleware> basic_auth(
    std::string_view realm, std::function<bool(std::string_view, std::string_view)> check) {
    return std::make_shared<Basic>(realm, std::move(check));
}

std::shared_ptr<Middleware> bearer_auth(
    std::string_view realm, std::function<std::optional<std::string>(std::string_view)> check) {
    return std::make_shared<Bearer>(realm, std::move(check));
}

bool same_secret(std::string_view given, std::string_view expected) noexcept {
    std::size_t difference = given.size() ^ expected.size();
    for (std::size_t i = 0; i < given.size(); ++i) {
        const char other = expected.empty() ? '\0' : expected[i % expected.size()];
        difference |= static_cast<unsigned char>(given[i] ^ other);
    }
    return difference == 0;
}

}  // namespace weir::web
