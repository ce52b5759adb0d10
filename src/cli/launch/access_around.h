#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/serve_options.h"
#include "weir/http/handler.h"

namespace weir::cli {

/// A site with the handlers around it that say who may see it, and where requests go. What is not wanted
/// adds none.
class AccessAround {
   public:
    /// Reads the files of users. `site` must outlive it. The error is a sentence without its full
    /// stop.
    static std::expected<AccessAround, std::string> build(const ServeOptions& options,
                                                          http::Handler& site);

    http::Handler& outermost() const noexcept { return *outermost_; }
    /// Says whose request it is; null if nobody is asked. It needs what this object has.
    std::function<std::string(const http::Request&)> user() const;

   private:
    explicit AccessAround(http::Handler& site) noexcept : outermost_{&site} {}

    using Made = std::expected<std::unique_ptr<http::Handler>, std::string>;
    /// Once one was refused, no other is made.
    template <typename Make>
    void put(bool is_wanted, std::string_view option, Make make);
    void put_protection(const ServeOptions& options);
    void put_addresses(const ServeOptions& options);
    Made ask_passwords(http::Handler& inner, const ServeOptions& options);

    std::vector<std::unique_ptr<http::Handler>> handlers_;  // the innermost first
    http::Handler* outermost_;
    const access::PasswordHandler* passwords_ = nullptr;
    std::string refusal_;
};

/// The files that these handlers read while the server runs.
std::vector<std::string> files_read(const AccessOptions& options);
/// The folders in which other files may take their places.
std::vector<std::string> folders_read(const ServeOptions& options);

}  // namespace weir::cli
