#include "rules/auth/user_file.h"

#include <utility>

namespace weir::rules {
namespace {

constexpr std::size_t file_bytes_max = std::size_t{2} << 20U;

}  // namespace

std::expected<std::unique_ptr<UserFile>, std::string> UserFile::open(std::string path, Tell tell,
                                                                     Clock clock) {
    auto file = std::make_unique<UserFile>(std::move(path), std::move(tell), clock);
    if (auto refusal = file->read(); !refusal.empty()) return std::unexpected{std::move(refusal)};
    return file;
}

std::uint64_t UserFile::version() {
    if (looks_.is_time()) look();
    return version_.load(std::memory_order_acquire);
}

std::shared_ptr<const Users> UserFile::users() const {
    const std::scoped_lock lock{mutex_};
    return users_;
}

void UserFile::look() {
    const FileMark mark = FileMark::of(path_);
    {
        const std::scoped_lock lock{mutex_};
        if (mark == mark_) return;
    }
    if (const auto refusal = read(); !refusal.empty() && tell_)
        tell_(refusal + "; the users from before stay");
}

/// The mark is from before the reading: a change during it is seen at the next look.
std::string UserFile::read() {
    const FileMark mark = FileMark::of(path_);
    const auto content = read_small_file(path_, file_bytes_max);
    std::string refusal;
    std::expected<Users, std::string> users;
    if (!content)
        refusal = "cannot read " + path_ + ": " + content.error().message();
    else if (users = Users::parse(*content); !users)
        refusal = path_ + ": " + users.error();
    const std::scoped_lock lock{mutex_};
    mark_ = mark;
    if (!refusal.empty()) return refusal;
    users_ = std::make_shared<const Users>(std::move(*users));
    ++version_;
    return {};
}

}  // namespace weir::rules
