#include "acme/ca/ca.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <ctime>
#include <string_view>
#include <utility>

#include "acme/json/problem.h"
#include "acme/keys/jws.h"
#include "http/answer/date.h"

namespace weir::acme {
namespace {

using std::chrono::seconds;

constexpr seconds retry_after_max = std::chrono::days{7};
constexpr int nonces_max = 20;  // that a CA may reject in a row

/// RFC 9110 10.2.3: seconds, or a date.
std::optional<seconds> retry_after_of(const web::ClientResponse& response) {
    const auto value = response.field("Retry-After");
    if (!value) return std::nullopt;
    const std::time_t now = std::time(nullptr);
    if (const auto date = http::parse_date(*value, now))
        return std::clamp(seconds{*date - now}, seconds{0}, retry_after_max);
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(value->begin(), value->end(), count);
    if (error != std::errc{} || end != value->end()) return std::nullopt;
    return std::min(seconds{count}, retry_after_max);
}

}  // namespace

web::Task<void> Ca::open() {
    auto gets = get(directory_url_);
    const Reply reply = co_await gets;
    directory_ = reply.object;
    for (const char* const operation : {"newNonce", "newAccount", "newOrder"})
        if (url_for(operation).empty())
            throw Problem{"", directory_url_ + " is no directory of ACME"};
}

std::string Ca::url_for(const char* operation) const { return text_in(directory_, operation); }

web::Task<void> Ca::enter(Applicant applicant) {
    const std::string url = url_for("newAccount");
    if (key_.is_old()) {
        try {
            auto posts = post(url, written({{"onlyReturnExisting", true}}));
            const Reply known = co_await posts;
            account_ = known.location;
            co_return;
        } catch (const Problem& problem) {
            if (problem.kind() != "accountDoesNotExist") throw;
        }
    }
    Json wanted{{"termsOfServiceAgreed", true}};
    if (!applicant.email.empty()) wanted["contact"] = {"mailto:" + applicant.email};
    if (applicant.external)
        wanted["externalAccountBinding"] = binding_of(*applicant.external, key_, url);
    else if (object_in(directory_, "meta").value("externalAccountRequired", Json{}) == true)
        throw problem_of({{"type", "urn:ietf:params:acme:error:externalAccountRequired"},
                          {"detail", "RFC 8555 7.3.4"}},
                         About::request);
    const About about = applicant.external ? About::binding : About::request;
    auto posts = post(url, written(wanted), about);
    const Reply made = co_await posts;
    account_ = made.location;
}

/// A CA that rejects a nonce sends another one (RFC 8555 6.5).
web::Task<Reply> Ca::post(std::string url, std::string payload, About about) {
    for (int rejected = 0;; ++rejected) {
        const std::string once = co_await nonce();
        web::ClientRequest request{"POST", url};
        request.content(signed_request(url, once, payload), "application/jose+json");
        try {
            auto sends = send(std::move(request), about);
            co_return co_await sends;
        } catch (const Problem& problem) {
            if (problem.kind() != "badNonce" || rejected == nonces_max) throw;
        }
    }
}

web::Task<Reply> Ca::get(std::string url) {
    auto sends = send(web::ClientRequest{"GET", std::move(url)});
    co_return co_await sends;
}

web::Task<std::string> Ca::nonce() {
    if (nonce_.empty()) {
        auto sends = send(web::ClientRequest{"HEAD", url_for("newNonce")});
        co_await sends;
    }
    if (nonce_.empty()) throw Problem{"", "the CA has sent no nonce"};
    co_return std::exchange(nonce_, {});
}

web::Task<Reply> Ca::send(web::ClientRequest request, About about) {
    check(request.url());
    auto sends = client_.send(std::move(request));
    auto response = co_await sends;
    if (const auto next = response.field("Replay-Nonce")) nonce_ = *next;
    Reply reply;
    reply.location = response.field("Location").value_or("");
    reply.retry_after = retry_after_of(response);
    reply.content = co_await response.all();
    reply.object = parse_object(reply.content).value_or(Json::object());
    if (!response.is_ok())
        throw problem_of(reply.object, about, static_cast<unsigned>(response.status()),
                         reply.retry_after);
    co_return reply;
}

/// The account's URL stands for the key, once it is known (RFC 8555 6.2).
std::string Ca::signed_request(const std::string& url, const std::string& nonce,
                               std::string_view payload) const {
    Json header{{"nonce", nonce}, {"url", url}};
    if (account_.empty())
        header["jwk"] = key_.jwk();
    else
        header["kid"] = account_;
    return signed_by(key_, std::move(header), payload);
}

/// A CA can't lead to a URL without TLS (RFC 8555 6.1).
void Ca::check(std::string_view url) const {
    const std::string_view scheme =
        std::string_view{directory_url_}.substr(0, directory_url_.find("://"));
    if (!url.starts_with(scheme) || !url.substr(scheme.size()).starts_with("://"))
        throw Problem{"", "the CA names a URL that is none of " + std::string{scheme}};
}

}  // namespace weir::acme
