#include "cli/serve_options.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "cli/help_formatter.h"
#include "cli/option_reader.h"
#include "engines/engines.h"
#include "server/endpoint.h"

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
opens the access log again. Exit codes: 0 stopped, 1 could not start, 2 wrong use.
)";

Parsed<std::string> parse_text(std::string_view text) { return std::string{text}; }

Parsed<std::uint64_t> parse_port(std::string_view text) { return parse_count(text, 65'535); }

Parsed<std::uint64_t> parse_workers(std::string_view text) { return parse_count(text, 1'024); }

Parsed<std::uint64_t> parse_32_bits(std::string_view text) {
    return parse_count(text, std::uint32_t{0} - 1);
}

Parsed<std::string> parse_address(std::string_view text) {
    if (server::parse_endpoint(text, 0)) return std::string{text};
    return std::unexpected{"'" + std::string{text} +
                           "' is not an address such as 127.0.0.1, ::1, 0.0.0.0:8080, [::]:8080 or "
                           "unix:/run/weir.sock"};
}

Parsed<std::string> parse_engine(std::string_view text) {
    if (engines::find(text)) return std::string{text};
    std::string message = "there is no engine '" + std::string{text} + "'; there are auto";
    for (const engines::Engine& engine : engines::all()) {
        message += ", ";
        message += engine.name;
    }
    return std::unexpected{message};
}

Parsed<server::AccessLogOptions::Format> parse_log_format(std::string_view text) {
    using enum server::AccessLogOptions::Format;
    if (text == "combined") return combined;
    if (text == "json") return json;
    return std::unexpected{"'" + std::string{text} + "' is neither combined nor json"};
}

Parsed<site::Symlinks> parse_symlinks(std::string_view text) {
    if (text == "inside") return site::Symlinks::inside_root;
    if (text == "none") return site::Symlinks::none;
    return std::unexpected{"'" + std::string{text} + "' is neither inside nor none"};
}

/// Head limits of the core as one: a line may fill the head.
Parsed<std::uint64_t> parse_head_size(std::string_view text) {
    constexpr std::uint64_t min = 1'024;
    constexpr std::uint64_t max = std::uint64_t{1} << 20u;
    auto bytes = parse_size(text);
    if (bytes && (*bytes < min || *bytes > max))
        return std::unexpected{"'" + std::string{text} + "' is not between 1K and 1M"};
    return bytes;
}

class ServeReader {
   public:
    ServeReader() {
        reader_.app.footer(footer);
        reader_.app.formatter(std::make_shared<HelpFormatter>("weir serve [PATH] [option...]"));
        add_site_options();
        add_content_options();
        add_server_options();
        add_log_options();
        add_limits();
        reader_.app.set_help_flag("-h,--help", "This text")->group("What it says");
    }

    ServeOptions read(std::vector<std::string> arguments) {
        std::ranges::reverse(arguments);  // as CLI11 wants them
        reader_.app.parse(std::move(arguments));
        for (CLI::Option* option : reader_.app.get_options())
            if (option->count() == 0 && !(option == root_ && path_->count() > 0))
                OptionReader::read_variable(*option);
        finish();
        return std::move(options_);
    }

    std::string help() const { return reader_.app.help(); }

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

    void add_server_options() {
        reader_.app.option_defaults()->group("Where, and by what");
        server::Options& server = options_.server;
        reader_.value("-p,--port", "PORT", server.port, parse_port,
                      "The port to listen on (8000); 0 takes any free one");
        reader_.values("-b,--bind", "ADDRESS", addresses_, parse_address,
                       "Where to listen (127.0.0.1), its port included or not: 0.0.0.0, [::]:8080, "
                       "unix:/path; several");
        reader_.value("-e,--engine", "ENGINE", server.engine, parse_engine,
                      "The architecture that serves; `weir engines` lists them (auto)");
        reader_.value("-w,--workers", "N", server.workers, parse_workers,
                      "Threads or processes, for engines that have several (one a core)");
    }

    void add_log_options() {
        reader_.app.option_defaults()->group("What it says");
        reader_.flag("-q,--quiet", options_.quiet, "No banner");
        reader_.flag("-v,--verbose", options_.verbose, "Log requests on standard error");
        reader_.value("--access-log", "FILE|-|off", access_log_, parse_text,
                      "Log requests to a file, or on standard error (off)");
        reader_.value("--access-log-format", "combined|json", options_.server.access_log.format,
                      parse_log_format, "As Apache and nginx do, or one object a line (combined)");
    }

    void add_limits() {
        reader_.app.option_defaults()->group("Limits (times as 500ms, 10s, 2m; 0 for none)");
        server::Options& server = options_.server;
        http::Timeouts& timeouts = server.timeouts;
        reader_.value("--max-connections", "N", server.connections_max, parse_32_bits,
                      "Connections at once; more wait (as many as descriptors allow)");
        reader_.value("--max-requests", "N", server.limits.requests_per_connection_max,
                      parse_32_bits, "Requests of one connection (any number)");
        reader_.value("--max-head", "SIZE", head_bytes_max_, parse_head_size,
                      "Request line and headers together (32K, and 8K a line)");
        reader_.value("--head-timeout", "TIME", timeouts.head, parse_duration,
                      "For a request's head to arrive (10s)");
        reader_.value("--keep-alive-timeout", "TIME", timeouts.keep_alive, parse_duration,
                      "Between two requests (75s)");
        reader_.value("--transmit-timeout", "TIME", timeouts.transmit, parse_duration,
                      "In which a client takes nothing of its answer (30s)");
        reader_.value("--stop-timeout", "TIME", server.stop_timeout, parse_duration,
                      "For what is under way when the server stops (10s); 0 cuts it");
    }

    /// What an option alone cannot say.
    void finish() {
        read_root();
        server::Options& server = options_.server;
        if (!index_names_.empty()) options_.site.index_names = std::move(index_names_);
        if (!addresses_.empty()) server.addresses = std::move(addresses_);
        if (options_.site.cache.bytes_max == 0) options_.site.cache.entries_max = 0;
        options_.site.error_pages = !no_error_pages_;
        options_.site.precompressed = !no_precompressed_;
        const std::string log = access_log_.value_or(options_.verbose ? "-" : "off");
        if (log != "off") server.access_log.path = log;
        if (head_bytes_max_ > 0)
            server.limits.head_bytes_max = server.limits.request_line_bytes_max =
                server.limits.field_line_bytes_max = head_bytes_max_;
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
    std::string path_text_;
    std::vector<std::string> index_names_;  // in place of the default, not added to it
    std::vector<std::string> addresses_;
    std::optional<std::string> access_log_;
    std::uint32_t head_bytes_max_ = 0;
    bool no_error_pages_ = false;
    bool no_precompressed_ = false;
};

std::string one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

}  // namespace

std::expected<ServeOptions, NoOptions> parse_serve_options(std::vector<std::string> arguments) {
    ServeReader reader;
    try {
        return reader.read(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
        return std::unexpected{NoOptions{.exit_code = 0, .text = reader.help()}};
    } catch (const CLI::ParseError& error) {
        return std::unexpected{NoOptions{
            .exit_code = 2,
            .text = "weir serve: " + one_line(error.what()) + "; weir serve --help tells more\n"}};
    }
}

}  // namespace weir::cli
