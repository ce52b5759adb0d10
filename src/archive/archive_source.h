#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "archive/writer.h"
#include "base/place.h"
#include "net/descriptors.h"
#include "net/unique_fd.h"
#include "site/search/walk.h"
#include "weir/http/response.h"

namespace weir::archive {

/// The bytes of an archive, made as fast as the peer takes them: each call makes a small part, so
/// that an event loop is busy with it for less than a millisecond. One file is open at a time.
class ArchiveSource final : public http::Source {
   public:
    struct Of {
        std::shared_ptr<const site::RootDirectory> root;
        std::string folder;  // relative to the root
        std::string name;    // of the folder, in the archive
        site::Walk::Choice choice{};
    };
    ArchiveSource(Of of, std::unique_ptr<Writer> writer, Place place);

    Pulled pull(std::span<char> into) override;
    std::size_t bytes() const noexcept override { return sizeof *this + writer_->bytes(); }
    /// Always due, because there are always more bytes.
    Instant due() const noexcept override { return Instant{}; }

   private:
    /// Returns false if the archive can't be continued.
    bool go_on();
    bool begin_next();
    bool add_folder(const std::string& path);
    bool open(const std::string& path);
    bool add_content();

    const Of of_;
    site::Walk walk_;
    std::unique_ptr<Writer> writer_;
    Place place_;
    std::size_t given_ = 0;  // the bytes of written() that pull() has given
    Member member_;
    net::UniqueFd file_;
    net::FileShare share_;
    std::uint64_t read_ = 0;
    bool is_finished_ = false;
};

}  // namespace weir::archive
