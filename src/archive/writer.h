#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace weir::archive {

enum class Format : std::uint8_t { zip, tar, tar_gz };

/// A file or a folder of an archive.
struct Member {
    std::string name;  // with slashes between
    bool is_folder = false;
    std::uint64_t size = 0;
    std::int64_t modified = 0;  // Unix seconds
};

/// Writes an archive to a string of its own, in the order of the calls. After false, it is of no
/// further use.
class Writer {
   public:
    virtual ~Writer() = default;
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    virtual bool begin(const Member& member) = 0;
    /// The next part of the content of the member: Member::size bytes in all.
    virtual bool add(std::string_view content) = 0;
    /// After the last member.
    virtual bool finish() = 0;
    /// What was written and not taken yet.
    std::string& written() noexcept { return written_; }

   protected:
    Writer() = default;

   private:
    std::string written_;
};

/// Null if there is no memory for it, or if the build has no libarchive. The first one reads a locale
/// from the file system: it is to be made before a sandbox closes that.
std::unique_ptr<Writer> make_writer(Format format);

}  // namespace weir::archive
