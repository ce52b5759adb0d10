#include "live/tree.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "site/listing/folder_source.h"
#include "site/path/paths.h"
#include "site/path/target_path.h"
#include "weir/http/field_name.h"

namespace weir::live {
namespace {

/// One name takes about 5 us, and each change causes a reading of all.
constexpr std::size_t names_max = 50'000;

/// FNV-1a: unlike std::hash, it must be the same on each machine and in each process.
class Digest {
   public:
    void add(std::string_view bytes) noexcept {
        for (const char byte : bytes) add_byte(static_cast<unsigned char>(byte));
    }
    void add(std::uint64_t number) noexcept {
        for (int i = 0; i < 8; ++i, number >>= 8U) add_byte(static_cast<unsigned char>(number));
    }
    std::uint64_t value() const noexcept { return value_; }

   private:
    void add_byte(unsigned char byte) noexcept { value_ = (value_ ^ byte) * 0x100'0000'01b3U; }

    std::uint64_t value_ = 0xcbf2'9ce4'8422'2325U;
};

bool is_style_sheet(std::string_view path) noexcept {
    constexpr std::string_view ending = ".css";
    return path.size() >= ending.size() &&
           http::equals_ignoring_case(path.substr(path.size() - ending.size()), ending);
}

/// True for entries that tools write beside the files, or in folders that are not edited: they
/// would use up the names.
bool is_of_a_tool(std::string_view name) noexcept {
    return name == "." || name == ".." || name == ".git" || name == "node_modules" ||
           name.ends_with('~');
}

class Reader {
   public:
    Reader(std::shared_ptr<const site::RootDirectory> root, bool dotfiles)
        : root_{std::move(root)}, dotfiles_{dotfiles} {}

    /// Reads from the root downwards, so that the deepest folders are left out if there are too
    /// many names.
    template <typename Enter>
    void read_all(const Enter& enter) {
        if (const auto top = root_->look("")) folders_.push_back(folder_at("", top->state));
        while (const auto folder = next_folder()) {
            if (names_ >= names_max) return;
            enter(*folder);
            read(*folder);
        }
    }

    void take(const std::string& path) {
        const auto found = root_->look(path);
        if (!found || found->state.kind == site::FileKind::other) return;
        Digest digest;
        digest.add(path);
        if (found->state.kind == site::FileKind::regular)
            add(found->state, digest);
        else
            take_folder(path, *found, digest);
        (is_style_sheet(path) ? styles_ : pages_) += digest.value();
    }

    Version version() const noexcept {
        return {.pages = folded(pages_), .styles = folded(styles_)};
    }

   private:
    using Identity = std::pair<std::uint64_t, std::uint64_t>;  // device, inode
    using Folder = std::pair<std::string, Identity>;

    static std::uint32_t folded(std::uint64_t sum) noexcept {
        return static_cast<std::uint32_t>(sum ^ (sum >> 32U));
    }
    static Folder folder_at(const std::string& path, const site::FileState& state) {
        return {path, {state.device, state.inode}};
    }

    /// A link may lead to a folder that has no other path for clients, and later to another folder.
    void take_folder(const std::string& path, const site::RootDirectory::Found& found,
                     Digest& digest) {
        if (!found.through_link) return folders_.push_back(folder_at(path, found.state));
        digest.add(found.state.inode);
        links_.insert(folder_at(path, found.state));
    }

    /// Returns each folder once, for any number of its paths. Links come last, in the order of
    /// their names, so that the version does not depend on the order in which the system lists
    /// them.
    std::optional<std::string> next_folder() {
        for (;;) {
            if (next_ == folders_.size()) {
                if (links_.empty()) return std::nullopt;
                folders_.push_back(std::move(links_.extract(links_.begin()).value()));
            }
            const auto& [path, identity] = folders_[next_++];
            if (entered_.insert(identity).second) return path;
        }
    }

    void read(const std::string& folder) {
        const auto source = site::open_folder(root_, folder);
        if (!source) return;
        for (auto item = (*source)->next(); item && *item; item = (*source)->next()) {
            if (++names_ > names_max) return;
            if (is_of_a_tool((*item)->name)) continue;
            const std::string path = site::joined(folder, (*item)->name);
            if (dotfiles_ || !site::is_hidden("/" + path)) take(path);
        }
    }
    /// Only the kernel sets the time of the last change, with each change.
    static void add(const site::FileState& state, Digest& digest) noexcept {
        digest.add(state.inode);
        digest.add(state.size);
        digest.add(static_cast<std::uint64_t>(state.changed.seconds));
        digest.add(static_cast<std::uint64_t>(state.changed.nanoseconds));
    }

    std::shared_ptr<const site::RootDirectory> root_;
    const bool dotfiles_;
    std::vector<Folder> folders_;  // in the order of their discovery
    std::size_t next_ = 0;         // index of the next one to enter
    std::set<Folder> links_;       // folders behind links
    std::set<Identity> entered_;
    std::size_t names_ = 0;
    std::uint64_t pages_ = 0;  // sums of digests
    std::uint64_t styles_ = 0;
};

}  // namespace

Version read_tree(const std::shared_ptr<const site::RootDirectory>& root, bool dotfiles,
                  const std::function<void(const std::string& folder)>& enter) {
    if (!root) return {};
    Reader reader{root, dotfiles};
    if (root->file().empty()) {
        reader.read_all(enter);
    } else {
        enter("");
        reader.take(root->file());
    }
    return reader.version();
}

}  // namespace weir::live
