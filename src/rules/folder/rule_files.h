#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "access/memory/clock.h"
#include "rules/folder/headers_file.h"
#include "rules/folder/redirects_file.h"
#include "site/fields/shared_memo.h"
#include "weir/site/site.h"

namespace weir::rules {

/// The rules in the two files of one directory.
struct FolderRuleSet {
    std::weak_ptr<const void> directory;   // weak: the directory is not kept open
    std::array<std::uint64_t, 2> marks{};  // the states of the files; 0: no file
    std::vector<HeaderRule> headers;
    std::vector<FolderMove> moves;
};

/// The files `_headers` and `_redirects` of the directory that a site serves. They are read when
/// the site's root leads to another directory, and when they change. A request checks for changes,
/// once a second at most. Any thread may call it.
class RuleFiles {
   public:
    using Notice = std::function<void(std::string_view)>;

    /// Reads the files. `site` must outlive it. Each fault is reported once, in all processes of a
    /// server.
    RuleFiles(const site::Site& site, Notice notice, access::Clock clock);

    /// The rules of the directory that requests use.
    std::shared_ptr<const FolderRuleSet> now();
    /// True if the site still serves the directory of these rules.
    bool are_current(const FolderRuleSet& rules) const;

   private:
    using Directory = site::Site::Directory;

    bool is_time() noexcept;
    std::shared_ptr<const FolderRuleSet> read(const Directory& directory);
    std::optional<std::string> content_of(const Directory& directory, const char* name,
                                          std::uint64_t mark);
    void tell(std::string_view name, std::uint64_t mark, const std::vector<LineFault>& faults);
    void tell_of_file(std::string_view name, std::uint64_t mark, const std::error_code& error);

    const site::Site& site_;
    const Notice notice_;
    const access::Clock clock_;
    site::SharedMemo told_;
    std::atomic<Instant::rep> look_at_;
    std::mutex mutex_;
    std::shared_ptr<const FolderRuleSet> rules_;  // guarded by the mutex
};

}  // namespace weir::rules
