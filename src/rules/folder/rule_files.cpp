#include "rules/folder/rule_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <expected>
#include <utility>

#include "access/password/small_file.h"
#include "base/last_error.h"
#include "net/unique_fd.h"

namespace weir::rules {
namespace {

constexpr const char* headers_name = "_headers";
constexpr const char* redirects_name = "_redirects";
constexpr std::size_t file_bytes_max = std::size_t{256} << 10U;
constexpr std::size_t faults_max = 20;  // reported of one file
constexpr std::size_t memo_slots = 4096;
constexpr std::chrono::seconds look_pause{1};
constexpr std::uint64_t unknown_mark = 2;  // no file has it: access::mark_of() is odd

std::uint64_t mark_of(int directory, const char* name) noexcept {
    struct stat status{};
    if (::fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return access::is_passing(last_error()) ? unknown_mark : 0;
    return access::mark_of(site::FileState::from(status));
}

std::array<std::uint64_t, 2> marks_of(int directory) noexcept {
    return {mark_of(directory, headers_name), mark_of(directory, redirects_name)};
}

bool is_same(const std::weak_ptr<const void>& directory,
             const std::shared_ptr<const void>& other) noexcept {
    return !directory.owner_before(other) && !other.owner_before(directory);
}

/// Follows no link, since that could lead out of the folder.
std::expected<std::string, std::error_code> read(int directory, const char* name) {
    const net::UniqueFd file{
        ::openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    if (!file) return std::unexpected{last_error()};
    return access::read_small_file(file.get(), file_bytes_max);
}

std::string reason_of(const std::error_code& error) {
    if (error == std::errc::file_too_large) return "it is larger than 256 KB";
    if (error == std::errc::too_many_symbolic_link_levels) return "it is a symbolic link";
    return error.message();
}

}  // namespace

RuleFiles::RuleFiles(const site::Site& site, Notice notice, access::Clock clock)
    : site_{site},
      notice_{std::move(notice)},
      clock_{clock},
      told_{notice_ ? memo_slots : 0},
      look_at_{(clock_().instant + look_pause).time_since_epoch().count()},
      rules_{read(site_.directory())} {
    if (!rules_) rules_ = std::make_shared<const FolderRuleSet>();  // read at the first request
}

std::shared_ptr<const FolderRuleSet> RuleFiles::now() {
    const Directory directory = site_.directory();
    std::shared_ptr<const FolderRuleSet> rules;
    {
        const std::scoped_lock lock{mutex_};
        rules = rules_;
    }
    const bool is_other = !is_same(rules->directory, directory.owner);
    if (!is_time() && !is_other) return rules;
    if (!is_other && marks_of(directory.fd) == rules->marks) return rules;
    auto others = read(directory);
    if (!others) return rules;  // the old rules hold until the files can be read
    const std::scoped_lock lock{mutex_};
    rules_ = others;
    return others;
}

bool RuleFiles::are_current(const FolderRuleSet& rules) const {
    return is_same(rules.directory, site_.directory().owner);
}

/// True for one of several threads that ask at once.
bool RuleFiles::is_time() noexcept {
    const Instant now = clock_().instant;
    auto due = look_at_.load(std::memory_order_relaxed);
    return now.time_since_epoch().count() >= due &&
           look_at_.compare_exchange_strong(due, (now + look_pause).time_since_epoch().count());
}

/// Null if the files can't be read at the moment. The states are read first, so that a change while
/// the files are read is noticed the next time.
std::shared_ptr<const FolderRuleSet> RuleFiles::read(const Directory& directory) {
    auto rules = std::make_shared<FolderRuleSet>();
    rules->directory = directory.owner;
    if (directory.fd < 0) return rules;
    rules->marks = marks_of(directory.fd);
    const auto headers_text = content_of(directory, headers_name, rules->marks[0]);
    const auto redirects_text = content_of(directory, redirects_name, rules->marks[1]);
    if (!headers_text || !redirects_text) return nullptr;
    HeadersFile headers = read_headers(*headers_text);
    RedirectsFile redirects = read_redirects(*redirects_text);
    tell(headers_name, rules->marks[0], headers.faults);
    tell(redirects_name, rules->marks[1], redirects.faults);
    rules->headers = std::move(headers.rules);
    rules->moves = std::move(redirects.moves);
    return rules;
}

/// Empty if the file is missing or can't be used; null if it can't be read at the moment.
std::optional<std::string> RuleFiles::content_of(const Directory& directory, const char* name,
                                                 std::uint64_t mark) {
    if (mark == 0) return std::string{};
    auto content = rules::read(directory.fd, name);
    if (content) return std::move(*content);
    if (mark == unknown_mark || access::is_passing(content.error())) return std::nullopt;
    tell_of_file(name, mark, content.error());
    return std::string{};
}

void RuleFiles::tell_of_file(std::string_view name, std::uint64_t mark,
                             const std::error_code& error) {
    const bool is_gone = error == std::errc::no_such_file_or_directory;
    if (!notice_ || is_gone || !told_.is_first(mark)) return;
    notice_(std::string{name} +
            " can't be read, and none of its rules applies: " + reason_of(error));
}

void RuleFiles::tell(std::string_view name, std::uint64_t mark,
                     const std::vector<LineFault>& faults) {
    if (faults.empty() || !notice_ || !told_.is_first(mark)) return;
    for (std::size_t i = 0; i < std::min(faults.size(), faults_max); ++i)
        notice_(std::string{name} + ":" + std::to_string(faults[i].line) + ": " + faults[i].text +
                "; the line is ignored");
    if (faults.size() > faults_max)
        notice_(std::string{name} + ": " + std::to_string(faults.size() - faults_max) +
                " more lines are ignored");
}

}  // namespace weir::rules
