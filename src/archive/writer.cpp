#include "archive/writer.h"

#include <sys/stat.h>

#include <algorithm>
#include <clocale>
#include <new>

#include "archive/libarchive.h"
#include "base/hexadecimal.h"
#include "http/syntax/utf8.h"
#include "weir/archive/archive.h"

namespace weir::archive {
namespace {

struct Free {
    void operator()(::archive* one) const noexcept { libarchive()->write_free(one); }
    void operator()(::archive_entry* one) const noexcept { libarchive()->entry_free(one); }
};

/// libarchive reads names by the locale of the thread, and marks them as UTF-8 if UTF-8 is the
/// charset of that locale.
class Utf8Names {
   public:
    Utf8Names() noexcept : before_{::uselocale(utf8())} {}
    ~Utf8Names() { ::uselocale(before_); }
    Utf8Names(const Utf8Names&) = delete;
    Utf8Names& operator=(const Utf8Names&) = delete;

   private:
    /// glibc has this locale built in (locale(7)); elsewhere names may be marked as bytes.
    static locale_t utf8() noexcept {
        static const locale_t made = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
        return made;
    }
    locale_t before_;
};

/// Some unpacking programs read a backslash in a zip name as the end of a folder's name ("..\\x"),
/// so it becomes an underscore. Others read no file of a zip that has one name with a byte that is
/// not UTF-8, marked or not, so such a byte becomes "%FF".
std::string name_in_zip(std::string_view name) {
    std::string written;
    written.reserve(name.size());
    while (!name.empty()) {
        const std::size_t size = http::utf8_character_size(name);
        if (size == 0)
            append_hex_byte(written += '%', static_cast<unsigned char>(name.front()),
                            upper_hex_digits);
        else
            written += name.substr(0, size);
        name.remove_prefix(std::max<std::size_t>(size, 1));
    }
    std::ranges::replace(written, '\\', '_');
    return written;
}

class LibarchiveWriter final : public Writer {
   public:
    explicit LibarchiveWriter(const Libarchive& library)
        : library_{library}, archive_{library.write_new()}, entry_{library.entry_new()} {}
    /// libarchive 3.6 frees its compressor only at the end of a file. So write_free() in the middle
    /// of a file ends that file first, and may call write(), which then discards the bytes.
    ~LibarchiveWriter() override { is_closed_ = true; }

    bool open(Format format) {
        const Utf8Names names;  // see make_writer()
        if (!archive_ || !entry_ || !take_reserve()) return false;
        is_zip_ = format == Format::zip;
        const bool is_set = is_zip_ ? set_zip() : set_tar(format == Format::tar_gz);
        return is_set && library_.set_bytes_per_block(archive_.get(), 0) == ARCHIVE_OK &&
               library_.open(archive_.get(), this, nullptr, write, nullptr, nullptr) == ARCHIVE_OK;
    }

    bool begin(const Member& member) override {
        const Utf8Names names;
        const std::string name = name_of(member);
        if (is_zip_) directory_bytes_ += name.size() + entry_bytes;
        reserve_.reset();
        ::archive_entry* const entry = library_.entry_clear(entry_.get());
        library_.set_pathname(entry, name.c_str());
        library_.set_filetype(entry, member.is_folder ? AE_IFDIR : AE_IFREG);
        library_.set_perm(entry, member.is_folder ? 0755 : 0644);
        library_.set_size(entry, static_cast<la_int64_t>(member.size));
        library_.set_mtime(entry, member.modified, 0);
        // In a tar, a name that is not UTF-8 stays as it is, with a warning.
        const bool is_written =
            library_.write_header(archive_.get(), entry) >= ARCHIVE_WARN && !has_failed_;
        library_.entry_clear(entry);
        return take_reserve() && is_written;
    }
    bool add(std::string_view content) override {
        return library_.write_data(archive_.get(), content.data(), content.size()) ==
                   static_cast<la_ssize_t>(content.size()) &&
               !has_failed_;
    }
    bool finish() override {
        return library_.close(archive_.get()) >= ARCHIVE_WARN && !has_failed_;
    }
    std::size_t bytes() const noexcept override {
        return Writer::bytes() + library_bytes + reserve_bytes + directory_bytes_;
    }

   private:
    /// The memory of libarchive 3.6 for one archive, most of which is its compressor's.
    static constexpr std::size_t library_bytes = 512 * 1024;
    /// The directory at the end of a zip has the name of each file, and so many bytes more.
    static constexpr std::size_t entry_bytes = 80;

    /// libarchive ends the process if it finds no memory for a name. So the writer keeps memory for
    /// that, and frees it for each name. It never writes to it: the kernel gives no page for it.
    static constexpr std::size_t reserve_bytes = 256 * 1024;
    bool take_reserve() noexcept {
        reserve_.reset(new (std::nothrow) char[reserve_bytes]);
        return reserve_ != nullptr;
    }
    std::string name_of(const Member& member) const {
        return is_zip_ ? name_in_zip(member.name) : member.name;
    }
    /// Level 4: some 0.4 ms for each piece of content, and a few per cent larger than level 6.
    bool set_zip() {
        return library_.set_format_zip(archive_.get()) == ARCHIVE_OK &&
               library_.set_options(archive_.get(), "zip:compression-level=4") == ARCHIVE_OK;
    }
    bool set_tar(bool with_gzip) {
        if (library_.set_format_pax_restricted(archive_.get()) != ARCHIVE_OK) return false;
        if (!with_gzip) return true;
        return library_.add_filter_gzip(archive_.get()) == ARCHIVE_OK &&
               library_.set_options(archive_.get(), "gzip:compression-level=4") == ARCHIVE_OK;
    }
    /// Never reports a failure to libarchive, which would not free everything after one.
    static la_ssize_t write(::archive* /*one*/, void* self, const void* bytes, std::size_t size) {
        auto& writer = *static_cast<LibarchiveWriter*>(self);
        try {
            if (!writer.is_closed_) writer.written().append(static_cast<const char*>(bytes), size);
        } catch (const std::bad_alloc&) {
            writer.has_failed_ = true;
        }
        return static_cast<la_ssize_t>(size);
    }

    const Libarchive& library_;
    bool is_closed_ = false;
    bool has_failed_ = false;  // no memory for written()
    bool is_zip_ = false;
    std::size_t directory_bytes_ = 0;
    std::unique_ptr<char[]> reserve_;
    std::unique_ptr<::archive, Free> archive_;
    std::unique_ptr<::archive_entry, Free> entry_;
};

}  // namespace

std::unique_ptr<Writer> make_writer(Format format) {
    const auto& library = libarchive();
    if (!library) return nullptr;
    auto writer = std::make_unique<LibarchiveWriter>(*library);
    if (!writer->open(format)) return nullptr;
    return writer;
}

std::string_view unavailable() {
    const auto& library = libarchive();
    return library ? std::string_view{} : library.error();
}

}  // namespace weir::archive
