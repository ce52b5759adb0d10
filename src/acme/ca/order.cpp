#include "acme/ca/order.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "acme/json/problem.h"
#include "weir/web/await.h"

namespace weir::acme {
namespace {

using std::chrono::seconds;

constexpr seconds decision_max{300};  // for each step of a CA
constexpr seconds first_pause{1}, pause_max{30};

bool is_under_way(const std::string& status) {
    return status == "pending" || status == "processing";
}

/// Asks until the CA has decided about an authorization or an order (RFC 8555 7.1.6).
web::Task<Json> settled(Ca& ca, std::string url) {
    seconds pause = first_pause;
    for (seconds waited{0}; waited <= decision_max; waited += pause) {
        auto reads = ca.read(url);
        const Reply reply = co_await reads;
        const std::string status = text_in(reply.object, "status");
        if (!is_under_way(status)) co_return reply.object;
        pause = std::clamp(reply.retry_after.value_or(pause * 2), first_pause, pause_max);
        co_await web::sleep_for(pause);
    }
    throw Problem{
        "", "the CA has not decided in " + std::to_string(decision_max.count() / 60) + " minutes"};
}

/// The error of the challenge says why an authorization has failed.
Problem failed(const Json& authorization) {
    for (const Json& challenge : list_in(authorization, "challenges"))
        if (const Json error = object_in(challenge, "error"); !error.empty())
            return problem_of(error, About::challenge);
    return {"", "the CA does not believe that the name leads here"};
}

web::Task<void> prove(Ca& ca, Challenges& challenges, std::string url, std::string host) {
    auto reads = ca.read(url);
    const Reply reply = co_await reads;
    if (text_in(reply.object, "status") == "valid") co_return;  // proved not long ago
    const Presented presented =
        challenges.present(list_in(reply.object, "challenges"), host, ca.key());
    auto begins = ca.post(presented.url(), "{}");
    co_await begins;
    auto settles = settled(ca, url);
    const Json authorization = co_await settles;
    if (text_in(authorization, "status") != "valid") throw failed(authorization);
}

/// A CA that knows of another successor wants no second one (RFC 9773 5).
web::Task<Reply> place(Ca& ca, std::string host, std::string replaces) {
    Json wanted{{"identifiers", {{{"type", "dns"}, {"value", host}}}}};
    if (!replaces.empty() && !ca.url_for("renewalInfo").empty()) {
        wanted["replaces"] = replaces;
        try {
            auto posts = ca.post(ca.url_for("newOrder"), written(wanted));
            co_return co_await posts;
        } catch (const Problem& problem) {
            if (problem.kind() != "alreadyReplaced" && problem.kind() != "malformed") throw;
        }
        wanted.erase("replaces");
    }
    auto posts = ca.post(ca.url_for("newOrder"), written(wanted));
    co_return co_await posts;
}

void expect(const Json& order, std::string_view status) {
    const std::string is = text_in(order, "status");
    if (is == status) return;
    if (const Json error = object_in(order, "error"); !error.empty())
        throw problem_of(error, About::challenge);
    throw Problem{"", "the order of the certificate is " + (is.empty() ? "without a status" : is)};
}

}  // namespace

web::Task<std::string> obtain(Ca& ca, Challenges& challenges, Order order) {
    auto places = place(ca, order.host, order.replaces);
    const Reply placed = co_await places;
    for (const Json& url : list_in(placed.object, "authorizations")) {
        if (!url.is_string()) continue;
        auto proves = prove(ca, challenges, url.get<std::string>(), order.host);
        co_await proves;
    }
    auto readies = settled(ca, placed.location);
    const Json ready = co_await readies;
    if (text_in(ready, "status") != "valid") {
        expect(ready, "ready");
        const Json csr{{"csr", order.request}};
        auto finalizes = ca.post(text_in(ready, "finalize"), written(csr));
        co_await finalizes;
    }
    auto ends = settled(ca, placed.location);
    const Json done = co_await ends;
    expect(done, "valid");
    auto downloads = ca.read(text_in(done, "certificate"));
    const Reply chain = co_await downloads;
    co_return chain.content;
}

}  // namespace weir::acme
