#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/plain/conditions.h"

namespace weir::tests::plain {

/// A file in one of its codings.
struct Variant {
    std::string coding;  // "br", "zstd", "gzip" or "identity"
    std::string content;
    std::string entity_tag;
    std::int64_t modified = 0;
};

struct File {
    std::string content_type;
    std::vector<Variant> variants;  // in the order in which the server prefers them
};

/// What lies below the root. Paths start with a slash and do not end with one: the root is "".
struct Tree {
    std::map<std::string, File> files;
    std::set<std::string> directories;
};

/// The options of a site, as docs/serve.md names them. The index page is index.html.
struct Options {
    bool listing = false;
    bool clean_urls = false;
    bool spa = false;
    bool dotfiles = false;
    bool error_pages = false;
    bool cors = false;  // for `cors_origin` alone
};

constexpr const char* cors_origin = "https://example.org";

struct Request {
    std::string method;
    std::string target;  // in origin form
    Fields fields;
};

struct Expected {
    int status = 0;
    Fields fields{};  // exactly so, but the members of Vary in any order
    std::set<std::string> absent{};
    std::optional<std::string> content{};  // nothing: a page that weir writes
    // The path in Location, decoded. The query is the request's.
    std::optional<std::string> leads_to{};
    std::vector<std::string> parts{};  // of multipart/byteranges
};

/// The answer of a site by RFC 9110 and docs/serve.md, done slowly: no cache, no system call.
/// Nothing if a field of the request is malformed: then the RFC leaves the answer to the server.
std::optional<Expected> expect(const Tree& tree, const Options& options, const Request& request,
                               std::int64_t now);

}  // namespace weir::tests::plain
