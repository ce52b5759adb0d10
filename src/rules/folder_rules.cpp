#include "weir/rules/folder_rules.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "http/answer/error_page.h"
#include "http/syntax/get_or_head.h"
#include "net/clock.h"
#include "rules/addressed.h"
#include "rules/completed.h"
#include "rules/folder/rule_files.h"
#include "rules/folder_completion.h"
#include "rules/moves/encoding.h"
#include "rules/moves/moves.h"
#include "site/path/target_path.h"

namespace weir::rules {
namespace {

using http::Request;
using http::Response;
using http::Status;

/// For a path that no file has: `_redirects` leads it nowhere.
HeaderChanges changes_for_undecoded(const Request& request, const FolderRuleSet& rules) {
    return changes_for(rules.headers, site::path_for_fields(request.path()));
}

class FolderRules final : public http::Handler {
   public:
    FolderRules(http::Handler& inner, http::Handler& files, const site::Site& site,
                FolderRuleOptions options)
        : inner_{inner},
          files_{files},
          below_prefix_{options.below_prefix},
          rules_{site, std::move(options.notice), net::read_clock} {}

    http::Reply handle(const Request& request) override;

   private:
    using Rules = std::shared_ptr<const FolderRuleSet>;
    class Checked;

    http::Reply answer(const Request& request, const FolderRuleSet& rules,
                       std::optional<Request::View>& before);
    http::Reply checked(http::Reply reply, const Request& request, Rules rules, bool is_rewritten);
    http::Reply respond(const Request& request, std::optional<Verdict> verdict,
                        HeaderChanges changes);
    http::Reply answer_again(const Request& request, const FolderRuleSet& rules);
    std::optional<Verdict> judge(const Request& request, const std::string& path,
                                 const std::vector<FolderMove>& moves);
    bool is_missing(const Request& request);

    http::Handler& inner_;
    http::Handler& files_;
    const bool below_prefix_;
    RuleFiles rules_;
};

/// If another release replaces the root meanwhile, that release responds to the request, with its
/// own rules.
http::Reply FolderRules::handle(const Request& request) {
    if (below_prefix_ && request.prefix().empty()) return inner_.handle(request);
    // A request that changes a file is handled once.
    const int releases_max = http::is_get_or_head(request.method()) ? 3 : 1;
    for (int release = 1;; ++release) {
        auto rules = rules_.now();
        std::optional<Request::View> before;
        http::Reply reply = answer(request, *rules, before);
        const bool is_answered = std::holds_alternative<Response>(reply);
        const bool is_outdated =
            is_answered && release < releases_max && !rules_.are_current(*rules);
        if (before && (is_outdated || is_called_again(reply))) request.restore(*before);
        if (!is_outdated)
            return checked(std::move(reply), request, std::move(rules), before.has_value());
    }
}

/// A response that comes later. If another release replaces the root before that, the inner handler
/// may have its files already, so that release responds with its own rules.
class FolderRules::Checked final : public http::Continuation {
   public:
    Checked(FolderRules& around, std::unique_ptr<http::Continuation> inner,
            std::shared_ptr<const Request> request, Rules rules, bool is_rewritten) noexcept
        : around_{around},
          inner_{std::move(inner)},
          request_{std::move(request)},
          rules_{std::move(rules)},
          is_rewritten_{is_rewritten} {}

    http::Reply resume() override {
        http::Reply reply = inner_->resume();
        while (std::holds_alternative<Response>(reply) && !around_.rules_.are_current(*rules_) &&
               releases_left_-- > 0) {
            // The request is shared, so its path can't be changed back.
            if (is_rewritten_) return replaced_meanwhile();
            rules_ = around_.rules_.now();
            reply = around_.answer_again(*request_, *rules_);
            auto* const later = std::get_if<http::Later>(&reply);
            if (later == nullptr || !later->continuation) continue;
            inner_ = std::move(later->continuation);
            reply = inner_->resume();
        }
        return reply;
    }
    Instant due() const noexcept override { return inner_->due(); }
    std::size_t bytes() const noexcept override { return inner_->bytes(); }
    std::optional<Response> refused(Status status, std::string_view reason) override {
        return inner_->refused(status, reason);
    }
    bool ends_with_peer() const noexcept override { return inner_->ends_with_peer(); }
    void cut() noexcept override { inner_->cut(); }

    static Response replaced_meanwhile() {
        return http::come_again(Status::service_unavailable, std::chrono::seconds{1},
                                "The files were replaced at this moment");
    }

   private:
    FolderRules& around_;
    std::unique_ptr<http::Continuation> inner_;
    const std::shared_ptr<const Request> request_;
    Rules rules_;
    const bool is_rewritten_;
    int releases_left_ = 2;
};

http::Reply FolderRules::checked(http::Reply reply, const Request& request, Rules rules,
                                 bool is_rewritten) {
    auto* const later = std::get_if<http::Later>(&reply);
    if (later && later->continuation && http::is_get_or_head(request.method()))
        later->continuation = std::make_unique<Checked>(
            *this, std::move(later->continuation), request.share(), std::move(rules), is_rewritten);
    return reply;
}

/// For a shared request.
http::Reply FolderRules::answer_again(const Request& request, const FolderRuleSet& rules) {
    const auto path = site::decoded_path(request.path());
    if (!path) return respond(request, std::nullopt, changes_for_undecoded(request, rules));
    auto verdict = judge(request, *path, rules.moves);
    if (verdict && verdict->rewrites()) return Checked::replaced_meanwhile();
    return respond(request, std::move(verdict), changes_for(rules.headers, *path));
}

http::Reply FolderRules::answer(const Request& request, const FolderRuleSet& rules,
                                std::optional<Request::View>& before) {
    const auto path = site::decoded_path(request.path());
    if (!path) return respond(request, std::nullopt, changes_for_undecoded(request, rules));
    HeaderChanges changes = changes_for(rules.headers, *path);
    auto verdict = judge(request, *path, rules.moves);
    if (verdict && verdict->rewrites())
        before =
            request.rewrite(verdict->target, static_cast<std::uint32_t>(request.prefix().size()));
    return respond(request, std::move(verdict), std::move(changes));
}

http::Reply FolderRules::respond(const Request& request, std::optional<Verdict> verdict,
                                 HeaderChanges changes) {
    http::Reply reply = inner_.handle(request);
    if (!verdict && changes.is_empty()) return reply;
    return completed(std::move(reply), std::make_shared<const FolderCompletion>(
                                           std::move(verdict), std::move(changes)));
}

/// The verdict of the first line that holds. A path of the target is below the prefix of the
/// request.
std::optional<Verdict> FolderRules::judge(const Request& request, const std::string& path,
                                          const std::vector<FolderMove>& moves) {
    const bool is_rule_file = std::ranges::find(folder_rule_files, path) != folder_rule_files.end();
    if (!http::is_get_or_head(request.method()) || is_rule_file) return std::nullopt;
    const std::string prefix = site::decoded_path(request.prefix()).value_or("");
    std::optional<bool> missing;
    Captures captures;
    for (const FolderMove& move : moves) {
        if (!move.from.matches(path, captures)) continue;
        if (!move.is_forced && !missing) missing = is_missing(request);
        if (!move.is_forced && !*missing) continue;
        const Asked asked{
            .method = {}, .host = {}, .path = path, .query = request.query(), .prefix = prefix};
        std::string target = move.to.expand(captures, asked.query);
        const bool is_page = move.status == Status::not_found;
        if (!is_page && leads_back(move.to, target, asked, own_origin(request))) continue;
        if (move.to.origin().empty()) target.insert(0, request.prefix());
        return Verdict{
            .status = move.status, .is_forced = move.is_forced, .target = std::move(target)};
    }
    return std::nullopt;
}

bool FolderRules::is_missing(const Request& request) {
    const http::Reply reply = files_.handle(request);
    const auto* const response = std::get_if<Response>(&reply);
    return response != nullptr && response->status() == Status::not_found;
}

}  // namespace

std::unique_ptr<http::Handler> follow_folder_rules(http::Handler& inner, http::Handler& files,
                                                   const site::Site& site,
                                                   FolderRuleOptions options) {
    return std::make_unique<FolderRules>(inner, files, site, std::move(options));
}

}  // namespace weir::rules
