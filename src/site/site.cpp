#include "weir/site/site.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <utility>
#include <variant>

#include "http/answer/error_page.h"
#include "http/syntax/get_or_head.h"
#include "net/system/system_limits.h"
#include "site/fields/entity_tag.h"
#include "site/fields/manifest_reader.h"
#include "site/fields/site_fields.h"
#include "site/files/answer.h"
#include "site/files/cache.h"
#include "site/files/fork_hook.h"
#include "site/files/thread_cache.h"
#include "site/files/watcher.h"
#include "site/listing/listing.h"
#include "site/listing/listing_task.h"
#include "site/lookup/lookup.h"
#include "site/lookup/resource_loader.h"
#include "site/lookup/route.h"
#include "site/lookup/target_finder.h"
#include "site/page/listing_answer.h"
#include "site/path/glob.h"
#include "site/path/hashed_name.h"
#include "site/path/paths.h"
#include "site/path/reference.h"
#include "site/path/target_path.h"
#include "site/path/ways_out.h"
#include "site/root/root_path.h"
#include "site/search/search.h"

namespace weir::site {

using http::Method;
using http::Reply;
using http::Request;
using http::Response;
using http::Status;

namespace {

using ResourcePtr = std::shared_ptr<const Resource>;

/// The cache's key for the root's index as the fallback for other paths. It cannot be a path,
/// because paths start with "/".
constexpr std::string_view spa_key = "spa";

/// Identifies a site in tables that outlive it.
std::uint64_t next_id() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

constexpr std::string_view allowed_methods = "GET, HEAD, OPTIONS";

}  // namespace

class Site::State {
   public:
    State(Options options, std::unique_ptr<RootPath> root, SiteFields fields)
        : options_{std::move(options)}, root_{std::move(root)}, fields_{std::move(fields)} {}

    Reply handle(const Request& request) {
        const bool reads = http::is_get_or_head(request.method());
        Reply reply = reads ? get(request) : answer_other_method(request);
        if (auto* const response = std::get_if<Response>(&reply)) [[likely]]
            fields_.complete(*response, request);
        return reply;
    }

    Directory directory() {
        Root root = root_of_request();
        if (!root) return {};
        const int fd = root->descriptor();
        return {.owner = std::move(root), .fd = fd};
    }
    bool watching() {
        const Root root = root_->now();
        return root && watcher_.watch(*root, "") == Watcher::Watch::reports;
    }
    void resume_watching() {
        if (watcher_.running() || options_.cache.watches_max == 0) return;
        cache_.all_changed();  // the entries in the cache are not watched
        watcher_.start();
    }

   private:
    using Found = std::variant<ResourcePtr, ListingTarget, UnlistedTarget, RedirectTarget, Status>;
    using Root = std::shared_ptr<const RootDirectory>;

    class PendingListing;

    Reply get(const Request& request);
    Response answer_other_method(const Request& request);
    Response options(const Request& request) const;
    /// `detail` is that of error_response(). The site's own error page takes precedence.
    Response error(const Request& request, Status status, std::string_view detail = {});
    Response error_page(const Request& request, Status status, std::string_view detail);
    Root root_of_request();
    void follow_root();
    Found find(std::string_view path, const RootDirectory& root);
    Found find_route(const RootDirectory& root);
    ResourcePtr find_in_earlier(std::string_view path);
    ResourcePtr find_cached(std::string_view key, const RootDirectory& root);
    LoadOptions load_options(std::string_view cache_control = {});
    Found load(std::string_view key, const FileTarget& target, Lookup& lookup,
               std::uint64_t changes_seen, std::string_view cache_control = {});
    Reply respond(const Request& request, std::string_view path, Found found, const Root& root);
    Response respond_as_application(const Request& request, std::string_view path,
                                    std::string_view detail, const RootDirectory& root);
    Response send(const Request& request, const Resource& resource,
                  std::shared_ptr<const void> owner);
    Reply list(const Request& request, const ListingTarget& target, const Root& root);
    Response show(const Request& request, const std::string& directory, const Folder& folder,
                  const RootDirectory& root);

    const std::uint64_t id_ = next_id();
    const Options options_;
    const std::unique_ptr<RootPath> root_;
    const SiteFields fields_;
    EntityTags tags_{options_.tags_from};
    ManifestReader manifest_{options_.tags_manifest};
    Notices notices_{options_.notice};
    const std::shared_ptr<Cache> shared_cache_ = make_cache(options_.cache);
    Cache& cache_ = *shared_cache_;
    ListingDesk desk_{options_.cache.bytes_max};
    Watcher watcher_{*root_, cache_, options_.cache};
    const ForkHook fork_hook_{{
        .before =
            [this] {
                watcher_.lock();
                root_->lock();
                cache_.lock();
                desk_.lock();
                manifest_.lock();
            },
        .in_parent =
            [this] {
                manifest_.unlock();
                desk_.unlock();
                cache_.unlock();
                root_->unlock();
                watcher_.unlock();
            },
        .in_child =
            [this] {
                cache_.all_changed_while_locked();
                watcher_.abandon_while_locked();
                desk_.forget_turn_while_locked();
                manifest_.unlock();
                desk_.unlock();
                cache_.unlock();
                root_->unlock();
                watcher_.unlock();
            },
    }};
};

Response Site::State::answer_other_method(const Request& request) {
    switch (request.method()) {
        case Method::options: return options(request);
        case Method::unknown: return error(request, Status::not_implemented);
        default:
            return std::move(
                error(request, Status::method_not_allowed).add("Allow", allowed_methods));
    }
}

Response Site::State::options(const Request& request) const {
    Response response{Status::no_content};
    response.add("Allow", allowed_methods);
    fields_.cors.answer_preflight(request, response);
    return response;
}

Reply Site::State::get(const Request& request) {
    const std::string_view target = request.path();
    ThreadCache* const front = ThreadCache::of_this_thread();
    if (auto hit = front ? front->find(id_, target) : ThreadCache::Hit{}; hit.resource)
        return send(request, *hit.resource, std::move(hit.owner));

    std::array<char, 1024> buffer;
    std::string long_buffer;
    if (target.size() > buffer.size()) long_buffer.resize(target.size());
    const auto path =
        target_path(target, long_buffer.empty() ? std::span<char>{buffer} : std::span{long_buffer});
    if (!path) return error(request, path.error());
    if (!options_.dotfiles && is_hidden(*path)) return error(request, Status::not_found);

    Root root = root_of_request();
    if (!root) return error(request, Status::service_unavailable);
    Found found = find(*path, *root);
    while (!std::holds_alternative<ResourcePtr>(found)) {
        // Another release may have replaced the root meanwhile, and the old one may be deleted.
        follow_root();
        Root now = root_->now();
        if (!now) return error(request, Status::service_unavailable);
        if (now == root) break;
        found = find(*path, *(root = std::move(now)));
    }
    if (const auto* const status = std::get_if<Status>(&found);
        status && *status == Status::not_found)
        if (ResourcePtr earlier = find_in_earlier(*path)) found = std::move(earlier);
    const auto* const resource = std::get_if<ResourcePtr>(&found);
    if (front && resource != nullptr && (*resource)->watched && (*resource)->is_valid() &&
        target == *path)
        front->put(id_, *resource);
    return respond(request, *path, std::move(found), root);
}

/// Without a watcher, each request checks where the path leads.
Site::State::Root Site::State::root_of_request() {
    if (!watcher_.running()) follow_root();
    return root_->now();
}

/// Costs one stat(2) if the path leads where it led before.
void Site::State::follow_root() {
    if (root_->leads_elsewhere()) root_->follow([this] { cache_.all_changed(); });
}

Reply Site::State::respond(const Request& request, std::string_view path, Found found,
                           const Root& root) {
    const bool unlisted = std::holds_alternative<UnlistedTarget>(found);
    if (unlisted) found = Status::not_found;
    if (const auto* const status = std::get_if<Status>(&found))
        if (*status == Status::not_found && options_.spa_fallback)
            return respond_as_application(request, path, unlisted ? options_.listing_hint : "",
                                          *root);
    if (const auto* const resource = std::get_if<ResourcePtr>(&found))
        return send(request, **resource, *resource);
    if (const auto* const target = std::get_if<RedirectTarget>(&found))
        return answer_moved(request, path, target->path);
    if (const auto* const target = std::get_if<ListingTarget>(&found))
        return list(request, *target, root);
    return error(request, std::get<Status>(found), unlisted ? options_.listing_hint : "");
}

/// The page of the application, or a 404 with `detail`.
Response Site::State::respond_as_application(const Request& request, std::string_view path,
                                             std::string_view detail, const RootDirectory& root) {
    const Address address = address_of(path, fields_.media_types);
    const bool is_route =
        address == Address::route || (address == Address::either && is_navigation(request));
    const Found found = is_route ? find_route(root) : Found{Status::not_found};
    const auto* const page = std::get_if<ResourcePtr>(&found);
    Response response = page != nullptr ? send(request, **page, *page)
                                        : error(request, std::get<Status>(found), detail);
    if (address == Address::either) response.add("Vary", "Accept");
    return response;
}

Site::State::Found Site::State::find(std::string_view path, const RootDirectory& root) {
    if (auto cached = find_cached(path, root)) return cached;
    const std::uint64_t changes_seen = cache_.changes();
    Lookup lookup{root, watcher_};
    Target target = find_target(path, options_, lookup);
    if (lookup.failure()) return status_of(lookup.failure());
    if (const auto* const file = std::get_if<FileTarget>(&target))
        return load(path, *file, lookup, changes_seen);
    if (auto* const listing = std::get_if<ListingTarget>(&target)) return std::move(*listing);
    if (std::holds_alternative<UnlistedTarget>(target)) return UnlistedTarget{};
    if (auto* const moved = std::get_if<RedirectTarget>(&target)) return std::move(*moved);
    return std::get<Status>(target);
}

Site::State::Found Site::State::find_route(const RootDirectory& root) {
    if (auto cached = find_cached(spa_key, root)) return cached;
    const std::uint64_t changes_seen = cache_.changes();
    Lookup lookup{root, watcher_};
    const Target target = find_target("/", options_, lookup);
    if (lookup.failure()) return status_of(lookup.failure());
    const auto* const file = std::get_if<FileTarget>(&target);
    if (file == nullptr) return Status::not_found;
    // Without no-cache, caches would show an old version of the application under every address.
    return load(spa_key, *file, lookup, changes_seen, "no-cache");
}

ResourcePtr Site::State::find_cached(std::string_view key, const RootDirectory& root) {
    auto resource = cache_.find(key);
    if (!resource || (resource->watched && resource->is_valid())) return resource;
    const std::uint64_t changes_seen = cache_.changes();
    if (are_current(resource->dependencies, root) &&
        (!resource->watched || cache_.confirm(*resource, changes_seen)))
        return resource;
    cache_.remove(*resource);
    return nullptr;
}

/// Pages of an earlier release ask for its files for a while. The cache has the files of one release
/// alone, so these are read for each request.
ResourcePtr Site::State::find_in_earlier(std::string_view path) {
    if (options_.keep_old == options_.keep_old.zero() || !has_hash(path)) return nullptr;
    for (const Root& root : root_->earlier()) {
        Lookup lookup{*root, watcher_};
        const Target target = find_target(path, options_, lookup);
        const auto* const file = std::get_if<FileTarget>(&target);
        if (file == nullptr) continue;
        auto loaded = load_resource(std::string{path}, file->file, lookup, load_options());
        if (loaded) return std::move(loaded->resource);
    }
    return nullptr;
}

LoadOptions Site::State::load_options(std::string_view cache_control) {
    return {.media_types = fields_.media_types,
            .rules = fields_.rules,
            .tags = tags_,
            .manifest = manifest_,
            .notices = notices_,
            .precompressed = options_.precompressed,
            .precompressed_not_in = options_.precompressed_not_in,
            .small_file_bytes_max = options_.cache.small_file_bytes_max,
            .cache_control = cache_control};
}

Site::State::Found Site::State::load(std::string_view key, const FileTarget& target, Lookup& lookup,
                                     std::uint64_t changes_seen, std::string_view cache_control) {
    auto loaded = load_resource(std::string{key}, target.file, lookup, load_options(cache_control));
    if (!loaded) return status_of(loaded.error());
    if (loaded->settled) cache_.insert(loaded->resource, changes_seen);
    return ResourcePtr{std::move(loaded->resource)};
}

Response Site::State::send(const Request& request, const Resource& resource,
                           std::shared_ptr<const void> owner) {
    return answer(request, resource, std::move(owner),
                  [&](Status status) { return error(request, status); });
}

/// Reads a folder of many names in pieces, between which the engine serves other connections.
class Site::State::PendingListing final : public http::Continuation {
   public:
    PendingListing(State& state, const Request& request, Root root, std::string directory,
                   ListingTask task)
        : state_{state},
          request_{request.share()},
          waker_{request.waker()},
          root_{std::move(root)},
          directory_{std::move(directory)},
          task_{std::move(task)} {}

    Reply resume() override {
        const auto progress = task_.step();
        if (progress == ListingTask::Progress::more) {
            waker_.wake();
            return http::Later{};
        }
        if (progress == ListingTask::Progress::waits) {
            due_ = waker_.now() + between_looks;
            return http::Later{};
        }
        due_ = never;
        state_.follow_root();
        if (state_.root_->now() != root_ && releases_left_-- > 0) return begin_again();
        Response response = progress ? state_.show(*request_, directory_, *task_.folder(), *root_)
                                     : state_.error(*request_, status_of(progress.error()));
        state_.fields_.complete(response, *request_);
        return response;
    }
    Instant due() const noexcept override { return due_; }
    std::size_t bytes() const noexcept override { return task_.bytes(); }

   private:
    static constexpr std::chrono::milliseconds between_looks{5};

    /// Another release has taken the place of the root, and this one may have been deleted while it
    /// was read.
    Reply begin_again() {
        Reply reply = state_.get(*request_);
        if (auto* const response = std::get_if<Response>(&reply))
            state_.fields_.complete(*response, *request_);
        auto* const later = std::get_if<http::Later>(&reply);
        if (!later) return reply;
        auto& next = static_cast<PendingListing&>(*later->continuation);
        root_ = std::move(next.root_);
        directory_ = std::move(next.directory_);
        task_ = std::move(next.task_);
        waker_.wake();
        return http::Later{};
    }

    State& state_;
    std::shared_ptr<const Request> request_;
    http::Waker waker_;
    Root root_;
    std::string directory_;
    ListingTask task_;
    Instant due_ = never;
    int releases_left_ = 3;
};

Reply Site::State::list(const Request& request, const ListingTarget& target, const Root& root) {
    const ListingQuery query = query_of(request, options_);
    if (!query.page) return error(request, Status::not_found);
    ListingTask task = query.words.empty()
                           ? ListingTask{desk_,
                                         [root, directory = target.directory] {
                                             return open_folder(root, directory);
                                         },
                                         {.order = query.order, .dotfiles = options_.dotfiles}}
                           : search_for(query, request, options_, desk_, root, target.directory);
    const auto progress = task.start();
    if (!progress) return error(request, status_of(progress.error()));
    if (*progress == ListingTask::Progress::done)
        return show(request, target.directory, *task.folder(), *root);
    return http::Later{
        std::make_unique<PendingListing>(*this, request, root, target.directory, std::move(task))};
}

Response Site::State::show(const Request& request, const std::string& directory,
                           const Folder& folder, const RootDirectory& root) {
    const ListingQuery query = query_of(request, options_);
    const std::size_t entries_max = std::max<std::size_t>(options_.listing_entries_max, 1);
    if (query.page > pages_of(folder, entries_max)) return error(request, Status::not_found);
    auto listing = read_page(root, directory, folder, query, entries_max, fields_.media_types);
    if (!listing) return error(request, status_of(listing.error()));
    listing->base = base_of(request, listing->path);
    listing->below = decoded_prefix(request);
    listing->archives = options_.listing_archives;
    listing->searches = options_.listing_search;
    listing->uploads = is_within_any(directory, options_.listing_uploads);
    listing->title = options_.listing_title;
    listing->theme = options_.listing_theme;
    const bool json = prefers_json(request);
    if (!json && query.page == 1 && query.words.empty())
        listing->readme = read_readme(root, directory, folder.readme(), options_.readme_html);
    Response response = answer_with_listing(request, *listing, json);
    if (response.status() == Status::precondition_failed) return error(request, response.status());
    return response;
}

Response Site::State::error(const Request& request, Status status, std::string_view detail) {
    if (status == Status::forbidden && detail.empty())
        detail = "The server has no permission to read this file";
    Response response = error_page(request, status, detail);
    if (status == Status::service_unavailable) response.add("Retry-After", "1");
    return response;
}

Response Site::State::error_page(const Request& request, Status status, std::string_view detail) {
    if (const Root root = options_.error_pages ? root_->now() : nullptr) {
        const Found found = find("/" + std::to_string(http::code(status)) + ".html", *root);
        if (const auto* const resource = std::get_if<ResourcePtr>(&found))
            return answer_as_error(request, status, **resource, *resource);
    }
    return http::error_response_with(ways_out(request), status, detail);
}

std::expected<std::unique_ptr<Site>, std::string> Site::open(Options options) {
    const bool one_file = !options.file.empty();
    if (one_file) serve_one_file(options);
    for (const std::string& name : options.index_names)
        if (name.empty() || name.find('/') != name.npos)
            return std::unexpected{"'" + name +
                                   "' can't be an index page: use a file name without a path"};
    if (auto why = ManifestReader::refusal_of(options); !why.empty())
        return std::unexpected{std::move(why)};
    auto fields = SiteFields::from(options);
    if (!fields) return std::unexpected{fields.error()};
    std::shared_ptr<const Withheld> withheld;
    for (const std::string& glob : options.hidden)
        if (!is_pattern(glob)) return std::unexpected{not_a_pattern(glob)};
    if (!options.withheld.empty() || !options.hidden.empty())
        withheld = std::make_shared<Withheld>(options.withheld, options.hidden);
    auto root = RootPath::open(options.root, {.symlinks = options.symlinks,
                                              .withheld = std::move(withheld),
                                              .file = options.file,
                                              .follows_file = options.follows_file,
                                              .keeps_old = options.keep_old});
    if (!root) return std::unexpected{root.error()};
    if (one_file)
        if (const auto opened = (*root)->now()->open_file((*root)->now()->file()); !opened)
            return std::unexpected{
                net::with_limit("cannot read '" + options.file + "'", opened.error()) + ": " +
                opened.error().message()};
    return std::unique_ptr<Site>{new Site{
        std::make_unique<State>(std::move(options), std::move(*root), std::move(*fields))}};
}

Site::Site(std::unique_ptr<State> state) : state_{std::move(state)} {}
Site::~Site() = default;

Site::Directory Site::directory() const { return state_->directory(); }
bool Site::watching() const { return state_->watching(); }
void Site::resume_watching() { state_->resume_watching(); }

Reply Site::handle(const Request& request) { return state_->handle(request); }

}  // namespace weir::site
