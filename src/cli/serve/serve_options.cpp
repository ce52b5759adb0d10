#include "cli/serve/serve_options.h"

#include <array>
#include <filesystem>
#include <utility>

#include "cli/access/access_reader.h"
#include "cli/access/proxies_reader.h"
#include "cli/option/misplaced.h"
#include "cli/options/launch_reader.h"
#include "cli/options/option_reader.h"
#include "cli/serve/listing_reader.h"
#include "cli/serve/read_serve.h"
#include "site/fields/hash_manifest.h"
#include "site/path/glob.h"

namespace weir::cli {
namespace {

constexpr std::array examples{
    Example{"weir serve", "the current folder, for this machine only"},
    Example{"weir serve site -b 0.0.0.0 -p 80",
            "a folder, for everyone who can reach this machine"},
    Example{"weir serve report.pdf", "one file, and nothing else of its folder"},
    Example{"weir serve dist --spa", "an application that routes in the browser"},
    Example{"weir serve site -b 127.0.0.1 -b ::1", "IPv4 and IPv6"},
    Example{"weir serve site --auth '/private: users'",
            "a folder of which a part asks for a password"},
    Example{"weir serve site -b unix:/run/weir.sock", "behind another server"},
    Example{"weir serve site --cache-control '/assets/**: max-age=31536000, immutable' \\\n"
            "      --header 'text/html: X-Frame-Options: DENY'",
            "cache rules and headers for some files"},
    Example{"weir serve site --compress",
            "text compressed by gzip, br or zstd, as the client accepts it"},
    Example{"weir serve site --access-log /var/log/weir/access.log --access-log-format json",
            "a log of the requests, in JSON"},
};

constexpr std::array<std::string_view, 22> first_options{
    "spa",        "listing", "cache-control", "header",   "compress", "redirect",
    "proxy",      "auth",    "allow",         "open",     "qr",       "port",
    "bind",       "engine",  "tls",           "tls-cert", "tls-key",  "quiet",
    "access-log", "config",  "help",          "help-all"};

Page empty_page() {
    return {.command = "serve",
            .summary = "serve a folder over HTTP",
            .usage = "[PATH] [option...]",
            .description =
                "Serves a folder over HTTP. By default, it serves the current folder at "
                "http://127.0.0.1:8000/, for this machine only.",
            .examples = examples,
            .is_server = true,
            .first_options = first_options};
}

Parsed<site::Symlinks> parse_symlinks(std::string_view text) {
    using enum site::Symlinks;
    return parse_word<site::Symlinks>(text, {{"inside", inside_root}, {"none", none}});
}

Parsed<site::TagsFrom> parse_tags_from(std::string_view text) {
    using enum site::TagsFrom;
    return parse_word<site::TagsFrom>(text,
                                      {{"mtime", mtime}, {"content", content}, {"inode", inode}});
}

Parsed<std::string> parse_print_config(std::string_view text) {
    return parse_word<std::string>(text, {{"changed", "changed"}, {"all", "all"}});
}

Parsed<std::string> parse_hidden(std::string_view text) {
    if (!site::is_pattern(text)) return std::unexpected{site::not_a_pattern(text)};
    if (site::tree_pattern(text).empty())
        return std::unexpected{"'" + std::string{text} + "' would hide everything"};
    return std::string{text};
}

Parsed<std::string> parse_manifest(std::string_view text) {
    if (!site::is_path_below(text))
        return std::unexpected{"'" + std::string{text} +
                               "' is not a file of the folder, such as SHA256SUMS"};
    return std::string{text};
}

class ServeReader {
   public:
    ServeReader() {
        add_site_options();
        add_content_options();
        markdown_.add();
        live_.add();
        compress_.add();
        rules_.add();
        access_.add();
        upload_.add();
        forward_.add();
        proxies_.add();
        add_start_options();
        launch_.add();
        add_file_options();
        reader_.alternatives({path_, root_});
    }

    std::expected<ServeOptions, NoOptions> read(const Sources& sources) {
        const auto read = reader_.read(sources, [this] { finish(); });
        if (!read) return std::unexpected{read.error()};
        return std::move(options_);
    }

    std::vector<GivenOption> given() const {
        std::vector<GivenOption> given;
        for (const OptionReader::Added* const added : reader_.given()) {
            if (added == root_ && path_->count() > 0) continue;
            config::Said said{.option = added == path_ ? root_->option : added->option,
                              .texts = {}};
            said.texts = added->texts;
            if (!said.texts.empty())
                given.push_back({std::move(said), added->source, added->given_by});
        }
        return given;
    }

    Page page() const { return reader_.page(); }

   private:
    void add_site_options() {
        reader_.group("What is served", true);
        site::Options& site = options_.site;
        path_ = reader_.value("PATH", "", path_text_, parse_text, "The folder or file to serve");
        root_ = reader_.value("-r,--root", "PATH", site.root, parse_text,
                              "The folder or file to serve (default: .)");
        reader_.flag("-s,--spa", site.spa_fallback,
                     "Answer unknown paths with the index page, for an application that routes in "
                     "the browser");
        listing_.add();
        reader_.flag("--clean-urls", site.clean_urls,
                     "Let /about find about.html, and redirect /about.html to /about");
        reader_.flag("--dotfiles", site.dotfiles,
                     "Serve names that begin with a dot; /.well-known is always served");
        reader_.values(
            "--hide", "FILES", site.hidden, parse_hidden,
            "Serve and list no such files and folders, as in '*.bak' or '/drafts'; can be "
            "repeated");
        reader_.values("--index", "NAME", index_names_, parse_file_name,
                       "Index page of a folder; can be repeated, the first that exists wins "
                       "(default: index.html)");
        reader_.value("--symlinks", "inside|none", site.symlinks, parse_symlinks,
                      "Follow symbolic links that stay inside the folder, or none (default: "
                      "inside)");
    }

    void add_content_options() {
        reader_.group("How it is served", true);
        site::Options& site = options_.site;
        reader_.values(
            "--cache-control", "'FILES: VALUE'", site.fields, parse_cache_control,
            "Cache-Control for some files: '/assets/**', '*.css' or a media type such as "
            "'image/*'; can be repeated");
        reader_.values("--header", "'FILES: NAME: VALUE'", site.fields, parse_header,
                       "Header for all answers to some files or paths, errors included; an empty "
                       "value removes the header; can be repeated");
        reader_.values("--media-type", "'FILES: TYPE'", site.media_types, parse_media_type,
                       "Media type of some files, as in '*.foo: text/plain'; can be repeated");
        reader_.optional_values("--cors", "ORIGIN", site.cors_origins, parse_origin, "*",
                                "Let pages of other origins read the files: of all origins, or of "
                                "ORIGIN, as in https://example.org; can be repeated");
        etag_ = reader_.value("--etag", "mtime|content|inode", site.tags_from, parse_tags_from,
                              "What the ETag of a file is made from (default: mtime)");
        etag_manifest_ = reader_.value(
            "--etag-manifest", "NAME", site.tags_manifest.file, parse_manifest,
            "File of the folder with the hashes of files above 1 MB, as sha256sum writes it, for "
            "--etag content (by default, none)");
        reader_.value("--keep-old", "TIME", site.keep_old, parse_duration,
                      "How long files with a hash in their names are served after a new release of "
                      "the folder has taken its place (default: 0)");
        reader_.flag("--no-error-pages", no_error_pages_,
                     "Do not use 404.html and similar pages of the folder");
        reader_.flag("--no-precompressed", no_precompressed_,
                     "Do not send app.js.br, app.js.zst or app.js.gz in place of app.js");
        reader_.value("--cache-size", "SIZE", site.cache.bytes_max, parse_size,
                      "Memory for files that are requested often; 0 turns the cache off (default: "
                      "64M)");
        reader_.value("--revalidate", "TIME", site.cache.revalidate, parse_duration,
                      "How often a cached file is checked for changes that the kernel does not "
                      "report; 0: never (default: 60s)");
    }

    void add_start_options() {
        reader_.group("When it starts");
        reader_.flag("--open", options_.open,
                     "Open the site in the browser (BROWSER, or xdg-open)");
        reader_.flag("--qr", options_.qr, "Show a QR code with an address for other devices");
    }

    void add_file_options() {
        reader_.group("Configuration and reload");
        reader_.names_file(
            reader_.value("--config", "FILE", options_.config, parse_text,
                          "Read further options, and sites, from a file (TOML); `weir "
                          "check-config` checks it (by default, none)"));
        reader_.keep_from_files(reader_.optional_values(
            "--print-config", "changed|all", options_.print_config, parse_print_config, "changed",
            "Print a file that says the same as the options, and serve nothing; all: with every "
            "other option, as comments (by default, what differs from the defaults)"));
        reload_.add();
    }

    /// A client that has just written a file names its tag in the field If, so the tag has to stay.
    void choose_tags() {
        if (!options_.upload.webdav.empty() && etag_->count() == 0)
            options_.site.tags_from = site::TagsFrom::content;
    }

    void check_manifest() const {
        const site::Options& site = options_.site;
        if (!site.tags_manifest.file.empty() && site.tags_from != site::TagsFrom::content)
            throw WrongUse{etag_manifest_->given_by + " needs --etag content"};
    }

    /// Checks that the options fit together.
    void finish() {
        choose_tags();
        check_manifest();
        launch_.finish();
        compress_.finish();
        access_.finish(options_, !options_.upload.users.empty());
        upload_.finish(options_, options_.access);
        proxies_.finish();
        rules_.finish();
        forward_.finish();
        live_.finish(options_, options_.access.proxies);
        read_root();
        check_root();
        read_file();
        listing_.finish();
        if (options_.rules.folder_rules && options_.site.spa_fallback)
            throw WrongUse{
                "--folder-rules and --spa can't be combined: in place of --spa, write "
                "'/* /index.html 200' in _redirects"};
        if (!index_names_.empty()) options_.site.index_names = std::move(index_names_);
        if (options_.site.cache.bytes_max == 0) options_.site.cache.entries_max = 0;
        options_.site.listing_uploads = options_.upload.folders;
        options_.site.error_pages = !no_error_pages_;
        options_.site.precompressed = !no_precompressed_;
        options_.site.precompressed_not_in = options_.upload.webdav;
    }

    void read_root() {
        if (path_->count() == 0) return;
        std::string& root = options_.site.root;
        if (root_->count() > 0 && folder(path_text_) != folder(root))
            throw WrongUse{"PATH and --root name different folders; give one of them"};
        root = path_text_;
    }

    /// If PATH does not exist, the user may have meant something else.
    void check_root() const {
        const std::string& root = options_.site.root;
        std::error_code error;
        if (std::filesystem::exists(root, error) || error) return;
        const auto meant = meant_by(root, page().options);
        if (!meant.empty())
            throw WrongUse{(root_->count() > 0 ? root_->given_by : "PATH") +
                           ": there is no folder or file '" + root + "'" + meant};
    }

    /// Uses the folder of a file as the root. The file may be a link.
    void read_file() {
        site::Options& site = options_.site;
        std::error_code error;
        const std::filesystem::path path{site.root};
        if (!std::filesystem::is_regular_file(path, error)) return;
        refuse_folder_options();
        site.file_name = site.file = path.filename();
        site.follows_file = true;
        site.root = path.has_parent_path() ? path.parent_path() : ".";
    }

    void refuse_folder_options() const {
        const site::Options& site = options_.site;
        const std::array<std::pair<bool, const char*>, 11> folder_options{{
            {site.spa_fallback, "--spa"},
            {site.listing, "--listing"},
            {site.listing_archives, "--archive"},
            {site.listing_search, "--search"},
            {!options_.upload.folders.empty(), "--upload"},
            {options_.rules.folder_rules, "--folder-rules"},
            {site.clean_urls, "--clean-urls"},
            {!site.hidden.empty(), "--hide"},
            {!site.tags_manifest.file.empty(), "--etag-manifest"},
            {site.keep_old.count() != 0, "--keep-old"},
            {!index_names_.empty(), "--index"},
        }};
        for (const auto& [given, name] : folder_options)
            if (given)
                throw WrongUse{std::string{name} + " is for folders, and '" + site.root +
                               "' is a file"};
    }

    /// whether the user wrote a slash or not
    static std::filesystem::path folder(const std::string& text) {
        return (std::filesystem::path{text} / "").lexically_normal();
    }

    OptionReader reader_{empty_page()};
    const OptionReader::Added* path_ = nullptr;
    const OptionReader::Added* root_ = nullptr;
    const OptionReader::Added* etag_ = nullptr;
    const OptionReader::Added* etag_manifest_ = nullptr;

    ServeOptions options_;
    ListingReader listing_{reader_, options_};
    AccessReader access_{reader_, options_.access};
    UploadReader upload_{reader_, options_.upload};
    ForwardReader forward_{reader_, options_.forward};
    ProxiesReader proxies_{reader_, options_.access.proxies};
    MarkdownReader markdown_{reader_, options_.markdown};
    RulesReader rules_{reader_, options_.rules};
    LiveReader live_{reader_, options_.live};
    LaunchReader launch_{reader_, options_};
    CompressReader compress_{reader_, options_.compress};
    ReloadReader reload_{reader_, options_.reload};
    std::string path_text_;
    std::vector<std::string> index_names_;  // these names replace the default
    bool no_error_pages_ = false;
    bool no_precompressed_ = false;
};

}  // namespace

ReadServe read_serve(const Sources& sources) {
    ServeReader reader;
    auto options = reader.read(sources);
    return {.options = std::move(options), .given = reader.given()};
}

Page serve_page() { return ServeReader{}.page(); }

}  // namespace weir::cli
