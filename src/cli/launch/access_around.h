#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/serve/serve_options.h"
#include "weir/http/handler.h"

namespace weir::cli {

/// A site with the handlers around it that limit access, and redirect or rewrite requests. An
/// option that is off adds no handler.
class AccessAround {
   public:
    /// Reads the files of users. `contents` is `site` with the handlers that are around it already;
    /// both must outlive the result. The error is a sentence without its full stop.
    static std::expected<AccessAround, std::string> build(const SiteOptions& options,
                                                          const site::Site& site,
                                                          http::Handler& contents);

    http::Handler& outermost() const noexcept { return *outermost_; }
    bool asks_for_users() const noexcept { return passwords_ != nullptr; }
    /// The user that sent the request; empty if no password was asked for.
    std::string user_of(const http::Request& request) const;

   private:
    AccessAround(const site::Site& site, http::Handler& contents) noexcept
        : site_{&site}, contents_{&contents}, outermost_{&contents} {}

    using Made = std::expected<std::unique_ptr<http::Handler>, std::string>;
    /// Puts a handler around the others. After the first error, no more handlers are made.
    template <typename Make>
    void put(bool is_wanted, std::string_view option, Make make);
    void put_protection(const SiteOptions& options);
    void put_addresses(const SiteOptions& options);
    Made follow_folder(http::Handler& inner, const SiteOptions& options) const;
    Made ask_passwords(http::Handler& inner, const SiteOptions& options);

    const site::Site* site_;
    http::Handler* contents_;                               // the site without rules
    std::vector<std::unique_ptr<http::Handler>> handlers_;  // the innermost first
    http::Handler* outermost_;
    const access::PasswordHandler* passwords_ = nullptr;
    std::string refusal_;
};

/// Makes a handler that asks for passwords with the command's settings: it logs a warning if a file
/// can't be used any longer. The error is a sentence without its full stop.
std::expected<std::unique_ptr<access::PasswordHandler>, std::string> passwords_around(
    http::Handler& inner, const site::Options& site, access::PasswordOptions passwords);

/// The files of users that are read while the server runs.
std::vector<std::string> files_read(const SiteOptions& options);
/// The folders in which other files may replace them.
std::vector<std::string> folders_read(const SiteOptions& options);

}  // namespace weir::cli
