#include "cli/serve_options.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "cli/help_formatter.h"
#include "cli/launch_reader.h"
#include "cli/option_reader.h"

namespace weir::cli {
namespace {

constexpr const char* description =
    "Serves a folder over HTTP: the current one, at http://127.0.0.1:8000/, unless told otherwise.";

constexpr const char* footer =
    R"(
Each option has a variable that stands in for it: --some-name is WEIR_SOME_NAME (1 or 0 for
one without a value; several values one a line). The command line goes first.

Examples:
  weir serve                                    the current folder, for this machine alone
  weir serve site -b 0.0.0.0 -p 80              a folder, for everybody who can reach this machine
  weir serve dist --spa                         an application that routes in the browser
  weir serve site -b 127.0.0.1 -b ::1           IPv4 and IPv6
  weir serve site -b unix:/run/weir.sock        behind another server
  weir serve site --cache-control '/assets/**: max-age=31536000, immutable' \
                  --header 'text/html: X-Frame-Options: DENY'
  weir serve site --access-log /var/log/weir/access.log --access-log-format json

Signals: SIGTERM or SIGINT (Ctrl-C) finishes what is under way, a second one stops at once; SIGUSR1
opens the access log again, and so does SIGHUP, which under prefork replaces all workers.
Exit codes: 0 stopped, 1 could not start, 2 wrong use.
)";

Parsed<site::Symlinks> parse_symlinks(std::string_view text) {
    if (text == "inside") return site::Symlinks::inside_root;
    if (text == "none") return site::Symlinks::none;
    return std::unexpected{"'" + std::string{text} + "' is neither inside nor none"};
}

class ServeReader {
   public:
    ServeReader() {
        reader_.app.footer(footer);
        reader_.app.formatter(std::make_shared<HelpFormatter>("weir serve [PATH] [option...]"));
        add_site_options();
        add_content_options();
        launch_.add();
        add_start_options();
        reader_.alternatives({path_, root_});
    }

    std::expected<ServeOptions, NoOptions> read(std::vector<std::string> arguments) {
        const auto read = reader_.read(std::move(arguments), [this] { finish(); });
        if (!read) return std::unexpected{read.error()};
        return std::move(options_);
    }

   private:
    void add_site_options() {
        reader_.app.option_defaults()->group("What is served");
        site::Options& site = options_.site;
        path_ = reader_.value("PATH", "", path_text_, parse_text, "");
        root_ = reader_.value("-r,--root", "PATH", site.root, parse_text,
                              "The folder, as PATH alone (the current one)");
        reader_.flag("-s,--spa", site.spa_fallback,
                     "Answer paths where nothing is with the index, for an application that routes "
                     "in the browser");
        reader_.flag("-l,--listing", site.listing, "List folders that have no index");
        reader_.flag("--clean-urls", site.clean_urls, "Let /about find about.html");
        reader_.flag("--dotfiles", site.dotfiles,
                     "Serve names that begin with a dot (/.well-known is always served)");
        reader_.values("--index", "NAME", index_names_, parse_text,
                       "What stands for a folder (index.html); several, best first");
        reader_.value(
            "--symlinks", "inside|none", site.symlinks, parse_symlinks,
            "Which symbolic links are followed: those that stay inside the folder, or none");
    }

    void add_content_options() {
        reader_.app.option_defaults()->group("How it is served");
        site::Options& site = options_.site;
        reader_.values("--cache-control", "'FILES: VALUE'", site.fields, parse_cache_control,
                       "Cache-Control of some files: '/assets/**', '*.css' or a media type such as "
                       "'image/*'");
        reader_.values("--header", "'FILES: NAME: VALUE'", site.fields, parse_header,
                       "A header of some files; with an empty value, none of that name");
        reader_.flag("--no-error-pages", no_error_pages_,
                     "Leave the folder's 404.html and its like alone");
        reader_.flag("--no-precompressed", no_precompressed_,
                     "Leave app.js.br, app.js.zst and app.js.gz alone when app.js is asked for");
        reader_.value("--cache-size", "SIZE", site.cache.bytes_max, parse_size,
                      "Memory for files that are asked for often (64M); 0 for none");
    }

    void add_start_options() {
        reader_.app.option_defaults()->group("What it says");
        reader_.flag("--open", options_.open,
                     "Open the site in the browser (BROWSER, or xdg-open)");
        reader_.flag("--qr", options_.qr, "Show a QR code of an address that others reach");
    }

    /// What an option alone cannot say.
    void finish() {
        launch_.finish();
        read_root();
        if (!index_names_.empty()) options_.site.index_names = std::move(index_names_);
        if (options_.site.cache.bytes_max == 0) options_.site.cache.entries_max = 0;
        options_.site.error_pages = !no_error_pages_;
        options_.site.precompressed = !no_precompressed_;
    }

    void read_root() {
        if (path_->count() == 0) return;
        std::string& root = options_.site.root;
        if (root_->count() > 0 && folder(path_text_) != folder(root))
            throw CLI::ValidationError{"PATH and --root name different folders; give one of them"};
        root = path_text_;
    }

    /// With a slash at the end, whether it was written or not.
    static std::filesystem::path folder(const std::string& text) {
        return (std::filesystem::path{text} / "").lexically_normal();
    }

    OptionReader reader_{description, "weir serve"};
    CLI::Option* path_ = nullptr;
    CLI::Option* root_ = nullptr;

    ServeOptions options_;
    LaunchReader launch_{reader_, options_};
    std::string path_text_;
    std::vector<std::string> index_names_;  // in place of the default, not added to it
    bool no_error_pages_ = false;
    bool no_precompressed_ = false;
};

}  // namespace

std::expected<ServeOptions, NoOptions> parse_serve_options(std::vector<std::string> arguments) {
    return ServeReader{}.read(std::move(arguments));
}

}  // namespace weir::cli
