#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/bytes/base64.h"
#include "base/bytes/random_bytes.h"
#include "base/bytes/sha256.h"
#include "weir/web/function_middleware.h"
#include "weir/web/session.h"

namespace weir::web {
namespace {

using std::chrono::sys_seconds;

constexpr std::size_t secret_bytes = 16;

/// A copy of the store opens no session, and the time of a search in it tells nothing of a secret.
std::string id_of(std::string_view secret) { return base64url_encoded(text_of(sha256(secret))); }

bool is_secret(std::string_view text) {
    constexpr std::size_t characters = 22;
    return text.size() == characters && base64url_decoded(text);
}

sys_seconds system_time() {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

/// Longer times could not be added to others.
bool is_time(std::chrono::seconds time) noexcept {
    return time.count() > 0 && time <= std::chrono::years{100};
}

SessionOptions checked(SessionOptions options) {
    if (!is_time(options.idle) || !is_time(options.lifetime))
        throw std::invalid_argument{"the times of a session are up to 100 years"};
    Response response;  // set_cookie() throws for a name or a SameSite that browsers refuse
    set_cookie(response, {.name = options.cookie,
                          .secure = options.secure.value_or(false),
                          .same_site = options.same_site});
    if (!options.clock) options.clock = system_time;
    return options;
}

class Sessions final : public detail::Around {
   public:
    Sessions(std::shared_ptr<SessionStore> store, SessionOptions options)
        : store_{std::move(store)}, options_{checked(std::move(options))} {
        if (!store_) throw std::invalid_argument{"sessions() needs a store"};
    }
    std::string_view name() const noexcept override { return "sessions"; }

    Task<Response> start(Call call, Next next) override {
        if (call.get<Session>() != nullptr) co_return co_await next();
        Cookie cookie = cookie_for(call.request());
        detail::SessionState loaded{.bytes_max = options_.bytes_max};
        if (const auto secret = call.cookie(cookie.name); secret && is_secret(*secret)) {
            cookie.value = *secret;
            auto loading = load(cookie, loaded);
            co_await loading;
        }
        detail::SessionState& state = call.set(Session{std::move(loaded)}).state();
        auto response = co_await next();
        constexpr unsigned failed = 500;
        if (code(response.status()) >= failed) co_return response;
        auto keeping = state.is_known && !state.is_left ? update(state, cookie, response)
                                                        : replace(state, cookie, response);
        co_await keeping;
        co_return response;
    }

   private:
    Cookie cookie_for(const http::Request& request) const {
        const bool secure =
            options_.secure ? *options_.secure : request.origin().security().has_value();
        return {.name = (secure ? "__Host-" : "") + options_.cookie,
                .secure = secure,
                .same_site = options_.same_site};
    }

    Task<> load(Cookie& cookie, detail::SessionState& state) {
        auto loading = store_->load(id_of(cookie.value));
        auto stored = co_await loading;
        if (!stored || stored->expires <= options_.clock()) co_return;
        state.is_known = true;
        state.stored = std::move(*stored);
        for (const auto& [key, value] : state.stored.values)
            state.bytes += key.size() + value.size();
    }

    /// For a session that the store has.
    Task<> update(detail::SessionState& state, Cookie& cookie, Response& response) {
        const sys_seconds now = options_.clock();
        const sys_seconds end = end_of(state.stored, now);
        const bool is_due = end - state.stored.expires >= options_.idle / 10;
        if (state.changes.values.empty() && !is_due) co_return;
        state.changes.expires = end;
        auto updating = store_->update(id_of(cookie.value), std::move(state.changes));
        const bool is_there = co_await updating;
        // Without the session, the client may have the cookie of another one by now.
        if (is_there && options_.outlives_browser) send(cookie, end - now, response);
    }

    /// For a session that is new, or that goes on with another id or without one.
    Task<> replace(detail::SessionState& state, Cookie& cookie, Response& response) {
        const std::string old = state.is_known ? id_of(cookie.value) : std::string{};
        if (!state.stored.values.empty()) {
            auto beginning = begin(state.stored, cookie, response);
            co_await beginning;
        } else if (state.is_known) {
            cookie.value.clear();
            cookie.max_age = std::chrono::seconds{0};
            add(cookie, response);
        }
        if (!state.is_known) co_return;
        auto removing = store_->remove(old);
        co_await removing;
    }

    Task<> begin(StoredSession& session, Cookie& cookie, Response& response) {
        const sys_seconds now = options_.clock();
        session.begun = now;
        session.expires = end_of(session, now);
        cookie.value = base64url_encoded(random_bytes(secret_bytes));
        auto inserting = store_->insert(id_of(cookie.value), session, now);
        co_await inserting;
        send(cookie, session.expires - now, response);
    }

    sys_seconds end_of(const StoredSession& session, sys_seconds now) const {
        return std::min(now + options_.idle, session.begun + options_.lifetime);
    }

    void send(Cookie& cookie, std::chrono::seconds age, Response& response) const {
        if (options_.outlives_browser) cookie.max_age = age;
        add(cookie, response);
    }
    /// The next client must not get the cookie from a cache (RFC 9111 7.3).
    static void add(const Cookie& cookie, Response& response) {
        set_cookie(response, cookie);
        if (!response.get("Cache-Control")) response.set("Cache-Control", "no-store");
    }

    const std::shared_ptr<SessionStore> store_;
    const SessionOptions options_;
};

}  // namespace

std::shared_ptr<Middleware> sessions(std::shared_ptr<SessionStore> store, SessionOptions options) {
    return std::make_shared<Sessions>(std::move(store), std::move(options));
}

}  // namespace weir::web
