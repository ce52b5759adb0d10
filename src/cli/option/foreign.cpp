#include "cli/option/foreign.h"

#include <algorithm>
#include <array>
#include <ranges>

namespace weir::cli {
namespace {

// The names must not include an option of weir, and each --option in an advice must be an option of
// weir.
constexpr std::array options{
    Foreign{"-a --host --hostname --address --addr --ip --interface --interfaces --listen "
            "--listen-address --bind-address --bind-addr --server -i",
            "the address is given by --bind, as in --bind 0.0.0.0:8080"},
    Foreign{"-6 --ipv6", "for IPv6: --bind '[::]:8000'"},
    Foreign{"-4 --ipv4", "for IPv4: --bind 0.0.0.0"},
    Foreign{"-P --listen-port --http-port --https-port", "the port is given by --port"},
    Foreign{"-d --directory --dir --folder --docroot --document-root --path --public --www "
            "--webroot --base",
            "the folder stands alone, as in weir serve FOLDER, or after --root"},
    Foreign{
        "--auth-file --basic-auth --http-auth --username --password --passwd --htpasswd",
        "passwords are asked for by --auth FILE, and `weir password NAME >FILE` makes the file"},
    Foreign{"--realm", "weir has one realm for all passwords of --auth"},
    Foreign{"-u -U --uploads --upload-files --enable-upload --allow-upload --allow-write --put",
            "files are taken by --upload, or for one folder of the site by --upload=/PATH"},
    Foreign{"--upload-token --upload-password",
            "passwords for uploads are asked for by --upload-auth FILE"},
    Foreign{"--overwrite --overwrite-files", "files are replaced by --upload-overwrite"},
    Foreign{"--max-upload --max-upload-size --upload-limit --client-max-body-size",
            "the size of a file is limited by --upload-max"},
    Foreign{"-A --allow-delete --allow-all --mkdir --dav --enable-webdav --enable-dav",
            "files are made, moved and deleted by WebDAV: --upload with --webdav"},
    Foreign{"-g --gzip --brotli --zstd --deflate --compression --compress-response --encode",
            "text is compressed by --compress, and app.js.br, app.js.zst and app.js.gz are sent in "
            "place of app.js by themselves"},
    Foreign{"--compression-level --gzip-level", "the level is set by --compress-level"},
    Foreign{"--gzip-types --compression-types", "media types are chosen by --compress-type"},
    Foreign{"--gzip-min-length --compression-min-size",
            "the smallest size is set by --compress-min"},
    Foreign{"--precompressed --compression-static --gzip-static --static-compression",
            "weir does this by itself, unless --no-precompressed is given"},
    Foreign{
        "--no-compress --no-compression --no-gzip",
        "weir compresses only with --compress; --no-precompressed ignores .br, .zst and .gz files"},
    Foreign{"--md --render-markdown --markdown-render --render-md --gfm",
            "Markdown is shown as pages by --markdown"},
    Foreign{"-c --config-file --conf --configuration --adapter",
            "a configuration file, in TOML, is given by --config"},
    Foreign{"--env-file --envfile",
            "weir reads variables such as WEIR_PORT, and a file of TOML by --config"},
    Foreign{"-t --test --check --validate --dry-run",
            "weir check-config FILE checks the file for --config"},
    Foreign{"-S --https --ssl --secure", "for HTTPS: --tls, or --tls-cert FILE --tls-key FILE"},
    Foreign{"-C --cert --certificate --certfile --cert-file --ssl-cert --tls-certificate "
            "--http2-tls-cert",
            "the certificate is given by --tls-cert"},
    Foreign{"-K --key --keyfile --key-file --private-key --ssl-key --http2-tls-key",
            "the key is given by --tls-key"},
    Foreign{
        "--ssl-pass --certpass --passphrase --tls-pass --tls-password --tls-password-file",
        "weir takes no passphrase: write the key without one, by openssl pkey -in KEY -out NEW"},
    Foreign{"--https-redirect --redirect-https --redirect-to-https --http-redirect --force-https",
            "for a redirect to HTTPS: --tls-redirect :80"},
    Foreign{"--letsencrypt --lets-encrypt --auto-https --domains --autocert",
            "for a certificate of a CA: --domain example.org"},
    Foreign{"--email", "the CA's messages go to the address of --acme-email"},
    Foreign{"-2 --h2 --http2", "HTTP/2 is on with --tls; without TLS: --h2c"},
    Foreign{"--no-http2 --disable-http2", "to turn HTTP/2 off: --no-h2"},
    Foreign{"--h3 --http3 --quic", "weir has HTTP/1.1 and HTTP/2, and no HTTP/3"},
    Foreign{"--browse --autoindex --auto-index --directory-listing --dir-listing --list --show-dir "
            "--showdir --enable-listing --indexes",
            "folders are listed by --listing"},
    Foreign{"-I --disable-indexing --no-index --no-listings --no-autoindex --no-dir-listing "
            "--no-directory-listing --disable-listing --disable-directory-listing",
            "listings are turned off by --no-listing"},
    Foreign{"--index-file --index-files --index-page --default-index --default-file --entry-file "
            "--render-index --render-try-index --directory-index",
            "the index page is given by --index NAME"},
    Foreign{"--single --single-page --history --history-api-fallback --html5 --fallback "
            "--page-fallback --render-spa --try-file --try-files --pushstate",
            "unknown paths get the index page by --spa"},
    Foreign{"--rewrites --alias --aliases", "another path is served by --rewrite '/a: /b'"},
    Foreign{"--redirects --redirections --permanent-redirect",
            "paths are redirected by --redirect '/a: 301 /b'"},
    Foreign{"--headers-file --redirects-file --netlify --cloudflare-pages",
            "_headers and _redirects of the folder are followed by --folder-rules"},
    Foreign{"--route-prefix --path-prefix --url-prefix --base-path --base-url --mount",
            "the site lies below a path by --prefix /PATH"},
    Foreign{"--maintenance-mode --maintenance-mode-file --maintenance-page",
            "weir answers 503 while a file is there by --maintenance FILE"},
    Foreign{"--ext --html-ext --default-ext --pretty-urls --cleanurls --strip-html "
            "--no-extensions",
            "/about finds about.html by --clean-urls"},
    Foreign{"-H --hidden --show-hidden --all --include-hidden --serve-hidden --dot-files",
            "hidden files are served by --dotfiles"},
    Foreign{"--no-dotfiles --hide-dotfiles --no-hidden --ignore-hidden --ignore-hidden-files",
            "weir serves no hidden file unless --dotfiles is given"},
    Foreign{"--exclude --ignore --hide-files", "files and folders are hidden by --hide"},
    Foreign{"--no-symlinks --hide-symlinks --disable-symlinks --no-follow-symlinks",
            "links are not followed with --symlinks none"},
    Foreign{"--follow --follow-symlinks --allow-symlink --allow-symlinks --reveal-symlinks",
            "weir follows links that stay inside the folder, and no others (--symlinks)"},
    Foreign{"--enable-cors --allow-cors --cors-origin --cors-origins --cors-allow-origins "
            "--allow-origin --allow-origins --access-control-allow-origin",
            "pages of other origins may read by --cors, or by --cors=ORIGIN"},
    Foreign{"--headers --add-header --custom-header --response-header "
            "--coop --coep --cors-allow-headers --cors-expose-headers",
            "a header is set by --header '/**: NAME: VALUE'"},
    Foreign{"--max-age --cache-time --cache-max-age --expires --cache-control-headers --no-cache "
            "--nocache --no-store",
            "caching is set by --cache-control '/**: VALUE', as in '/**: no-cache'"},
    Foreign{"--mime --mimetype --mimetypes --mime-type --mime-types --types --content-type "
            "--default-mimetype --raw-media-type",
            "media types are set by --media-type 'FILES: TYPE'"},
    Foreign{"--page404 --page50x --404 --error-page --error-pages --errorpage --not-found",
            "weir sends 404.html of the folder by itself, unless --no-error-pages is given"},
    Foreign{
        "--log --logs --logfile --log-file --log-path --log-level --loglevel --log-ip --accesslog "
        "--request-log --access-logs",
        "requests are logged by --access-log FILE, or by -v to standard error"},
    Foreign{"--syslog --journald --journal",
            "requests are logged to a daemon by --access-log syslog: or journald:"},
    Foreign{"--log-format --logformat", "the format is set by --access-log-format"},
    Foreign{"--log-exclude --log-ignore --no-log-path --skip-log",
            "paths are left out of the log by --log-skip"},
    Foreign{"--log-rotate --logrotate --log-rotation --log-max-size --log-maxsize",
            "the log is rotated by --access-log-rotate"},
    Foreign{"-L --silent --no-log --no-logs --no-logging --no-request-logging --no-access-log",
            "weir says less with --quiet, and logs requests only if it is told to"},
    Foreign{"--debug --trace", "weir says more with --verbose"},
    Foreign{
        "-D -f --daemon --daemonize --background --detach --foreground --pidfile --pid-file "
        "--pid",
        "weir stays in the foreground: start it by systemd (weir@.service), or with & in a shell"},
    Foreign{"--uid --gid --group --chroot --jail",
            "weir gives up root by --user NAME[:GROUP], and reads nothing outside of the folder"},
    Foreign{"-j --threads --thread --threaded --concurrency --processes --cpus --worker "
            "--worker-processes --threads-multiplier --max-blocking-threads",
            "the number of threads or processes is given by --workers"},
    Foreign{"--timeout --idle-timeout --read-timeout --write-timeout --request-timeout --keepalive "
            "--keep-alive",
            "times are set by --head-timeout, --keep-alive-timeout and --transmit-timeout"},
    Foreign{"--no-keepalive --no-keep-alive",
            "a connection serves one request by --max-requests 1"},
    Foreign{"--grace-period --graceful-timeout --graceful-shutdown --shutdown-timeout",
            "the time to finish requests is set by --stop-timeout"},
    Foreign{"--maxconn --max-conn --max-clients --worker-connections --limit-conn",
            "the number of connections is limited by --max-connections"},
    Foreign{"--rate-limit --limit-rate --throttle --max-rate --bandwidth --limit-req",
            "requests are limited by --rate '10/s burst 50', connections by "
            "--max-connections-per-address; weir limits no bandwidth"},
    Foreign{"--proxy-all --proxy-pass --reverse-proxy --upstream --forward --backend",
            "requests are passed on by --proxy '/api: http://127.0.0.1:3000'"},
    Foreign{"--trusted-proxies --trusted-ip --real-ip --log-forwarded-for --forwarded-for "
            "--trust-proxy --accept-proxy",
            "proxies are believed by --trust NETWORK, or by --proxy-protocol NETWORK"},
    Foreign{"-o --browser --open-browser --launch --launch-browser",
            "the browser is opened by --open"},
    Foreign{"--no-browser --no-open", "weir opens no browser unless --open is given"},
    Foreign{"--qrcode --qr-code --show-qrcode", "the QR code is shown by --qr"},
    Foreign{"--cgi --php --fastcgi --templates --ssi --lua --script --middleware",
            "weir serves files as they are, and runs no program"},
    Foreign{"--watch --live --livereload --reload --hot --hot-reload",
            "weir serves a changed file at once; browsers load pages again by --live-reload"},
    Foreign{"--allow-search", "listings are searched with --search"},
    Foreign{"--no-etag --disable-etag", "weir sends an ETag with every file (--etag)"},
    Foreign{
        "--metrics --experimental-metrics --stats --status --healthcheck",
        "metrics and probes are switched on by --admin 127.0.0.1:9100; weir health asks whether "
        "a server answers"},
    Foreign{"-V --version", "the version is shown by weir version"},
};

constexpr std::array commands_of_others{
    Foreign{"start run up listen http http-server http.server file-server fileserver static "
            "web dev preview",
            "to serve the current folder: weir serve"},
    Foreign{"quit kill shutdown", "weir is stopped by Ctrl-C, by SIGTERM, or by weir stop"},
    Foreign{"restart", "weir reload has a server read its options again"},
    Foreign{"ping healthcheck", "weir health asks whether a server answers"},
    Foreign{"test validate lint check config",
            "weir check-config FILE checks the file for weir serve --config"},
    Foreign{"fmt init", "weir needs no configuration; to serve the current folder: weir serve"},
    Foreign{"proxy reverse-proxy",
            "weir serve --proxy '/: http://127.0.0.1:3000' passes requests on"},
    Foreign{"bench benchmark load", "weir target is the server for load generators"},
    Foreign{"list", "weir engines lists the engines"},
    Foreign{"completions", "weir completion prints them"},
};

}  // namespace

std::span<const Foreign> foreign_options() { return options; }
std::span<const Foreign> foreign_commands() { return commands_of_others; }

std::string advice_for(std::string_view word, std::span<const Foreign> table) {
    const auto has = [word](const Foreign& one) {
        return std::ranges::any_of(one.names | std::views::split(' '),
                                   [word](auto name) { return std::string_view{name} == word; });
    };
    const auto found = std::ranges::find_if(table, has);
    return found == table.end() ? "" : "; " + std::string{found->advice};
}

}  // namespace weir::cli
