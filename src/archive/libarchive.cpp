#include "archive/libarchive.h"

#include <dlfcn.h>

namespace weir::archive {
namespace {

/// The soname of all versions since 3.1.
constexpr const char* library_name = "libarchive.so.13";
static_assert(ARCHIVE_VERSION_NUMBER >= 3'001'000 && ARCHIVE_VERSION_NUMBER < 4'000'000);

/// The error of dlopen(3) or dlsym(3), with advice.
std::string fault() {
    const char* const text = ::dlerror();
    return std::string{text ? text : library_name} + "; install libarchive13";
}

class Functions {
   public:
    explicit Functions(void* library) noexcept : library_{library} {}

    template <typename Function>
    void find(Function& function, const char* name) noexcept {
        function = reinterpret_cast<Function>(::dlsym(library_, name));
        are_all_there_ = are_all_there_ && function != nullptr;
    }
    bool are_all_there() const noexcept { return are_all_there_; }

   private:
    void* library_;
    bool are_all_there_ = true;
};

/// Loads the library, which stays loaded until the process ends.
std::expected<Libarchive, std::string> load() {
    void* const library = ::dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return std::unexpected{fault()};
    Libarchive all{};
    Functions functions{library};
    functions.find(all.write_new, "archive_write_new");
    functions.find(all.write_free, "archive_write_free");
    functions.find(all.set_format_zip, "archive_write_set_format_zip");
    functions.find(all.set_format_pax_restricted, "archive_write_set_format_pax_restricted");
    functions.find(all.add_filter_gzip, "archive_write_add_filter_gzip");
    functions.find(all.set_options, "archive_write_set_options");
    functions.find(all.set_bytes_per_block, "archive_write_set_bytes_per_block");
    functions.find(all.open, "archive_write_open2");
    functions.find(all.write_header, "archive_write_header");
    functions.find(all.write_data, "archive_write_data");
    functions.find(all.close, "archive_write_close");
    functions.find(all.entry_new, "archive_entry_new");
    functions.find(all.entry_free, "archive_entry_free");
    functions.find(all.entry_clear, "archive_entry_clear");
    functions.find(all.set_pathname, "archive_entry_set_pathname");
    functions.find(all.set_filetype, "archive_entry_set_filetype");
    functions.find(all.set_perm, "archive_entry_set_perm");
    functions.find(all.set_size, "archive_entry_set_size");
    functions.find(all.set_mtime, "archive_entry_set_mtime");
    if (!functions.are_all_there()) return std::unexpected{fault()};
    return all;
}

}  // namespace

const std::expected<Libarchive, std::string>& libarchive() {
    static const auto loaded = load();
    return loaded;
}

}  // namespace weir::archive
