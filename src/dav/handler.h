#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/place.h"
#include "dav/methods/asked.h"
#include "dav/tree/desk.h"
#include "weir/http/handler.h"
#include "weir/upload/upload.h"
#include "weir/web/await.h"
#include "weir/web/call.h"
#include "weir/web/router.h"
#include "weir/web/task.h"

namespace weir::dav {

/// A site outside of the folders with WebDAV. It does not know their methods (501), but the server
/// does: 405 (RFC 9110 15.5.6).
class Elsewhere final : public http::Handler {
   public:
    explicit Elsewhere(http::Handler& inner) noexcept : inner_{inner} {}
    http::Reply handle(const http::Request& request) override;

   private:
    http::Handler& inner_;
};

/// The handler of around().
class WebDav final : public http::Handler {
   public:
    /// `uploads`, around `elsewhere`, takes files in other folders, and forms. Only requests that
    /// change something, or list names, pass the guard.
    WebDav(http::Handler& inner, std::unique_ptr<http::Handler> elsewhere,
           std::unique_ptr<http::Handler> uploads, Desk desk, std::size_t requests_max);

    /// The error is that of the guard.
    std::expected<void, std::string> guard(const upload::Options& uploads);

    http::Reply handle(const http::Request& request) override;

   private:
    /// The handler inside of the guard.
    class Guarded final : public http::Handler {
       public:
        explicit Guarded(WebDav& all) noexcept : all_{all} {}
        http::Reply handle(const http::Request& request) override;

       private:
        WebDav& all_;
    };

    static http::Reply tell(http::Reply reply, bool is_folder);
    web::Task<web::Response> answer(web::Call call);
    web::Task<web::Response> run(web::Call& call, Asked& asked);
    web::Task<web::Response> put(web::Call& call, Asked& asked);
    web::Task<web::Response> copy(Asked& asked);

    http::Handler& inner_;
    const std::unique_ptr<http::Handler> elsewhere_;
    const std::unique_ptr<http::Handler> uploads_;
    Desk desk_;
    const std::size_t requests_max_;
    const std::shared_ptr<Place::Taken> taken_ = std::make_shared<Place::Taken>(0);
    web::Router router_;
    Guarded guarded_{*this};
    std::unique_ptr<http::Handler> guard_;  // around guarded_; null: none
    web::Workers workers_;                  // the last member: its threads end first
};

}  // namespace weir::dav
