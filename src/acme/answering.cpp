#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "acme/acme.h"
#include "http/syntax/get_or_head.h"
#include "server/entrance/acme_challenge.h"
#include "tls/files/read_whole.h"

namespace weir::acme {
namespace {

class Answering final : public http::Handler {
   public:
    Answering(http::Handler& inner, std::string folder)
        : inner_{inner}, folder_{std::move(folder)} {}

    http::Reply handle(const http::Request& request) override {
        const std::string_view path = request.path();
        if (path.starts_with(server::acme_challenges) && http::is_get_or_head(request.method()))
            if (auto answer = answer_to(path.substr(server::acme_challenges.size())))
                return std::move(*answer);
        return inner_.handle(request);
    }

   private:
    /// Nothing if the token is none of ours: another program may have put its answer into the site.
    std::optional<http::Response> answer_to(std::string_view token) const {
        if (!server::is_challenge_token(token)) return std::nullopt;
        auto content = tls::read_whole(folder_ + '/' + std::string{token});
        if (!content) return std::nullopt;
        http::Response response{http::Status::ok};
        response.add("Content-Type", "application/octet-stream")
            .add("Cache-Control", "no-store")
            .content(std::move(*content));
        return response;
    }

    http::Handler& inner_;
    const std::string folder_;
};

}  // namespace

std::unique_ptr<http::Handler> answering(http::Handler& inner, const std::string& folder) {
    return std::make_unique<Answering>(inner, folder);
}

}  // namespace weir::acme
