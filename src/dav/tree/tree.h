#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dav/tree/desk.h"
#include "net/unique_fd.h"
#include "site/root/root_directory.h"

namespace weir::dav {

/// The files and folders as one request may see them. No link is followed, and nothing that is
/// hidden, withheld or left out is seen. Paths are relative to the root of the site, and
/// normalised.
/// All members block, and throw web::Refusal if the system fails.
class Tree {
   public:
    /// `leaves_out`: paths that the client may not have, besides; may be null.
    Tree(const Desk& desk, std::function<bool(const std::string& path)> leaves_out);

    const std::shared_ptr<const site::RootDirectory>& root() const noexcept { return root_; }

    enum class Kind : unsigned char {
        none,
        file,
        folder,
        barred,  // something that the client may not see, or a name that is not taken
    };
    struct Seen {
        Kind kind = Kind::none;
        site::FileState state{};
        bool is_there() const noexcept { return kind == Kind::file || kind == Kind::folder; }
    };
    Seen look(const std::string& path) const;

    struct Entry {
        std::string path;
        site::FileState state;
        bool is_folder() const noexcept { return state.kind == site::FileKind::directory; }
    };
    struct Entries {
        std::vector<Entry> all{};
        bool has_barred = false;
    };
    static constexpr std::size_t members_max = 10'000;
    static constexpr std::size_t entries_max = 100'000;
    /// The files and folders in the folder, without order. Refuses more than members_max.
    Entries members(const std::string& folder) const;
    /// The same with all below, each folder before what it has. Refuses more than entries_max.
    Entries all_below(const std::string& folder) const;

    /// Opens what look() has seen, for reading.
    net::UniqueFd open(const std::string& path, bool is_folder) const;

    /// Makes a folder. Returns the errno; 0 if it is made.
    int make_folder(const std::string& path) const;
    /// Removes a file or an empty folder. Returns the errno.
    int remove(const std::string& path, bool is_folder) const;
    /// Gives it another name. Returns the errno: EEXIST if the name is taken and `replaces` is
    /// false.
    int move(const std::string& from, const std::string& to, bool replaces) const;
    /// Makes the names in the folder of the path survive a power cut, where the system can do it.
    void sync_folder_of(const std::string& path) const;

   private:
    struct Parent {
        net::UniqueFd fd;
        std::string name;
    };
    Parent parent_of(const std::string& path) const;
    /// EACCES for a name that the site never serves; 0 for others.
    int refuse_withheld(const std::string& path, const Parent& parent) const;
    bool bars(const std::string& path) const;
    void read_into(Entries& entries, const std::string& folder, std::size_t max) const;

    const Desk& desk_;
    const std::function<bool(const std::string&)> leaves_out_;
    const std::shared_ptr<const site::RootDirectory> root_;
};

}  // namespace weir::dav
