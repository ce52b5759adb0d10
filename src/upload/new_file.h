#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "net/unique_fd.h"
#include "weir/upload/upload.h"

namespace weir::upload {

/// A file that gets its name when it is complete. Until then it has no name (O_TMPFILE), or a
/// hidden one if the file system has no files without names. If the object is destroyed before,
/// nothing of the file stays. All members block, and throw web::Refusal.
class NewFile {
   public:
    NewFile() = default;
    /// Creates the file in the folder, which must stay open as long as the file.
    static NewFile in(int folder);
    /// The same for a file system that can't have files without names.
    static NewFile named_in(int folder);
    NewFile(NewFile&&) noexcept;
    NewFile& operator=(NewFile&&) noexcept;
    ~NewFile();

    void write(std::string_view bytes);
    /// Returns when all written bytes are on the disk.
    void sync();
    /// Gives the file its name. `replaces`: replaces a file that has the name; otherwise that is a
    /// 409.
    void publish(const std::string& name, bool replaces);

    /// Open for writing; borrowed. Its bytes count as written after sync().
    int descriptor() const noexcept { return fd_.get(); }

    /// The beginning of hidden names.
    static constexpr std::string_view hidden_prefix =
        hidden_names.substr(0, hidden_names.size() - 1);

   private:
    int link_as(const std::string& name) const noexcept;
    void move_to(const std::string& name, bool replaces);
    void remove_name() noexcept;

    net::UniqueFd fd_;
    int folder_ = -1;
    std::string hidden_name_;  // empty: the file has no name
    std::size_t unsynced_ = 0;
};

}  // namespace weir::upload
