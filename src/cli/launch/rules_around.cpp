#include "cli/launch/rules_around.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "rules/access/access.h"
#include "rules/answer/maintenance.h"
#include "rules/answer/security_headers.h"
#include "rules/auth/authentication.h"
#include "rules/auth/crypt.h"
#include "rules/prefix.h"
#include "rules/redirect/redirects.h"
#include "weir/server/log.h"

namespace weir::cli {
namespace {

void warn(const std::string& sentence) {
    server::standard_error_log().write(server::Severity::warning, sentence);
}

}  // namespace

template <typename Rule, typename... Arguments>
void RulesAround::put(Arguments&&... arguments) {
    rules_.push_back(std::make_unique<Rule>(std::forward<Arguments>(arguments)..., *outermost_));
    outermost_ = rules_.back().get();
}

/// The order of the rules stands here alone, from the innermost to the outermost.
std::expected<RulesAround, std::string> RulesAround::build(const RuleOptions& options,
                                                           http::Handler& site) {
    RulesAround around{site};
    if (options.prefix) around.put<rules::Prefix>(*options.prefix);
    if (!options.rewrites.empty()) around.put<rules::Rewrites>(options.rewrites);
    if (!options.auth.empty())
        if (auto refusal = around.add_authentication(options); !refusal.empty())
            return std::unexpected{std::move(refusal)};
    if (!options.redirects.empty()) around.put<rules::Redirects>(options.redirects);
    if (!options.access.empty()) around.put<rules::Access>(options.access);
    if (!options.maintenance.empty()) {
        around.read_later(options.maintenance);
        around.put<rules::Maintenance>(rules::Maintenance::Options{
            .file = options.maintenance, .exceptions = options.maintenance_allow});
    }
    if (options.security_headers) around.put<rules::SecurityHeaders>();
    return around;
}

/// Returns what is wrong; empty if nothing is.
std::string RulesAround::add_authentication(const RuleOptions& options) {
    if (const auto why = rules::crypt_unavailable(); !why.empty())
        return "--auth: " + std::string{why};
    std::vector<rules::ProtectedPaths> all;
    for (const AuthOption& option : options.auth) {
        auto users = rules::UserFile::open(option.file, warn);
        if (!users) return "--auth: " + users.error();
        all.push_back({.paths = option.paths, .users = std::move(*users)});
        reads_.push_back(option.file);
        read_later(option.file);
    }
    put<rules::Authentication>(
        std::move(all),
        rules::Authentication::Options{.realm = options.realm, .tries = options.auth_tries});
    return {};
}

/// Another file may take its place, so the folder is read.
void RulesAround::read_later(const std::string& file) {
    const auto folder = std::filesystem::path{file}.parent_path();
    reads_.push_back(folder.empty() ? "." : folder.string());
}

}  // namespace weir::cli
