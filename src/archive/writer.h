#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace weir::archive {

enum class Format : std::uint8_t { zip, tar, tar_gz };

/// A file or a folder of an archive.
struct Member {
    std::string name;  // the path in the archive, with slashes
    bool is_folder = false;
    std::uint64_t size = 0;
    std::int64_t modified = 0;  // Unix seconds
};

/// Writes an archive to a string of its own, in the order of the calls. After a call has returned
/// false, the writer must not be used.
class Writer {
   public:
    virtual ~Writer() = default;
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    virtual bool begin(const Member& member) = 0;
    /// Adds the next part of the member's content: Member::size bytes in all.
    virtual bool add(std::string_view content) = 0;
    /// To call after the last member.
    virtual bool finish() = 0;
    /// The bytes of the archive that the caller has not taken yet.
    std::string& written() noexcept { return written_; }
    /// An estimate of its memory in bytes, which is seldom too low.
    virtual std::size_t bytes() const noexcept { return written_.capacity(); }

   protected:
    Writer() = default;

   private:
    std::string written_;
};

/// Null if there is no memory for a writer, or if the build has no libarchive. The first writer
/// reads a locale from the file system, so it must be made before a sandbox closes the file system.
std::unique_ptr<Writer> make_writer(Format format);

}  // namespace weir::archive
