#include "cli/sites/challenges_around.h"

#include <string_view>
#include <utility>
#include <variant>

#include "http/syntax/get_or_head.h"
#include "server/entrance/acme_challenge.h"

namespace weir::cli {
namespace {

bool asks_for_challenge(const http::Request& request) noexcept {
    const std::string_view path = request.path();
    return path.starts_with(server::acme_challenges) &&
           server::is_challenge_token(path.substr(server::acme_challenges.size())) &&
           http::is_get_or_head(request.method());
}

bool is_file(const http::Reply& reply) noexcept {
    const auto* const response = std::get_if<http::Response>(&reply);
    return response != nullptr && http::code(response->status()) < 400 &&
           !response->get("Location");
}

class Challenges final : public http::Handler {
   public:
    Challenges(http::Handler& inner, std::unique_ptr<site::Site> files)
        : inner_{inner}, files_{std::move(files)} {}

    http::Reply handle(const http::Request& request) override {
        if (request.origin().security() || !asks_for_challenge(request))
            return inner_.handle(request);
        http::Reply reply = files_->handle(request);
        return is_file(reply) ? std::move(reply) : inner_.handle(request);
    }

   private:
    http::Handler& inner_;
    const std::unique_ptr<site::Site> files_;
};

/// The files of the site by their own names. A CA asks rarely, so there is no cache.
site::Options files_of(const site::Options& options) {
    site::Options files;
    files.root = options.root;
    files.symlinks = options.symlinks;
    files.withheld = options.withheld;
    files.hidden = options.hidden;
    files.index_names.clear();
    files.precompressed = false;
    files.cors_origins = options.cors_origins;
    files.fields = options.fields;
    files.cache.entries_max = files.cache.watches_max = 0;
    files.cache.watches_from_start = false;
    return files;
}

}  // namespace

std::expected<std::unique_ptr<http::Handler>, std::string> challenges_around(
    http::Handler& inner, const site::Options& options) {
    if (!options.file.empty()) return nullptr;
    auto files = site::Site::open(files_of(options));
    if (!files) return std::unexpected{std::move(files.error())};
    return std::make_unique<Challenges>(inner, std::move(*files));
}

}  // namespace weir::cli
