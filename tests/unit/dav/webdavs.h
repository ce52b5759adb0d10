#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/xattr.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "../site/temporary_tree.h"
#include "weir/dav/dav.h"
#include "weir/web/probe.h"

namespace weir::dav {

using testing::HasSubstr;
using testing::Not;
using Fields = web::Probe::Fields;

/// A site whose folders take WebDAV.
struct WebDavs : ::testing::Test {
    site::TemporaryTree tree;
    site::Options options{.root = tree.string(), .listing = true};
    upload::Options uploads{};
    Options dav{};

    web::Probe& probe() {
        if (probe_) return *probe_;
        site_ = std::move(*site::Site::open(options));
        auto made = around(*site_, options, uploads, dav);
        if (!made) throw std::runtime_error{made.error()};
        handler_ = std::move(*made);
        return probe_.emplace(*handler_);
    }
    web::Probe::Answer ask(std::string_view method, std::string_view target,
                           const Fields& fields = {}, std::string_view content = {}) {
        return probe().ask(method, target, fields,
                           content.empty() ? std::nullopt : std::optional{content});
    }
    unsigned status(std::string_view method, std::string_view target, const Fields& fields = {},
                    std::string_view content = {}) {
        return ask(method, target, fields, content).status;
    }
    unsigned lead(std::string_view method, std::string_view from, std::string_view to,
                  Fields fields = {}) {
        fields.emplace_back("Destination", "http://localhost" + std::string{to});
        return status(method, from, fields);
    }
    /// The token; empty if there is no lock.
    std::string lock(std::string_view target, std::string_view scope = "exclusive",
                     const Fields& fields = {}) {
        const std::string body = "<lockinfo xmlns='DAV:'><lockscope><" + std::string{scope} +
                                 "/></lockscope><locktype><write/></locktype></lockinfo>";
        const auto answer = ask("LOCK", target, fields, body);
        return std::string{answer.field("Lock-Token")};
    }
    std::optional<std::string> content(std::string_view path) const {
        std::ifstream file{tree.at(path), std::ios::binary};
        if (!file) return std::nullopt;
        return std::string{std::istreambuf_iterator<char>{file}, {}};
    }
    bool exists(std::string_view path) const {
        return std::filesystem::exists(std::filesystem::symlink_status(tree.at(path)));
    }
    bool has_attributes() const {
        return ::setxattr(tree.string().c_str(), "user.weir.test", "x", 1, 0) == 0;
    }

   private:
    std::unique_ptr<site::Site> site_;
    std::unique_ptr<http::Handler> handler_;
    std::optional<web::Probe> probe_;
};

}  // namespace weir::dav
