#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "net/unique_fd.h"
#include "weir/upload/upload.h"

namespace weir::upload {

/// A file that gets its name once it is complete. Until then it has none (O_TMPFILE), or where the file
/// system can't have such files, a hidden one of its own. If it is destroyed before, nothing of it
/// stays. All members block, and throw web::Refusal.
class NewFile {
   public:
    NewFile() = default;
    /// In the folder, which must stay open as long as the file.
    static NewFile in(int folder);
    /// The same for a file system that can't have files without names.
    static NewFile named_in(int folder);
    NewFile(NewFile&&) noexcept;
    NewFile& operator=(NewFile&&) noexcept;
    ~NewFile();

    void write(std::string_view bytes);
    /// What was written is on the disk.
    void sync();
    /// Gives it the name. `replaces`: in place of the file that has it; else 409.
    void publish(const std::string& name, bool replaces);

    /// The names of files that have no other one yet begin so.
    static constexpr std::string_view hidden_prefix =
        hidden_names.substr(0, hidden_names.size() - 1);

   private:
    int link_as(const std::string& name) const noexcept;
    void move_to(const std::string& name, bool replaces);
    void remove_name() noexcept;

    net::UniqueFd fd_;
    int folder_ = -1;
    std::string hidden_name_;  // empty: it has no name
    std::size_t unsynced_ = 0;
};

}  // namespace weir::upload
