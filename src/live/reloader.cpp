#include "weir/live/live.h"

#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/random_boundary.h"
#include "base/troubles.h"
#include "http/answer/error_page.h"
#include "http/answer/html.h"
#include "http/syntax/get_or_head.h"
#include "live/event_source.h"
#include "live/feed.h"
#include "live/news.h"
#include "live/page.h"
#include "live/script.h"
#include "live/tree.h"
#include "live/watch.h"
#include "rules/completed.h"
#include "site/root/root_path.h"
#include "site/root/root_watch.h"
#include "weir/http/field_name.h"

namespace weir::live {

using http::FieldName;
using http::Reply;
using http::Request;
using http::Response;
using http::Status;

namespace {

constexpr std::string_view script_path = "/.weir/live.js";
constexpr std::string_view events_path = "/.weir/live";

/// The path that was asked for counts, too: a rewrite of all paths must not hide these.
bool asks_for(const Request& request, std::string_view path) {
    if (request.path() == path) return true;
    std::string_view asked = request.asked_path();
    if (asked.starts_with(request.prefix())) asked.remove_prefix(request.prefix().size());
    return asked == path;
}

bool is_tunnel(const Response& response) {
    const auto* const source = std::get_if<std::unique_ptr<http::Source>>(&response.content());
    return source != nullptr && (*source)->tunnel() != nullptr;
}

Reply script_answer(const Request& request) {
    if (!http::is_get_or_head(request.method())) {
        Response refused = http::error_response(Status::method_not_allowed);
        refused.add("Allow", "GET, HEAD");
        return refused;
    }
    Response response;
    response.add("Content-Type", "text/javascript; charset=utf-8")
        .add("X-Content-Type-Options", "nosniff")
        .add("Cache-Control", "no-cache")
        .content_view(script);
    return response;
}

}  // namespace

struct Reloader::State {
    State(http::Handler& of, const site::Options& site, Options its, std::string root_path)
        : inner{of},
          options{its},
          root{std::move(root_path)},
          dotfiles{site.dotfiles || !site.file.empty()},
          choice{choice_of(site)} {}

    static site::RootPath::Choice choice_of(const site::Options& site) {
        site::RootPath::Choice choice{
            .symlinks = site.symlinks, .file = site.file, .follows_file = site.follows_file};
        if (!site.withheld.empty() || !site.hidden.empty())
            choice.withheld = std::make_shared<const site::Withheld>(site.withheld, site.hidden);
        return choice;
    }

    Reply handle(const Request& request);
    Reply events(const Request& request) const;
    Reply ask_whole(const Request& request);
    Response complete(const Request& request, Response response, const Version& version) const;
    std::string element(const Request& request, const Version& version) const;
    void watch();

    /// The objects that each process has for itself.
    struct Here {
        std::shared_ptr<Feed> feed;
        std::unique_ptr<Watch> watch{};
    };

    http::Handler& inner;
    const Options options;
    const std::string root;  // absolute: a relative path may be out of reach later
    const bool dotfiles;
    const site::RootPath::Choice choice;
    const std::string nonce = random_boundary();  // random, so that it can't be guessed
    const std::shared_ptr<News> news = std::make_shared<News>();
    std::optional<site::RootWatch> root_watch{std::in_place};  // until the first Watch takes it
    std::unique_ptr<Here> here =
        std::make_unique<Here>(std::make_shared<Feed>(news, options.streams_max));
};

namespace {

/// Completes a response that comes later: a listing that is read in pieces.
class LaterPage final : public rules::Completion {
   public:
    LaterPage(const Reloader::State& state, std::shared_ptr<const Request> request,
              const Version& version) noexcept
        : state_{state}, request_{std::move(request)}, version_{version} {}

    void complete(Response& response) const override {
        response = state_.complete(*request_, std::move(response), version_);
    }

   private:
    const Reloader::State& state_;
    const std::shared_ptr<const Request> request_;
    const Version version_;
};

/// Changes the fields that other handlers added to a response.
class LastFields final : public rules::Completion {
   public:
    explicit LastFields(std::string nonce) noexcept : nonce_{std::move(nonce)} {}

    void complete(Response& response) const override {
        if (!is_tunnel(response)) response = kept_fresh(std::move(response), nonce_);
    }

   private:
    const std::string nonce_;
};

class Finishing final : public http::Handler {
   public:
    Finishing(http::Handler& outer, std::string nonce)
        : outer_{outer}, fields_{std::make_shared<const LastFields>(std::move(nonce))} {}

    Reply handle(const Request& request) override {
        Reply reply = outer_.handle(request);
        return http::is_get_or_head(request.method()) ? rules::completed(std::move(reply), fields_)
                                                      : std::move(reply);
    }

   private:
    http::Handler& outer_;
    const std::shared_ptr<const LastFields> fields_;
};

}  // namespace

Reply Reloader::State::handle(const Request& request) {
    if (asks_for(request, events_path)) return events(request);
    if (asks_for(request, script_path)) return script_answer(request);
    if (!http::is_get_or_head(request.method())) return inner.handle(request);
    const Version version = news->version();  // read first: a change meanwhile is reported
    Reply reply = inner.handle(request);
    if (const auto* const later = std::get_if<http::Later>(&reply); later && later->continuation)
        return rules::completed(std::move(reply),
                                std::make_shared<const LaterPage>(*this, request.share(), version));
    auto* response = std::get_if<Response>(&reply);
    if (response == nullptr) return reply;
    if (kind_of(request, *response) != Kind::may_be_page)
        return complete(request, std::move(*response), version);
    Reply whole = ask_whole(request);
    if (auto* const page = std::get_if<Response>(&whole);
        page != nullptr && kind_of(request, *page) == Kind::page)
        response = page;
    return complete(request, std::move(*response), version);
}

/// Asks `inner` as if the client had no copy of the page, and took no coding.
Reply Reloader::State::ask_whole(const Request& request) {
    std::vector<std::pair<std::size_t, std::string>> before;
    for (std::size_t i = 0; i < request.fields().size(); ++i) {
        const http::FieldLine& line = request.fields()[i];
        const bool concerns = line.id == FieldName::if_none_match ||
                              line.id == FieldName::if_modified_since ||
                              line.id == FieldName::range || line.id == FieldName::accept_encoding;
        if (concerns) before.emplace_back(i, request.value_of(line));
    }
    for (const auto& [index, value] : before) request.change(index, "");
    Reply reply = inner.handle(request);
    if (std::holds_alternative<Response>(reply))  // other replies may have shared the request
        for (const auto& [index, value] : before) request.change(index, value);
    return reply;
}

Response Reloader::State::complete(const Request& request, Response response,
                                   const Version& version) const {
    if (is_tunnel(response)) return response;
    if (kind_of(request, response) != Kind::page) return kept_fresh(std::move(response), nonce);
    return with_script(std::move(response), element(request, version), nonce);
}

std::string Reloader::State::element(const Request& request, const Version& version) const {
    std::string text = "<script src=\"";
    http::append_html(text, request.prefix());
    text.append(script_path).append("\" nonce=\"").append(nonce);
    text.append("\" data-version=\"").append(version.text());
    return text += "\"></script>\n";
}

Reply Reloader::State::events(const Request& request) const {
    if (!http::is_get_or_head(request.method())) return script_answer(request);
    auto place = here->feed->join(request.waker());
    if (!place)
        return http::come_again(Status::service_unavailable, std::chrono::seconds{2},
                                "The server tells many pages of changes already");
    Response response;
    response.add("Content-Type", "text/event-stream")
        .add("X-Content-Type-Options", "nosniff")
        .add("X-Accel-Buffering", "no")  // otherwise nginx buffers the events
        .add("Cache-Control", "no-cache, no-transform")
        .content(std::make_unique<EventSource>(std::move(*place)));
    return response;
}

/// A forked process lacks the thread, and may have inherited its locks in a locked state.
void Reloader::State::watch() {
    if (here->watch) {
        here->watch->abandon();
        (void)here.release();
        here = std::make_unique<Here>(std::make_shared<Feed>(news, options.streams_max));
    }
    try {
        here->watch =
            std::make_unique<Watch>(Watched{.root = root,
                                            .choice = choice,
                                            .dotfiles = dotfiles,
                                            .root_watch = std::exchange(root_watch, std::nullopt)},
                                    news, here->feed);
    } catch (const std::system_error&) {
        troubles().note(Trouble::threads);
    }
}

Reloader::Reloader(std::unique_ptr<State> state) noexcept : state_{std::move(state)} {}
Reloader::~Reloader() = default;

Reply Reloader::handle(const Request& request) { return state_->handle(request); }
void Reloader::watch() { state_->watch(); }
void Reloader::end() noexcept { state_->news->end(); }

std::unique_ptr<http::Handler> Reloader::finish(http::Handler& outer) const {
    return std::make_unique<Finishing>(outer, state_->nonce);
}

std::expected<std::unique_ptr<Reloader>, std::string> around(http::Handler& inner,
                                                             const site::Options& site,
                                                             Options options) try {
    if (site.cache.entries_max != 0 || site.cache.watches_max != 0)
        return std::unexpected{
            "cannot tell of changes: the site has a cache, which may notice a change later than "
            "the page; set CacheOptions::entries_max and watches_max to 0"};
    const auto root = site::RootPath::open(site.root, Reloader::State::choice_of(site));
    if (!root) return std::unexpected{root.error()};
    std::error_code none;  // in a chroot(2), the working directory may have no path
    const auto absolute = std::filesystem::absolute(site.root, none).string();
    auto state =
        std::make_unique<Reloader::State>(inner, site, options, none ? site.root : absolute);
    const Version now = read_tree((*root)->now(), state->dotfiles, [](const std::string&) {});
    state->news->replace({}, now);
    return std::make_unique<Reloader>(std::move(state));
} catch (const std::system_error& error) {
    return std::unexpected{std::string{"cannot tell of changes: "} + error.what()};
}

}  // namespace weir::live
