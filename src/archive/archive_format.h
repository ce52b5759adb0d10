#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace weir::archive {

/// A file or a folder of an archive.
struct Member {
    std::string name;  // with slashes between; that of a folder ends with one
    bool is_folder = false;
    std::uint64_t size = 0;
    std::int64_t modified = 0;  // Unix seconds
};

/// Writes what stands around the contents of an archive, in the order of the calls. Each call appends
/// to `out`.
class Format {
   public:
    virtual ~Format() = default;
    Format(const Format&) = delete;
    Format& operator=(const Format&) = delete;

    /// Before the content. A folder has none.
    virtual void begin(std::string& out, const Member& member) = 0;
    /// Sees the next part of the content, which goes out as it is.
    virtual void see(std::string_view /*content*/) {}
    /// After the content.
    virtual void end(std::string& out, const Member& member) = 0;
    /// After the last member.
    virtual void finish(std::string& out) = 0;
    /// Whether a content may be shorter than Member::size said.
    virtual bool may_be_short() const noexcept = 0;

   protected:
    Format() = default;
};

/// POSIX.1-2001 (pax): names of any length, files of any size.
std::unique_ptr<Format> make_tar();
/// ZIP with ZIP64 where it is needed, nothing compressed (APPNOTE 6.3.10). It keeps some 60 bytes and
/// the name of each member until the end.
std::unique_ptr<Format> make_zip();

}  // namespace weir::archive
