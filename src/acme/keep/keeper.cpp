#include "acme/keep/keeper.h"

#include <algorithm>
#include <exception>
#include <random>
#include <utility>

#include "acme/ca/order.h"
#include "acme/folder/certificate.h"
#include "acme/folder/lock.h"
#include "acme/json/problem.h"
#include "acme/keys/certificate_request.h"
#include "base/bytes/base64.h"
#include "net/unique_fd.h"
#include "tls/files/private_file.h"

namespace weir::acme {
namespace {

constexpr std::int64_t hour = 3'600;
// For a window.
constexpr std::int64_t asks_again_min = hour, asks_again_usual = 6 * hour,
                       asks_again_max = 24 * hour;

std::string sentence_of(const web::ClientError& error) {
    using enum web::ClientError::Reason;
    const auto why = [&]() -> std::string_view {
        switch (error.reason()) {
            case no_address: return "the name has no address, or no DNS server answers";
            case unreachable: return "there is no connection";
            case insecure:
                return "it has no certificate of a known CA for its name; if it is a CA "
                       "of your own, name its root by --acme-ca";
            case timed_out: return "it does not answer in time";
            case closed: return "it has closed the connection";
            case out_of_memory: return "there is not enough memory";
            default: return "its answer makes no sense";
        }
    }();
    return "the CA at " + error.url() + " can't be asked: " + std::string{why};
}

}  // namespace

Keeper::Keeper(Settings settings, web::Client& client, Tell tell)
    : settings_{std::move(settings)},
      client_{client},
      tell_{std::move(tell)},
      challenges_{challenges_path(settings_.folder)} {
    std::random_device random;
    std::uniform_real_distribution<double> fractions{0, 1};
    for (const std::string& host : settings_.hosts)
        kept_.push_back({.host = host, .fraction = fractions(random)});
}

web::Task<std::int64_t> Keeper::look_after_all(std::int64_t now) {
    std::int64_t next_time = now + hour;  // clocks may be set
    for (Kept& kept : kept_) {
        if (next(kept) <= now) co_await look_after(kept, now);
        next_time = std::min(next_time, std::max(next(kept), now + 1));
    }
    co_return next_time;
}

std::optional<Certificate> Keeper::certificate_of(const Kept& kept) const {
    return read_certificate(certificate_path(settings_.folder, kept.host), kept.host);
}

/// True if it is time for another certificate.
bool Keeper::is_due(const Kept& kept, std::int64_t now) const {
    const auto certificate = certificate_of(kept);
    return !certificate ||
           renewal_of(*certificate, kept.window_for(*certificate), kept.fraction) <= now;
}

/// The time at which there is something to do.
std::int64_t Keeper::next(const Kept& kept) const {
    const auto certificate = certificate_of(kept);
    if (!certificate) return kept.tries_from;
    const auto renewal = renewal_of(*certificate, kept.window_for(*certificate), kept.fraction);
    const bool has_window = !certificate->is_placeholder && !certificate->id.empty();
    return std::max(has_window ? std::min(renewal, kept.asks_from) : renewal, kept.tries_from);
}

web::Task<void> Keeper::look_after(Kept& kept, std::int64_t now) {
    std::optional<std::chrono::seconds> retry_after;
    std::string why;
    try {
        const net::UniqueFd locked = lock(settings_.folder);
        if (next(kept) > now) co_return;  // another machine was first
        const auto key = or_throw(AccountKey::keep(account_path(settings_.folder)));
        Ca ca{client_, key, settings_.directory};
        co_await ca.open();
        auto renews = renew(kept, ca, now);
        co_await renews;
        kept.failures = 0;
        co_return;
    } catch (const Problem& problem) {
        why = problem.what();
        retry_after = problem.retry_after();
    } catch (const web::ClientError& error) {
        why = sentence_of(error);
    } catch (const std::exception& error) {
        why = error.what();
    }
    if (is_due(kept, now)) co_return fail(kept, why, retry_after, now);
    kept.asks_from = now + asks_again_usual;  // only the window was asked for
}

/// Asks for the window, and then for a certificate, if it is time.
web::Task<void> Keeper::renew(Kept& kept, Ca& ca, std::int64_t now) {
    const auto before = certificate_of(kept);
    const bool is_first = !before || before->is_placeholder;
    if (!is_first && !before->id.empty() && kept.asks_from <= now) {
        auto asks = ask_for_window(kept, ca, before->id, now);
        co_await asks;
    }
    if (!is_due(kept, now)) co_return;

    const bool is_odd = kept.failures % 2 == 1;
    challenges_.prefer(settings_.answers_http != is_odd ? Challenges::Kind::http
                                                        : Challenges::Kind::tls);
    auto enters = ca.enter(settings_.applicant);
    co_await enters;
    const auto request = or_throw(make_request(kept.host));
    Order order{.host = kept.host,
                .replaces = is_first ? std::string{} : before->id,
                .request = base64url_encoded(request.der)};
    auto obtains = obtain(ca, challenges_, std::move(order));
    const std::string chain = co_await obtains;
    if (const auto reason = why_useless(chain, *request.key, kept.host); !reason.empty())
        throw Problem{"", reason};
    or_throw(
        tls::write_private(certificate_path(settings_.folder, kept.host), request.key_pem + chain));
    kept.asks_from = now + asks_again_min;
    const auto got = certificate_of(kept);
    if (got)
        tell_(false,
              "there is a new certificate for " + kept.host + ", valid until " + got->last_day);
}

/// A CA without renewal information, or one that does not answer, has no window.
web::Task<void> Keeper::ask_for_window(Kept& kept, Ca& ca, std::string id, std::int64_t now) {
    kept.asks_from = now + asks_again_max;
    const std::string url = ca.url_for("renewalInfo");
    if (url.empty()) co_return;
    try {
        auto gets = ca.get(url + '/' + id);
        const Reply reply = co_await gets;
        kept.window = window_in(reply.object);
        kept.window_id = id;
        const auto pause =
            reply.retry_after.value_or(std::chrono::seconds{asks_again_usual}).count();
        kept.asks_from = now + std::clamp<std::int64_t>(pause, asks_again_min, asks_again_max);
    } catch (const Problem&) {
        kept.window.reset();
    }
}

void Keeper::fail(Kept& kept, const std::string& why,
                  std::optional<std::chrono::seconds> retry_after, std::int64_t now) {
    ++kept.failures;
    const std::int64_t pause =
        std::max(pause_after(kept.failures), retry_after ? std::int64_t{retry_after->count()} : 0);
    kept.tries_from = now + pause;
    tell_(true, "no new certificate for " + kept.host + ": " + why + "; the next try is in " +
                    std::to_string(pause / 60) + " min");
}

}  // namespace weir::acme
