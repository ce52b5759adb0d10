#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/place.h"
#include "upload/results.h"
#include "upload/store.h"
#include "weir/upload/upload.h"
#include "weir/web/await.h"
#include "weir/web/call.h"
#include "weir/web/multipart.h"
#include "weir/web/task.h"

namespace weir::upload {

/// Throws web::Refusal for a PUT of a part of a file, and for one of compressed content.
void check_fields(const http::Request& request);

/// Receives the files of PUT and POST requests.
class Receiver {
   public:
    Receiver(std::shared_ptr<Store> store, const site::Options& site, const Options& options)
        : store_{std::move(store)},
          leaves_out_{site.leaves_out},
          file_bytes_max_{options.file_bytes_max},
          uploads_max_{options.uploads_max} {}

    const Names& names() const noexcept { return store_->names(); }

    /// Handles PUT of a file, or POST of a form to a folder, whose path ends with a slash.
    web::Task<web::Response> take(web::Call call);

   private:
    /// A file of a form.
    struct Sent {
        Target target;
        std::string asked;  // see site::Candidate
    };
    web::Task<web::Response> put(web::Call& call, std::string path);
    web::Task<web::Response> post(web::Call& call, std::string path);
    web::Task<void> save(web::Multipart& form, Sent sent, Results& results);
    /// Discards the rest of a part. Returns false if that is longer than any file may be.
    web::Task<bool> skip(web::Multipart& form);
    web::Task<Put> write(web::Multipart& form, Sent sent);
    void check(const Sent& sent) const;

    const std::shared_ptr<Store> store_;
    const std::function<bool(const site::Candidate&)> leaves_out_;  // null: no file
    const std::uint64_t file_bytes_max_;
    const std::size_t uploads_max_;
    const std::shared_ptr<Place::Taken> taken_ = std::make_shared<Place::Taken>(0);
    web::Workers workers_;  // the last member: its threads end first
};

}  // namespace weir::upload
