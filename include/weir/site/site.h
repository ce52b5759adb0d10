#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/http/handler.h"

namespace weir::site {

/// Which symbolic links the site follows. In either case, nothing outside the root is reachable.
enum class Symlinks : std::uint8_t {
    inside_root,  // follows relative links whose target lies below the root; other links are not
                  // found
    none,         // follows no link: nothing behind a link is found
};

/// A field line for some responses of the site. Rules apply in order. A later rule replaces an
/// earlier one with the same name, or a field of the site itself (Content-Type, Cache-Control,
/// X-Content-Type-Options). An empty value removes the field. Three lists are different: a rule for
/// Vary, Link or Access-Control-Expose-Headers adds to earlier rules and to the site's own value.
/// An empty value for Vary is an error.
///
/// A rule applies to all responses of the site, including errors, redirects and OPTIONS. Fields
/// that describe the content (Content-Type, Content-Disposition, Content-Language,
/// Content-Location) apply only to responses that deliver a file or a listing. If a request is
/// unreadable (400, 408, 414, 431 and the like), the connection responds itself, and no rule
/// applies.
struct FieldRule {
    /// The rule applies to paths that match; empty: to any path. The path is that of the file below
    /// the root. If a response delivers no file, it is the path of the request. `*` matches any
    /// characters except `/`, `**` any characters, `?` one character except `/`. A pattern with a
    /// leading `/` is compared with the whole path ("/assets/**"), any other pattern with its last
    /// segment ("*.css").
    std::string glob{};
    /// The rule applies to responses with content of this media type ("text/html", "image/*").
    /// Empty: to any response, also to those without content.
    std::string media_type{};
    std::string name{};
    std::string value{};
    /// The rule applies only to responses that deliver a file or a listing. Use it for
    /// Cache-Control: a cache would keep an error longer than its cause lasts.
    bool delivered_only = false;
};

/// Sets the media type of some files. It replaces the type that the site derives from the name's
/// extension or the first bytes.
struct MediaTypeRule {
    std::string glob{};        // as in FieldRule
    std::string media_type{};  // "text/plain"; parameters are allowed and sent unchanged
};

/// The source of a file's entity tag (RFC 9110 8.8.3). No two states of a file have the same tag
/// while the process runs. The hash of a file of up to 1 MB is part of its tag, or is its tag. A
/// larger file is not read for its tag.
enum class TagsFrom : std::uint8_t {
    /// The modification time, in nanoseconds, and the size: the same file has the same tag on every
    /// machine, and after chmod(1). While the clock of the file system has not moved on after the
    /// modification, the tag is weak and valid for one response. If the time is 0 or 1, because a
    /// build sets it (Nix, SOURCE_DATE_EPOCH), the tag is as for `content`. If a larger file
    /// replaces one with the same time and size, or is changed and gets its old time again, its tag
    /// is as for `inode`.
    mtime,
    /// The content. Larger files have tags as for `mtime`, unless a manifest has their hashes: see
    /// TagsManifest.
    content,
    /// Device, inode, size, and the times of the modification and of the last change of any kind.
    inode,
};

/// A file with the hashes of files, for TagsFrom::content: files above 1 MB have tags of these
/// hashes, which are the same on every machine. It has the format of sha256sum(1). Hashes of other
/// kinds serve as well, from 32 hexadecimal digits on. Its paths are relative to its own folder.
///
/// The manifest is written after the files. A file that was modified more than two seconds after the
/// manifest has a tag as for `mtime`. So has a file that is rewritten and gets its old time back, or
/// that is replaced, until the manifest is written anew.
///
/// handle() reads the manifest, up to 16 MB, before a large file enters the cache, and again when the
/// manifest has changed. A change of the manifest makes the site read cached files again.
struct TagsManifest {
    /// Below the root, and relative to it: "SHA256SUMS". It may be hidden (Options::hidden). If it
    /// does not exist, or has no line for a file, the tag is as for `mtime`. Empty: no manifest.
    std::string file{};
    /// Called with one sentence for each line that is ignored (the first 20, once for each state of
    /// the file), and for a manifest that can't be read. Any thread that handles requests may call
    /// it. It must not block.
    std::function<void(std::string_view)> notice{};
};

/// A file or folder that a response may contain or name: a result of a search, or a member of an
/// archive (weir/archive/archive.h). It lies below the folder that a client asks for.
struct Candidate {
    /// The folder that the client asks for. This and `path` are as the site has them: decoded,
    /// relative to the root ("a/b.css"), without a slash at their ends.
    std::string_view folder;
    /// The path that the client asked for, decoded: "/docs/a/". It differs from the folder's path
    /// if the request was rewritten (http::Request::asked_path()).
    std::string_view asked;
    std::string_view path;  // begins with the folder
};

/// Limits of the cache. They affect speed and memory only, not the responses.
struct CacheOptions {
    /// Number of paths; 0: no cache. A site rarely has more paths in frequent use.
    std::size_t entries_max = 4096;
    /// Bytes of file contents and header fields. A content can live on after its eviction, in a
    /// response under way or among the 32 latest paths of a thread.
    std::size_t bytes_max = 64 * 1024 * 1024;
    /// Open files; large contents are kept open, not in memory. They count against the process's
    /// limit, like connections.
    std::size_t descriptors_max = 1024;
    /// The cache holds files up to this many bytes in memory, and larger ones by their descriptor.
    /// Measurements show that copying is faster below this size, and sendfile(2) above.
    std::size_t small_file_bytes_max = 16 * 1024;
    /// Number of directories to watch for changes (inotify); 0: none. The site checks files in
    /// other directories again for each request. A watch costs the kernel about 1 KB;
    /// /proc/sys/fs/inotify/max_user_watches limits the watches of a user.
    std::size_t watches_max = 8192;
    /// Each file in a watched directory is checked again at its first use after this time, because
    /// the kernel does not report every change: not a write through mmap(2) as long as the file is
    /// mapped, nor a write under another name outside of the root, nor a mount over the file. Such
    /// a change is seen if the file's device, inode, size, links or times differ. 0: never.
    std::chrono::milliseconds revalidate{60'000};
    /// False: the site starts no thread until resume_watching(), so that the program can restrict
    /// itself before (see weir/sandbox/sandbox.h).
    bool watches_from_start = true;
};

/// The colours of a listing: as the reader's system has them, or always these.
enum class ListingTheme : std::uint8_t { system, light, dark };

struct Options {
    /// The directory to serve. The site follows its path: if the path leads to another directory,
    /// because a link on it was exchanged or the directory was made again, the site serves the new
    /// one. It does so at once if inotify(7) reports the change, or if no thread watches; otherwise
    /// within a second. A response is of one directory. While the path leads to no directory,
    /// requests get 503 with Retry-After.
    std::string root = ".";
    /// The name of one file in `root`. If it is set, the site serves only this file, at "/" and
    /// under its name, even if the name starts with a dot. The options from `index_names` to
    /// `precompressed`, `tags_manifest` and `keep_old` then have no effect, except `symlinks`.
    /// Empty: serve everything below `root`.
    std::string file{};
    /// `file` may be a link to any place. The site follows the link like `root`: if it leads to
    /// another file later, the site serves that one.
    bool follows_file = false;
    /// The name of `file` in its URL. Empty: its own name.
    std::string file_name{};
    /// Names of index files: the first that exists is the response for its directory.
    std::vector<std::string> index_names{"index.html"};
    /// Lists a directory without an index file, as HTML (with the first 64 KB of its README) or, if
    /// Accept prefers it, as JSON. "?sort=name|size|time" and "&order=asc|desc" sort the listing,
    /// "?view=grid" shows its pictures. A directory may have up to 1,000,000 entries. One of more
    /// than some 4,000 is read in pieces, and handle() replies with Later. Off by default: a
    /// listing shows names that no page links to, and that often should not be found.
    bool listing = false;
    /// "?q=words" at a listed folder lists the files and folders whose names have all of the words,
    /// in the folder and below: up to 10,000, of the first million names. The search enters no
    /// links to folders. A large search is read in pieces, and a process runs one at a time. Off:
    /// such a query is ignored.
    bool listing_search = false;
    /// Returns true for files and folders that searches and archives leave out. Null: they leave
    /// nothing out. Any thread that handles requests may call it. It must not block.
    std::function<bool(const Candidate&)> leaves_out{};
    /// A listing has links to "?archive=zip" and "?archive=tar.gz" of its directory, which a
    /// handler around the site serves: weir/archive/archive.h.
    bool listing_archives = false;
    /// The listings of these folders, and of those below, have a form for files, which a handler
    /// around the site receives: weir/upload/upload.h. Decoded, relative to the root, without a
    /// slash at their ends; empty text: the root.
    std::vector<std::string> listing_uploads{};
    /// The text in place of "Home" and "Index of" on the pages of listings. UTF-8 without control
    /// characters. Empty: these words.
    std::string listing_title{};
    ListingTheme listing_theme = ListingTheme::system;
    /// Makes the HTML of a README in Markdown for the page of its listing. The page has the HTML
    /// unchanged, so it must be safe. The function gets README.md and README.markdown of up to 256
    /// KB, as UTF-8 without NUL. If it returns nothing, or is not set, the page shows the text. Any
    /// thread that handles requests may call it. See weir/markdown/markdown.h.
    std::function<std::optional<std::string>(std::string_view)> readme_html{};
    /// The text of the 404 page for a directory without an index file if `listing` is off: it
    /// should say how to get a listing. Plain text, without the last full stop. Empty: the same
    /// page as for any other 404.
    std::string listing_hint{};
    /// The most entries on a page of a listing. "?page=2" is the next one, and Link (RFC 8288)
    /// leads to it. Each entry costs a system call, and an event loop serves no other connection
    /// meanwhile: 1,000 take about 2 ms.
    std::uint32_t listing_entries_max = 1000;
    /// For paths that do not exist, responds with 200, the root's index file and Cache-Control
    /// "no-cache", for an application that routes in the browser. If the last segment has a dot,
    /// only a browser that goes to a page gets the file (Accept prefers HTML), and only if the
    /// extension is not that of a kind of files: "/users/jane.doe" is a route, "/missing.js" is a
    /// 404. Off by default: a mistyped link should get a 404.
    bool spa_fallback = false;
    /// "/about" finds about.html. "/about.html", "/about/" (if there is no such directory) and
    /// "/index.html" redirect to the one address of the page. Error pages do not redirect. Off by
    /// default: the name of a file is its address.
    bool clean_urls = false;
    /// Serves names that start with a dot. Off by default, because .git and .env would leak.
    /// /.well-known (RFC 8615) is always served.
    bool dotfiles = false;
    Symlinks symlinks = Symlinks::inside_root;
    /// Paths of files that are never served (404) under any name: logs, keys. Each path is looked
    /// up again for each response, because a log is renamed and made again. Files beside such a
    /// file whose names begin with its name are not served either ("access.log.1"). A path that
    /// ends with a slash means all files of that folder.
    std::vector<std::string> withheld{};
    /// Globs (as in FieldRule) of files and folders that are never served or listed (404), with
    /// everything below such a folder. Letters A to Z match in either case.
    std::vector<std::string> hidden{};
    /// Uses 404.html in the root as the page of a 404, and NNN.html for any other error status of
    /// the site. If the file does not exist, or if this is off, the response has the server's plain
    /// page.
    bool error_pages = true;
    /// Responds with `app.js.br`, `.zst` or `.gz` for `app.js`, if the client accepts the coding
    /// and the compressed file is not more than two seconds older than `app.js`.
    bool precompressed = true;
    /// Folders (as in listing_uploads) whose files stand for themselves alone, with those below:
    /// `precompressed` has no effect there. For folders in which clients make files of any name.
    std::vector<std::string> precompressed_not_in{};
    TagsFrom tags_from = TagsFrom::mtime;
    /// Site::open() fails if this is set with another value of `tags_from`, or if its path leads out
    /// of the root.
    TagsManifest tags_manifest{};
    /// Serves files with a hash in their names ("main.3f2a1b9c.js") for this long after `root` has
    /// led to another directory without them: pages of an earlier release still ask for them. The
    /// eight latest directories count, as far as this process has seen them. Their other files are
    /// not served. A directory that was removed has no files. 0: not at all.
    std::chrono::milliseconds keep_old{0};
    /// A later rule replaces an earlier one. By default, a known extension has its registered type.
    /// The first 8 KB of any other file decide between text/plain and application/octet-stream.
    /// Source code counts as such a file, so that browsers show it.
    std::vector<MediaTypeRule> media_types{};
    /// Origins whose pages may read the responses (CORS), for example "https://example.org"; "*":
    /// all origins. Empty: browsers do not let pages of other origins read them. Requests with
    /// credentials are never allowed.
    std::vector<std::string> cors_origins{};
    /// More fields, for example Cache-Control. By default HTML has `Cache-Control: no-cache`. Other
    /// files have none, and a cache decides how long they are fresh (RFC 9111 4.2.2).
    std::vector<FieldRule> fields{};

    CacheOptions cache{};

    /// Gets one sentence about a file that is not served as may be expected: a precompressed file
    /// that is too old. Called once for each file, and for a hundred files at most, in all
    /// processes of a server. Any thread that handles requests may call it. It must not block.
    std::function<void(std::string_view)> notice{};
};

/// The directories in which a replacement of `root` can appear: those of its last name, of its last
/// link, and of this link's target. "/" is not among them. A program that restricts its reading
/// (see weir/sandbox/sandbox.h) allows everything below them, so that the site can follow.
std::vector<std::string> places_of_root(const std::string& root);

/// Serves the files below one directory, or one file: GET, HEAD and OPTIONS of RFC 9110, with
/// validators, ranges and content codings. Any thread may call it, several at once. If a file is
/// not in the cache, handle() blocks while it reads the file.
class Site final : public http::Handler {
   public:
    /// Opens the root, and starts the thread that watches for changes. The error is one sentence
    /// that says what is wrong with the options or the system.
    static std::expected<std::unique_ptr<Site>, std::string> open(Options options);
    ~Site() override;

    http::Reply handle(const http::Request& request) override;

    /// A directory that the root led to, as a descriptor for openat(2) and the like. The descriptor
    /// is open as long as `owner` lives. Two are the same directory if their owners are the same.
    struct Directory {
        std::shared_ptr<const void> owner;
        int fd = -1;
    };
    /// The directory that requests use, until the root leads to another one. `owner` is null while
    /// the root leads to none. A file opened below the directory may be a link that leads anywhere.
    Directory directory() const;

    /// False if the site finds changes by checking files again for each request. This is so if
    /// inotify is not available or has no watch left, on network file systems, and until
    /// resume_watching() in a forked process and without CacheOptions::watches_from_start.
    /// Directories below the root for which no watch is left are checked for each request, too.
    bool watching() const;
    /// A forked process inherits the cache, but not the thread that watches for changes. A forked
    /// process that serves many connections calls this once, before it handles requests. A process
    /// for a single connection does not need it. Without CacheOptions::watches_from_start, the
    /// process of the server calls it, too.
    void resume_watching();

   private:
    class State;
    explicit Site(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace weir::site
