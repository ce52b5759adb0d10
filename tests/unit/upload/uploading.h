#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "../site/temporary_tree.h"
#include "weir/http/limits.h"
#include "weir/site/site.h"
#include "weir/upload/upload.h"
#include "weir/web/probe.h"

namespace weir::upload {

/// A site in a folder of its own, which takes files.
struct Uploading : ::testing::Test {
    site::TemporaryTree tree;
    site::Options options{.root = tree.string(), .listing = true};
    Options uploads{};
    http::Timeouts timeouts{};

    /// With the options as they are now.
    web::Probe& probe() {
        probe_.reset();
        handler_.reset();
        site_ = std::move(*site::Site::open(options));
        auto made = around(*site_, options, uploads);
        if (!made) throw std::runtime_error{made.error()};
        handler_ = std::move(*made);
        return probe_.emplace(*handler_, http::Limits{}, timeouts);
    }
    /// The latest one.
    web::Probe& current() { return *probe_; }
    std::string refusal() {
        site_ = std::move(*site::Site::open(options));
        const auto made = around(*site_, options, uploads);
        return made ? std::string{} : made.error();
    }
    web::Probe::Answer put(std::string_view target, std::string_view content,
                           const web::Probe::Fields& fields = {}) {
        return probe().ask("PUT", target, fields, content);
    }

    /// What is in the file; nothing if there is none.
    std::optional<std::string> content(std::string_view path) const {
        std::ifstream file{tree.at(path), std::ios::binary};
        if (!file) return std::nullopt;
        return std::string{std::istreambuf_iterator<char>{file}, {}};
    }
    /// Of the whole tree, folders included.
    std::ptrdiff_t names() const {
        return std::distance(std::filesystem::recursive_directory_iterator{tree.at("")}, {});
    }

   private:
    std::unique_ptr<site::Site> site_;
    std::unique_ptr<http::Handler> handler_;
    std::optional<web::Probe> probe_;
};

}  // namespace weir::upload
