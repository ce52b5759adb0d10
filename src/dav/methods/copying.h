#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dav/methods/destination.h"
#include "upload/store.h"
#include "weir/http/response.h"

namespace weir::dav {

/// A COPY (RFC 4918 9.8) in pieces, because the time for a request counts from one to the next. All
/// members block, and throw web::Refusal, Fault or Locked.
class Copying {
   public:
    /// Both must outlive this object.
    Copying(Desk& desk, const Asked& asked);

    /// Does one piece. True when all is done: then response() has what has failed.
    bool advance();
    http::Response response() const;

   private:
    struct File {
        std::string source;
        net::UniqueFd fd;
        upload::Target target;
        upload::Conditions conditions;
        std::uint64_t bytes = 0;
        upload::Begun begun;
    };

    void begin();
    void begin_next();
    void make_folder(const std::string& source);
    void begin_file(const std::string& source, const site::FileState& state);
    bool copy_piece();
    void finish_file();
    upload::FurtherLook look_for(const std::string& source) const;
    void note(const std::string& source, bool is_folder, http::Status status,
              std::string condition = {});
    template <typename Work>
    void guarded(const std::string& source, bool is_folder, Work work);

    const Visit visit_;
    DestinationOf destination_;
    Tree::Entries entries_;  // the source, and what is below
    std::size_t next_ = 0;
    bool has_begun_ = false;
    std::optional<File> file_;
    std::vector<Failure> failures_;
};

}  // namespace weir::dav
