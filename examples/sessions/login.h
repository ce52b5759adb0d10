// A page that knows its visitors: they log in, and it counts their visits.
#pragma once

#include <weir/web.h>

#include <string>

inline std::string page(const weir::web::Session& session) {
    const auto user = session.get("user");
    const std::string visits{session.get("visits").value_or("0")};
    if (user)
        return "<p>You are " + std::string{*user} + ". Visits: " + visits +
               "<form method=post action=/logout><button>Log out</button></form>\n";
    return "<form method=post action=/login>User <input name=user> "
           "Password <input name=password type=password> <button>Log in</button></form>\n";
}

/// Everyone's password is "correct horse"; names are letters.
inline bool may_enter(std::string_view user, std::string_view password) {
    constexpr auto letters = "abcdefghijklmnopqrstuvwxyz";
    return !user.empty() && user.find_first_not_of(letters) == user.npos &&
           weir::web::same_secret(password, "correct horse");
}

inline void add_login(weir::web::Router& router, std::shared_ptr<weir::web::SessionStore> store,
                      weir::web::SessionOptions options = {}) {
    using namespace weir::web;
    router.use(cross_origin_protection()).use(sessions(std::move(store), std::move(options)));

    router.get("/{$}", [](const Call& call) {
        Session& session = Session::of(call);
        if (session.get("user")) {
            const auto visits = std::stoul(std::string{session.get("visits").value_or("0")});
            session.set("visits", std::to_string(visits + 1));
        }
        return html(page(session));
    });
    router.post("/login", [](const Call& call) {
        const Form form = Form::of(call);
        const std::string user{form.get("user").value_or("")};
        if (!may_enter(user, form.get("password").value_or("")))
            throw Refusal{Status::forbidden, "The name or the password is wrong"};
        Session& session = Session::of(call);
        session.renew();  // an id from before the login opens nothing
        session.set("user", user);
        return redirect("/");
    });
    router.post("/logout", [](const Call& call) {
        Session::of(call).clear();
        return redirect("/");
    });
}
