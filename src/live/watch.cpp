#include "live/watch.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <new>
#include <string_view>
#include <utility>

#include "base/background_thread.h"
#include "base/troubles.h"
#include "live/tree.h"
#include "net/clock.h"
#include "net/system/shared_file_system.h"
#include "site/root/inotify_reports.h"

namespace weir::live {
namespace {

/// A file counts when it is whole: when its writer closes it, or gives it its name.
constexpr std::uint32_t reported =
    IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR;
/// The kernel takes about 1 KB for each watch.
constexpr std::size_t watches_max = 8192;
/// If a program writes many files, or one in several steps, that is one change.
constexpr std::chrono::milliseconds gathering{50};
constexpr std::chrono::milliseconds gathering_max{500};
constexpr std::chrono::seconds look_again{2};

}  // namespace

Watch::Watch(Watched watched, std::shared_ptr<News> news, std::shared_ptr<const Feed> feed)
    : watched_{std::move(watched)},
      news_{std::move(news)},
      feed_{std::move(feed)},
      inotify_{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)} {
    if (!inotify_) troubles().note(Trouble::watches);
    if (!watched_.root_watch) watched_.root_watch.emplace();
    thread_ = start_background_thread([this] { run(); });
}

Watch::~Watch() {
    end_.signal();
    thread_.join();
}

void Watch::abandon() noexcept {
    inotify_.reset();
    watched_.root_watch.reset();
}

void Watch::run() {
    enum : std::size_t { below, path, mounts, stop, end };
    std::array<pollfd, 5> awaited{
        {{.fd = inotify_.get(), .events = POLLIN, .revents = 0},
         {.fd = watched_.root_watch->reports_fd(), .events = POLLIN, .revents = 0},
         {.fd = watched_.root_watch->mounts_fd(), .events = POLLPRI, .revents = 0},
         {.fd = news_->ended_fd(), .events = POLLIN, .revents = 0},
         {.fd = end_.fd(), .events = POLLIN, .revents = 0}}};
    ::pthread_setname_np(::pthread_self(), "weir-live");
    Instant now = net::read_instant();
    follow_root();
    look(now);
    for (;;) {
        const int ready = ::poll(awaited.data(), awaited.size(),
                                 net::wait_milliseconds(std::min(look_at_, changed_by_), now));
        now = net::read_instant();
        const auto is_ready = [&](std::size_t which) {
            return ready > 0 && awaited[which].revents != 0;
        };
        if (is_ready(end)) return;
        if (is_ready(stop)) return feed_->wake();
        if (is_ready(below) && take_reports()) note_change(now);
        const bool leads_elsewhere = is_ready(path) && watched_.root_watch->take_reports();
        if (leads_elsewhere || is_ready(mounts)) {
            follow_root();
            note_change(now);
        }
        if (now >= look_at_ || now >= changed_by_) look(now);
    }
}

/// The tree is read after a moment without further reports.
void Watch::note_change(Instant now) noexcept {
    if (changed_by_ == never) changed_by_ = now + gathering_max;
    look_at_ = std::min(now + gathering, changed_by_);
}

void Watch::look(Instant now) noexcept {
    changed_by_ = never;
    try {
        if (!sees_root_) follow_root();
        read_and_watch();
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
        sees_all_ = false;
    }
    look_at_ = sees_all_ && sees_root_ ? never : now + look_again;
}

void Watch::read_and_watch() {
    Version before, found;
    do {
        before = news_->version();
        sees_all_ = static_cast<bool>(inotify_);
        watches_.merge(kept_);
        kept_.clear();
        found = read_tree(root_ ? root_->now() : nullptr, watched_.dotfiles,
                          [this](const std::string& folder) { watch(folder); });
    } while (!news_->replace(before, found));
    for (const int id : watches_)
        if (!kept_.contains(id)) ::inotify_rm_watch(inotify_.get(), id);
    watches_ = kept_;
    if (std::exchange(seen_, found) != found) feed_->wake();
}

/// The watch of a folder that is watched already stays.
void Watch::watch(const std::string& folder) {
    if (!inotify_) return;
    const auto root = root_->now();
    const auto fd = root ? root->open_directory(folder) : std::unexpected{std::error_code{}};
    if (!fd || net::is_shared_with_other_machines(fd->get())) sees_all_ = false;
    if (!fd) return;
    if (kept_.size() >= watches_max) return miss_changes();
    // inotify_add_watch(2) takes no descriptor, and the path might lead elsewhere by now.
    const std::string path = "/proc/self/fd/" + std::to_string(fd->get());
    const int id = ::inotify_add_watch(inotify_.get(), path.c_str(), reported);
    if (id >= 0)
        kept_.insert(id);
    else if (errno == ENOSPC)
        miss_changes();
    else
        sees_all_ = false;
}

/// Reports the lack of watches once; each further reading would report the same.
void Watch::miss_changes() noexcept {
    sees_all_ = false;
    if (!std::exchange(has_told_, true)) troubles().note(Trouble::watches);
}

/// True if one of the reports may be of a file that is served.
bool Watch::take_reports() noexcept {
    bool concerns = false;
    site::for_each_report(inotify_.get(), [&](const inotify_event& event, std::string_view name) {
        const bool is_end_of_watch = (event.mask & IN_IGNORED) != 0;
        concerns = concerns || (!is_end_of_watch && (watched_.dotfiles || !name.starts_with('.')));
    });
    return concerns;
}

/// A process that replaces another one may start while there is no folder.
void Watch::follow_root() noexcept try {
    sees_root_ = false;
    if (!root_) {
        auto opened = site::RootPath::open(watched_.root, watched_.choice);
        if (!opened) return;
        root_ = std::move(*opened);
    }
    const bool reports_all = watched_.root_watch->renew(root_->path());  // before it is followed
    sees_root_ = root_->follow() != site::RootPath::Found::unknown && reports_all;
} catch (const std::bad_alloc&) {
    sees_root_ = false;
}

}  // namespace weir::live
