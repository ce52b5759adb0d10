#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "weir/http/handler.h"

namespace weir::site {

/// Which symbolic links are followed. Whatever is chosen, nothing outside the root is ever reached.
enum class Symlinks : std::uint8_t {
    inside_root,  // relative links whose target lies below the root; others are not found
    none,         // nothing that is reached through a link is found
};

/// A field line for some answers of the site. Rules apply in order; a later rule replaces an
/// earlier one, or a field of the site's own (Content-Type, Cache-Control,
/// X-Content-Type-Options), of the same name. An empty value removes the field. Vary is different:
/// each rule adds to what the site itself says there, and an empty value is an error.
///
/// A rule reaches every answer that the site makes, errors, redirects and OPTIONS included. What
/// describes the content (Content-Type, Content-Disposition, Content-Language, Content-Location)
/// reaches answers that deliver a file or a listing only. The connection itself answers a request
/// that it can't read (400, 408, 414, 431 and the like); no rule reaches those answers.
struct FieldRule {
    /// Paths that match; empty for any. The path is that of the file below the root, or, of an
    /// answer that delivers no file, that of the request. `*` stands for any characters but `/`,
    /// `**` for any at all, `?` for one that is not `/`. With a leading `/` the whole path is
    /// compared ("/assets/**"), without one its last part alone ("*.css").
    std::string glob{};
    /// Answers whose content is of this media type ("text/html", "image/*"); empty for any, and for
    /// answers without content.
    std::string media_type{};
    std::string name{};
    std::string value{};
    /// The rule reaches only answers that deliver a file or a listing. For Cache-Control: an error
    /// with a long time to live would outlive its cause.
    bool delivered_only = false;
};

/// Sets the media type of some files. It replaces the one that the name's ending or the first bytes
/// tell.
struct MediaTypeRule {
    std::string glob{};        // as in FieldRule
    std::string media_type{};  // "text/plain"; sent unchanged if it has parameters
};

/// What the cache may hold. Affects speed and memory only; what is served is the same.
struct CacheOptions {
    /// Paths; 0 for no cache. A site's hot part is rarely more.
    std::size_t entries_max = 4096;
    /// Bytes of bodies and headers. A body may outlive its eviction: in an answer under way, or in
    /// a thread's 32 latest paths.
    std::size_t bytes_max = 64 * 1024 * 1024;
    /// Open files, of large bodies. They count against the process's limit, as connections do.
    std::size_t descriptors_max = 256;
    /// Files up to this many bytes are held in memory, larger ones by their descriptor. Copying
    /// wins below, sendfile above; measured.
    std::size_t small_file_bytes_max = 128 * 1024;
    /// Directories watched for changes (inotify); 0 for none. What lies in others is looked at
    /// again for each request. Each costs the kernel about 1 KB; the user's limit is
    /// /proc/sys/fs/inotify/max_user_watches.
    std::size_t watches_max = 8192;
};

struct Options {
    /// The directory that is served. Opened once: whatever is put at its path later is not
    /// followed.
    std::string root = ".";
    /// The name of one file in `root`. It alone is then served, at "/" and by its name, even where
    /// that starts with a dot. No other file is reached: the options from `index_names` to
    /// `precompressed` have no effect, except `symlinks`. Empty: everything below `root`.
    std::string file{};
    /// The name that `file` has in its address. Empty: its own.
    std::string file_name{};
    /// What stands for a directory, best first.
    std::vector<std::string> index_names{"index.html"};
    /// Lists a directory that has no index, as HTML (with the first 64 KB of its README) or, by
    /// Accept, JSON. "?sort=name|size|time" and "&order=asc|desc" sort it. Off: names that nobody
    /// links to are often not meant to be found.
    bool listing = false;
    /// What the plain 404 page of a directory without an index says where `listing` is off: how to
    /// get one. Plain text, without the last full stop. Empty: the page of any other 404.
    std::string listing_hint{};
    /// Entries of a listing; it says so where it was cut. Each costs a system call, in which an
    /// event loop serves nobody else: 4,096 are about 5 ms.
    std::uint32_t listing_entries_max = 4096;
    /// The root's index answers, with 200 and `Cache-Control: no-cache`, for paths where nothing is
    /// and whose last segment has no dot: an application that routes in the browser. Off: a
    /// mistyped link should be a 404.
    bool spa_fallback = false;
    /// "/about" finds about.html. "/about.html", "/about/" (where there is no such directory) and
    /// "/index.html" redirect to the one address of the page; the error pages do not. Off: the
    /// names of files are their addresses.
    bool clean_urls = false;
    /// Serves names that start with a dot. Off: .git and .env leak otherwise. /.well-known (RFC
    /// 8615) is served in any case.
    bool dotfiles = false;
    Symlinks symlinks = Symlinks::inside_root;
    /// 404.html, and NNN.html for any other status that the site answers with, are taken from the
    /// root where they are there. Otherwise, and when off, a plain page of the server's.
    bool error_pages = true;
    /// Answers with `app.js.br`, `.zst` or `.gz` for `app.js` where the client accepts the coding
    /// and the file is not older than `app.js`.
    bool precompressed = true;
    /// A later rule replaces an earlier one. By default, a known ending has its registered type. The
    /// first 8 KB of any other file decide between text/plain and application/octet-stream; source
    /// code counts as such a file, so that browsers show it.
    std::vector<MediaTypeRule> media_types{};
    /// Origins whose pages may read the answers (CORS), such as "https://example.org"; "*" for all.
    /// Empty: browsers don't let pages of other origins read them. Requests with credentials are
    /// never allowed.
    std::vector<std::string> cors_origins{};
    /// More fields, such as Cache-Control. By default there is no Cache-Control, and a cache
    /// decides by itself how long a file is fresh (RFC 9111 4.2.2).
    std::vector<FieldRule> fields{};

    CacheOptions cache{};
};

/// Serves the files below one directory, or one file: RFC 9110's GET, HEAD and OPTIONS with
/// validators, ranges and content codings. Any thread may call it, several at once. Reading a file
/// that is not in the cache blocks, as long as the disk takes.
class Site final : public http::Handler {
   public:
    /// Opens the root, and starts the thread that watches for changes. An error is one sentence
    /// that says what is wrong with the options or the system.
    static std::expected<std::unique_ptr<Site>, std::string> open(Options options);
    ~Site() override;

    http::Reply handle(const http::Request& request) override;

    /// False where changes are found by looking again for each request instead: inotify is not to
    /// be had, or this is a forked process.
    bool watching() const noexcept;
    /// A forked process has the cache, but not the thread that follows changes. One that lives on
    /// (a worker, not a process for one connection) calls this once, before it handles requests.
    void resume_watching();

   private:
    class State;
    explicit Site(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace weir::site
