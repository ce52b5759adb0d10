#include <array>
#include <stdexcept>
#include <utility>

#include "base/trimmed.h"
#include "web/middleware/base64.h"
#include "weir/http/field_name.h"
#include "weir/web/ready_middleware.h"

namespace weir::web {
namespace {

/// What follows the scheme in Authorization; nothing if it is another scheme.
std::optional<std::string_view> credentials(const Call& call, std::string_view scheme) {
    const auto field = call.request().field(http::FieldName::authorization);
    if (!field || field->size() <= scheme.size()) return std::nullopt;
    if (!http::equals_ignoring_case(field->substr(0, scheme.size()), scheme) ||
        (*field)[scheme.size()] != ' ')
        return std::nullopt;
    return trimmed(field->substr(scheme.size() + 1));
}

std::string challenge(std::string_view scheme, std::string_view realm) {
    std::string text{scheme};
    text.append(" realm=\"").append(realm).append("\"");
    if (realm.find_first_of("\"\\") != realm.npos)
        throw std::invalid_argument{"a realm must not have a quote or a backslash"};
    static_cast<void>(Response{}.add("WWW-Authenticate", text));  // throws if it cannot be sent
    return text;
}

class Authentication : public Middleware {
   public:
    explicit Authentication(std::string challenges) : challenge_{std::move(challenges)} {}

    std::optional<Response> before(const Call& call) final {
        if (auto user = user_of(call)) {
            call.state().own_notes().user = std::move(*user);
            return std::nullopt;
        }
        return http::error_response(Status::unauthorized).add("WWW-Authenticate", challenge_);
    }

   private:
    virtual std::optional<std::string> user_of(const Call& call) = 0;

    std::string challenge_;
};

class Basic final : public Authentication {
   public:
    using Check = std::function<bool(std::string_view, std::string_view)>;
    Basic(std::string_view realm, Check check)
        : Authentication{challenge("Basic", realm) + ", charset=\"UTF-8\""},
          check_{std::move(check)} {}

   private:
    std::optional<std::string> user_of(const Call& call) override {
        const auto encoded = credentials(call, "Basic");
        const auto decoded = encoded ? base64_decoded(*encoded) : std::nullopt;
        const std::size_t colon = decoded ? decoded->find(':') : std::string::npos;
        if (colon == std::string::npos) return std::nullopt;
        const std::string_view both = *decoded;
        if (!check_(both.substr(0, colon), both.substr(colon + 1))) return std::nullopt;
        return decoded->substr(0, colon);
    }

    Check check_;
};

class Bearer final : public Authentication {
   public:
    using Check = std::function<std::optional<std::string>(std::string_view)>;
    Bearer(std::string_view realm, Check check)
        : Authentication{challenge("Bearer", realm)}, check_{std::move(check)} {}

   private:
    std::optional<std::string> user_of(const Call& call) override {
        const auto token = credentials(call, "Bearer");
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
