#include "access/password/user_file.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/last_error.h"

namespace weir::access {
namespace {

constexpr std::size_t file_bytes_max = std::size_t{2} << 20U;

/// True if the file is so new that it may be incomplete: a part that ends with a whole line would
/// be taken for the whole file. A modification time in the future does not count.
bool is_being_written(const site::FileState& file, std::int64_t unix_seconds) noexcept {
    constexpr std::int64_t settles_in_seconds = 2;  // the clock of the file has its own rounding
    const std::int64_t age = unix_seconds - file.modified.seconds;
    return file.inode != 0 && age >= 0 && age < settles_in_seconds;
}

net::Mapping shared_memory() {
    auto mapping = net::Mapping::among_forks(4096);
    if (!mapping) throw std::system_error{last_error(), "no memory for a file of users"};
    return mapping;
}

}  // namespace

UserFile::UserFile(std::string path, Users more, Tell tell, Clock clock)
    : path_{std::move(path)},
      more_{std::move(more)},
      tell_{std::move(tell)},
      clock_{clock},
      mapping_{shared_memory()},
      shared_{*mapping_.at<Shared>(0)},
      users_{std::make_shared<const Users>(more_)} {}

std::expected<std::unique_ptr<UserFile>, std::string> UserFile::open(std::string path, Users more,
                                                                     Tell tell, Clock clock) {
    auto file = std::unique_ptr<UserFile>{
        new UserFile{std::move(path), std::move(more), std::move(tell), clock}};
    if (file->path_.empty()) return file;
    const site::FileState state = look_at(file->path_);
    auto users = file->users_of(read_small_file(file->path_, file_bytes_max));
    if (!users) return std::unexpected{std::move(users.error())};
    file->use(*users, state);
    return file;
}

std::shared_ptr<const Users> UserFile::users() {
    if (!path_.empty())
        if (const Now now = clock_(); is_time(now.instant)) look(now.unix_seconds);
    const std::scoped_lock lock{mutex_};
    return users_;
}

/// True for one of several threads that ask at once.
bool UserFile::is_time(Instant now) noexcept {
    auto next = next_look_.load(std::memory_order_relaxed);
    return now.time_since_epoch().count() >= next &&
           next_look_.compare_exchange_strong(next, (now + look_pause).time_since_epoch().count());
}

/// The state is read before the content: the next look notices a change in between.
void UserFile::look(std::int64_t unix_seconds) {
    const site::FileState state = look_at(path_);
    {
        const std::scoped_lock lock{mutex_};
        if (state == state_ || is_being_written(state, unix_seconds)) return;
    }
    const auto content = read_small_file(path_, file_bytes_max);
    if (!content && is_passing(content.error())) return;  // the next look tries again
    if (auto users = users_of(content))
        use(*users, state);
    else
        refuse(users.error(), state);
}

std::expected<Users, std::string> UserFile::users_of(const Content& content) const {
    if (!content) return std::unexpected{"cannot read " + path_ + ": " + content.error().message()};
    auto users = Users::parse(*content);
    if (!users) return std::unexpected{path_ + ": " + users.error()};
    if (users->size() == 0)
        return std::unexpected{path_ + " has no user; `weir password NAME >>" + path_ +
                               "` adds one"};
    return users;
}

void UserFile::use(const Users& users, const site::FileState& state) {
    Users all = more_;
    all.add(users);
    const std::scoped_lock lock{mutex_};
    state_ = state;
    own_ = mark_of(state);
    users_ = std::make_shared<const Users>(std::move(all));
    shared_.good.store(own_);
}

/// A process may have older users than another process has read. It must not go back to them,
/// because some may have been removed. Then only those stay that are in no file.
void UserFile::refuse(const std::string& why, const site::FileState& state) {
    const std::scoped_lock lock{mutex_};
    state_ = state;
    if (own_ != shared_.good.load()) users_ = std::make_shared<const Users>(more_);
    if (tell_ && shared_.told.exchange(mark_of(state)) != mark_of(state))
        tell_(why + "; the users from before stay");
}

}  // namespace weir::access
