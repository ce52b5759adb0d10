#include "archive/writer.h"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

#include <clocale>
#include <new>

#include "weir/archive/archive.h"

namespace weir::archive {
namespace {

struct Free {
    void operator()(::archive* one) const noexcept { ::archive_write_free(one); }
    void operator()(::archive_entry* one) const noexcept { ::archive_entry_free(one); }
};

/// libarchive reads names by the locale of the thread, and marks them as UTF-8 if that is its charset.
class Utf8Names {
   public:
    Utf8Names() noexcept : before_{::uselocale(utf8())} {}
    ~Utf8Names() { ::uselocale(before_); }
    Utf8Names(const Utf8Names&) = delete;
    Utf8Names& operator=(const Utf8Names&) = delete;

   private:
    /// glibc has it built in (locale(7)); elsewhere names may be marked as bytes.
    static locale_t utf8() noexcept {
        static const locale_t made = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
        return made;
    }
    locale_t before_;
};

class LibarchiveWriter final : public Writer {
   public:
    LibarchiveWriter() : archive_{::archive_write_new()}, entry_{::archive_entry_new()} {}
    ~LibarchiveWriter() override { is_closed_ = true; }  // what is freed writes no more

    bool open(Format format) {
        const Utf8Names names;  // see make_writer()
        if (!archive_ || !entry_) return false;
        const bool is_set = format == Format::zip ? set_zip() : set_tar(format == Format::tar_gz);
        return is_set && ::archive_write_set_bytes_per_block(archive_.get(), 0) == ARCHIVE_OK &&
               ::archive_write_open2(archive_.get(), this, nullptr, write, nullptr, nullptr) ==
                   ARCHIVE_OK;
    }

    bool begin(const Member& member) override {
        const Utf8Names names;
        ::archive_entry* const entry = ::archive_entry_clear(entry_.get());
        ::archive_entry_set_pathname(entry, member.name.c_str());
        ::archive_entry_set_filetype(entry, member.is_folder ? AE_IFDIR : AE_IFREG);
        ::archive_entry_set_perm(entry, member.is_folder ? 0755 : 0644);
        ::archive_entry_set_size(entry, static_cast<la_int64_t>(member.size));
        ::archive_entry_set_mtime(entry, member.modified, 0);
        // A name that is not UTF-8 stays as it is, with a warning.
        return ::archive_write_header(archive_.get(), entry) >= ARCHIVE_WARN;
    }
    bool add(std::string_view content) override {
        return ::archive_write_data(archive_.get(), content.data(), content.size()) ==
               static_cast<la_ssize_t>(content.size());
    }
    bool finish() override { return ::archive_write_close(archive_.get()) >= ARCHIVE_WARN; }

   private:
    /// Level 4: some 0.4 ms for what is written at a time, and a few per cent larger than level 6.
    bool set_zip() {
        return ::archive_write_set_format_zip(archive_.get()) == ARCHIVE_OK &&
               ::archive_write_set_options(archive_.get(), "zip:compression-level=4") == ARCHIVE_OK;
    }
    bool set_tar(bool with_gzip) {
        if (::archive_write_set_format_pax_restricted(archive_.get()) != ARCHIVE_OK) return false;
        if (!with_gzip) return true;
        return ::archive_write_add_filter_gzip(archive_.get()) == ARCHIVE_OK &&
               ::archive_write_set_options(archive_.get(), "gzip:compression-level=4") ==
                   ARCHIVE_OK;
    }
    static la_ssize_t write(::archive* one, void* self, const void* bytes, std::size_t size) {
        auto& writer = *static_cast<LibarchiveWriter*>(self);
        if (writer.is_closed_) return -1;
        try {
            writer.written().append(static_cast<const char*>(bytes), size);
            return static_cast<la_ssize_t>(size);
        } catch (const std::bad_alloc&) {
            ::archive_set_error(one, ENOMEM, "no memory");
            return -1;
        }
    }

    bool is_closed_ = false;
    std::unique_ptr<::archive, Free> archive_;
    std::unique_ptr<::archive_entry, Free> entry_;
};

}  // namespace

std::unique_ptr<Writer> make_writer(Format format) {
    auto writer = std::make_unique<LibarchiveWriter>();
    if (!writer->open(format)) return nullptr;
    return writer;
}

std::string_view unavailable() noexcept { return {}; }

}  // namespace weir::archive
