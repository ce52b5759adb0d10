#include "serve_cases.h"

#include <chrono>
#include <concepts>
#include <optional>

#include "unit/site/temporary_tree.h"

namespace weir::cli {
namespace {

std::string shown(bool value) { return value ? "on" : "off"; }
template <std::integral Number>
std::string shown(Number value) {
    return std::to_string(value);
}
std::string shown(std::chrono::seconds value) { return std::to_string(value.count()) + "s"; }
std::string shown(std::chrono::milliseconds value) { return std::to_string(value.count()) + "ms"; }
std::string shown(std::chrono::microseconds value) { return std::to_string(value.count()) + "us"; }
std::string shown(const std::string& value) { return value; }
std::string shown(const server::AccessLogOptions::Skip& skip) { return skip ? "some" : "none"; }
std::string shown(const std::vector<std::string>& values) {
    std::string text;
    for (const std::string& value : values) text += value + ' ';
    return text;
}
std::string shown(const std::vector<site::FieldRule>& rules) {
    std::string text;
    for (const auto& rule : rules)
        text += rule.glob + '|' + rule.media_type + '|' + rule.name + '|' + rule.value +
                (rule.delivered_only ? "|delivered " : " ");
    return text;
}
std::string shown(const std::vector<site::MediaTypeRule>& rules) {
    std::string text;
    for (const auto& rule : rules) text += rule.glob + '|' + rule.media_type + ' ';
    return text;
}
std::string shown(const std::vector<access::PasswordRule>& rules) {
    std::string text;
    for (const auto& rule : rules) text += rule.glob + '|' + rule.file + '|' + shown(rule.users);
    return text;
}
std::string shown(const std::vector<access::NetworkRule>& rules) {
    std::string text;
    for (const auto& rule : rules)
        text += rule.glob + '|' + rule.network + (rule.allows ? "|allowed " : "|denied ");
    return text;
}
std::string shown(const std::vector<access::RateRule>& rules) {
    std::string text;
    for (const auto& rule : rules)
        text += rule.glob + '|' + shown(rule.interval) + '|' + std::to_string(rule.burst) + ' ';
    return text;
}
std::string shown(const std::vector<access::SignedRule>& rules) {
    std::string text;
    for (const auto& rule : rules) text += rule.glob + '|' + rule.key_file + ' ';
    return text;
}
std::string shown(access::ForwardedField field) {
    return field == access::ForwardedField::forwarded ? "forwarded" : "x-forwarded-for";
}
std::string shown(site::Symlinks value) {
    return value == site::Symlinks::none ? "none" : "inside";
}
std::string shown(site::ListingTheme value) {
    return value == site::ListingTheme::light  ? "light"
           : value == site::ListingTheme::dark ? "dark"
                                               : "system";
}
std::string shown(site::TagsFrom value) {
    return value == site::TagsFrom::mtime     ? "mtime"
           : value == site::TagsFrom::content ? "content"
                                              : "inode";
}
std::string shown(server::AccessLogOptions::Format value) {
    return value == server::AccessLogOptions::Format::json ? "json" : "combined";
}

std::string shown(const std::optional<sandbox::User>& user) {
    return user ? std::to_string(user->uid) + ':' + std::to_string(user->gid) : "nobody else";
}

std::string shown(const std::optional<net::Address>& address) {
    return address ? address->text() : "none";
}

std::string shown(const std::vector<tls::CertificateFiles>& all) {
    std::string text;
    for (const auto& files : all) text += files.chain + '|' + files.key + ' ';
    return text;
}
std::string shown(tls::Settings::ClientCertificate value) {
    using enum tls::Settings::ClientCertificate;
    return value == off ? "off" : value == ask ? "ask" : "require";
}

#define SHOW(expression) [](const ServeOptions& options) { return shown(options.expression); }

const std::string ada = "ada:$6$salt$" + std::string(86, 'a');
const std::string bob = "bob:$6$salt$" + std::string(86, 'a');

}  // namespace

const std::vector<Case>& serve_cases() {
    static const site::TemporaryTree tree;
    tree.write("weir.toml", {});
    const std::string empty = tree.at("weir.toml").string();
    static const std::vector<Case> cases{
        {"config", empty, empty, "", SHOW(config), empty, empty},
        {"print-config", "", "changed ", "", SHOW(print_config), "1", "changed "},
        {"control", "unix:/a", "unix:/a", "none", SHOW(reload.control), "/b", "unix:/b"},
        {"ready-timeout", "5s", "5000ms", "30000ms", SHOW(reload.ready_timeout), "1m", "60000ms"},
        {"root", "/a", "/a", ".", SHOW(site.root), "/b", "/b"},
        {"spa", "", "on", "off", SHOW(site.spa_fallback), "1", "on"},
        {"listing", "", "on", "off", SHOW(site.listing), "true", "on"},
        {"no-listing", "", "on", "off", SHOW(no_listing), "1", "on"},
        {"search", "", "on", "off", SHOW(site.listing_search), "1", "on"},
        {"archive", "", "on", "off", SHOW(site.listing_archives), "1", "on"},
        {"upload", "", " ", "", SHOW(upload.folders), "/in\n/b/c/", "in b/c "},
        {"webdav",
         "",
         "in ",
         "",
         SHOW(upload.webdav),
         "/in/a\n/in/b",
         "in/a in/b ",
         {"--upload=/in"}},
        {"upload-auth",
         "/dev/null",
         "/dev/null",
         "",
         SHOW(upload.users),
         "/dev/zero",
         "/dev/zero",
         {"--upload"}},
        {"upload-anyone", "", "on", "off", SHOW(upload.anyone), "1", "on", {"--upload"}},
        {"upload-overwrite",
         "",
         "on",
         "off",
         SHOW(upload.settings.overwrites),
         "1",
         "on",
         {"--upload"}},
        {"upload-max",
         "10M",
         "10485760",
         "1073741824",
         SHOW(upload.settings.file_bytes_max),
         "1K",
         "1024",
         {"--upload"}},
        {"upload-quota",
         "1G",
         "1073741824",
         "0",
         SHOW(upload.settings.quota_bytes),
         "0",
         "0",
         {"--upload"}},
        {"proxy", "/api: http://127.0.0.1:1", "/api: http://127.0.0.1:1 ", "", SHOW(forward.routes),
         "/a: unix:/a\n/b: unix:/b", "/a: unix:/a /b: unix:/b "},
        {"proxy-host",
         "server",
         "on",
         "off",
         SHOW(forward.sets_host),
         "client",
         "off",
         {"--proxy=/: unix:/a"}},
        {"proxy-connections",
         "50",
         "50",
         "0",
         SHOW(forward.connections_max),
         "7",
         "7",
         {"--proxy=/: unix:/a"}},
        {"proxy-content-max",
         "10M",
         "10485760",
         "0",
         SHOW(forward.content_bytes_max),
         "1K",
         "1024",
         {"--proxy=/: unix:/a"}},
        {"proxy-tls-cert",
         "/a.pem",
         "/a.pem",
         "",
         SHOW(forward.certificate.chain),
         "/b.pem",
         "/b.pem",
         {"--proxy=/: https://a"}},
        {"proxy-tls-key",
         "/a.key",
         "/a.key",
         "",
         SHOW(forward.certificate.key),
         "/b.key",
         "/b.key",
         {"--proxy=/: https://a", "--proxy-tls-cert=/a.pem"}},
        {"proxy-timeout",
         "5s",
         "5000ms",
         "60000ms",
         SHOW(forward.timeout),
         "1m",
         "60000ms",
         {"--proxy=/: unix:/a"}},
        {"listing-title", "Our files", "Our files", "", SHOW(site.listing_title), "A", "A"},
        {"listing-theme", "dark", "dark", "system", SHOW(site.listing_theme), "light", "light"},
        {"clean-urls", "", "on", "off", SHOW(site.clean_urls), "1", "on"},
        {"dotfiles", "", "on", "off", SHOW(site.dotfiles), "1", "on"},
        {"index", "a.html", "a.html ", "index.html ", SHOW(site.index_names), "b.html\nc.html",
         "b.html c.html "},
        {"symlinks", "none", "none", "inside", SHOW(site.symlinks), "inside", "inside"},
        {"cache-control", "*.css: no-cache", "*.css||Cache-Control|no-cache|delivered ", "",
         SHOW(site.fields), "image/*: max-age=60", "|image/*|Cache-Control|max-age=60|delivered "},
        {"header", "/a/**: X-A: b:c", "/a/**||X-A|b:c ", "", SHOW(site.fields),
         "*: X-B:", "*||X-B| "},
        {"media-type", "*.foo: text/plain", "*.foo|text/plain ", "", SHOW(site.media_types),
         "/a/**: a/b; c=d\n*: text/html", "/a/**|a/b; c=d *|text/html "},
        {"cors", "https://a.example", "https://a.example ", "", SHOW(site.cors_origins),
         "http://b.example:80\n*", "http://b.example * "},
        {"etag", "content", "content", "mtime", SHOW(site.tags_from), "inode", "inode"},
        {"etag-manifest",
         "SHA256SUMS",
         "SHA256SUMS",
         "",
         SHOW(site.tags_manifest.file),
         "a/b",
         "a/b",
         {"--etag", "content"}},
        {"keep-old", "1h", "3600000ms", "0ms", SHOW(site.keep_old), "5m", "300000ms"},
        {"no-error-pages", "", "off", "on", SHOW(site.error_pages), "1", "off"},
        {"open", "", "on", "off", SHOW(open), "1", "on"},
        {"qr", "", "on", "off", SHOW(qr), "1", "on"},
        {"no-precompressed", "", "off", "on", SHOW(site.precompressed), "1", "off"},
        {"markdown", "", "on", "off", SHOW(markdown.on), "1", "on"},
        {"compress", "", "on", "off", SHOW(compress.on), "1", "on"},
        {"compress-level", "9", "9", "0", SHOW(compress.settings.level), "1", "1", {"--compress"}},
        {"compress-min",
         "4K",
         "4096",
         "1024",
         SHOW(compress.settings.size_min),
         "0",
         "0",
         {"--compress"}},
        {"compress-type",
         "image/png",
         "image/png ",
         shown(compress::usual_types()),
         SHOW(compress.settings.types),
         "+json\ntext/*",
         "+json text/* ",
         {"--compress"}},
        {"compress-cookies",
         "",
         "on",
         "off",
         SHOW(compress.settings.with_cookies),
         "1",
         "on",
         {"--compress"}},
        {"compress-cache",
         "1M",
         "1048576",
         "16777216",
         SHOW(compress.settings.cache_bytes),
         "0",
         "0",
         {"--compress"}},
        {"cache-size", "1M", "1048576", "67108864", SHOW(site.cache.bytes_max), "4K", "4096"},
        {"revalidate", "10s", "10000ms", "60000ms", SHOW(site.cache.revalidate), "0", "0ms"},
        {"port", "80", "80", "8000", SHOW(server.port), "0", "0"},
        {"bind", "[::1]:90", "[::1]:90 ", "127.0.0.1 ", SHOW(server.addresses),
         "unix:/a b\n0.0.0.0", "unix:/a b 0.0.0.0 "},
        {"h2c", "", "on", "off", SHOW(server.h2c), "1", "on"},
        {"engine", "blocking", "blocking", "auto", SHOW(server.engine), "per-core", "per-core"},
        {"workers", "3", "3", "0", SHOW(server.workers), "4", "4"},
        {"pin", "", "on", "off", SHOW(server.pin), "1", "on"},
        {"queue", "3", "3", "128", SHOW(server.queue_max), "4", "4", {"--engine", "reactor"}},
        {"queue-delay",
         "500ms",
         "500ms",
         "0ms",
         SHOW(server.queue_delay_max),
         "1s",
         "1000ms",
         {"--engine", "reactor"}},
        {"busy-poll", "50us", "50us", "0us", SHOW(server.busy_poll), "1ms", "1000us"},
        {"tls", "local", "on", "off", SHOW(tls.on), "1", "on"},
        {"tls-cert", "/c.pem", "/c.pem| ", "", SHOW(tls.settings.certificates), "/a\n/b",
         "/a| /b| "},
        {"tls-key",
         "/k.pem",
         "/c.pem|/k.pem ",
         "",
         SHOW(tls.settings.certificates),
         "/l.pem",
         "/c.pem|/l.pem ",
         {"--tls-cert", "/c.pem"}},
        {"tls-redirect",
         ":80",
         ":80 ",
         "",
         SHOW(server.redirect_addresses),
         ":81\n[::1]",
         ":81 [::1] ",
         {"--tls"}},
        {"no-h2", "", "off", "on", SHOW(server.h2), "1", "off", {"--tls"}},
        {"hide", "*.bak", "*.bak ", "", SHOW(site.hidden), "/drafts", "/drafts "},
        {"signed", "/a: /key", "/a|/key ", "", SHOW(access.signed_links), "key", "|key "},
        {"rate", "/a: 10/s", "/a|100000us|10 ", "", SHOW(access.rates), "60/m burst 7",
         "|1000000us|7 "},
        {"trust", "unix", "unix ", "", SHOW(access.proxies.trusted), "::1\n10.0.0.0/8",
         "::1 10.0.0.0/8 "},
        {"trust-field",
         "forwarded",
         "forwarded",
         "x-forwarded-for",
         SHOW(access.proxies.field),
         "forwarded",
         "forwarded",
         {"--trust", "::1"}},
        {"proxy-protocol", "::1", "::1 ", "", SHOW(access.proxies.proxy_protocol), "unix", "unix "},
        {"redirect", "/a: /b", "/a: /b ", "", SHOW(rules.redirects), "/c: 301 /d", "/c: 301 /d "},
        {"rewrite", "/a: /b", "/a: /b ", "", SHOW(rules.rewrites), "/c: /d", "/c: /d "},
        {"prefix", "/a", "/a", "", SHOW(rules.prefix), "/b/", "/b/"},
        {"maintenance", "/a", "/a", "", SHOW(rules.maintenance), "/b", "/b"},
        {"maintenance-except",
         "::1",
         "::1 ",
         "",
         SHOW(rules.maintenance_except),
         "unix",
         "unix ",
         {"--maintenance", "/a"}},
        {"folder-rules", "", "on", "off", SHOW(rules.folder_rules), "1", "on"},
        {"live-reload", "", "on", "off", SHOW(live.reload), "1", "on"},
        {"security-headers", "", "on", "off", SHOW(rules.security_headers), "1", "on"},
        {"allow", "/a: ::1", "/a|::1|allowed ", "", SHOW(access.networks), "unix",
         "|unix|allowed "},
        {"deny", "10.0.0.0/8", "|10.0.0.0/8|denied ", "", SHOW(access.networks), "/a: 10.0.0.1",
         "/a|10.0.0.1|denied "},
        {"auth", "/a: /dev/null", "/a|/dev/null|", "", SHOW(access.passwords.rules), "/dev/null",
         "|/dev/null|"},
        {"auth-user", ada, "||" + ada + ' ', "", SHOW(access.passwords.rules), bob,
         "||" + bob + ' '},
        {"auth-tries",
         "5",
         "5",
         "10",
         SHOW(access.passwords.tries_per_minute),
         "0",
         "0",
         {"--auth", "/dev/null"}},
        {"auth-over-plain",
         "",
         "on",
         "off",
         SHOW(access.passwords_over_plain),
         "1",
         "on",
         {"--auth", "/dev/null"}},
        {"hsts", "", "31536000s", "0s", SHOW(server.hsts), "1", "31536000s", {"--tls"}},
        {"tls-client-ca", "/ca", "/ca", "", SHOW(tls.settings.client_ca), "/b", "/b", {"--tls"}},
        {"tls-client-auth",
         "ask",
         "ask",
         "off",
         SHOW(tls.settings.client_certificate),
         "require",
         "require",
         {"--tls", "--tls-client-ca", "/ca"}},
        {"tls-tickets", "/t", "/t", "", SHOW(tls.settings.tickets), "/u", "/u", {"--tls"}},
        {"tls-ocsp", "/o", "/o ", "", SHOW(tls.settings.staples), "/p\n/q", "/p /q ", {"--tls"}},
        {"tls-handshake-timeout",
         "1s",
         "1000ms",
         "10000ms",
         SHOW(tls.settings.handshake_timeout),
         "2s",
         "2000ms",
         {"--tls"}},
        {"tls-handshakes",
         "10",
         "10",
         "512",
         SHOW(tls.settings.handshakes_max),
         "20",
         "20",
         {"--tls"}},
        {"domain", "Example.org", "example.org ", "", SHOW(tls.acme.hosts),
         "a.example.org\nb.example.org", "a.example.org b.example.org "},
        {"acme",
         "https://ca/dir",
         "https://ca/dir",
         "https://acme-v02.api.letsencrypt.org/directory",
         SHOW(tls.acme.directory),
         "staging",
         "https://acme-staging-v02.api.letsencrypt.org/directory",
         {"--domain", "example.org"}},
        {"acme-email",
         "a@b",
         "a@b",
         "",
         SHOW(tls.acme.applicant.email),
         "c@d",
         "c@d",
         {"--domain", "example.org"}},
        {"acme-eab",
         "/e",
         "/e",
         "",
         SHOW(tls.acme_account),
         "/f",
         "/f",
         {"--domain", "example.org"}},
        {"acme-ca", "/ca", "/ca", "", SHOW(tls.acme.ca), "/b", "/b", {"--domain", "example.org"}},
        {"user", "12345:23456", "12345:23456", "nobody else", SHOW(user), "1:2", "1:2"},
        {"admin", "127.0.0.1:9100", "127.0.0.1:9100", "", SHOW(admin), "unix:/run/a",
         "unix:/run/a"},
        {"drain-delay", "5s", "5000ms", "0ms", SHOW(drain_delay), "1m", "60000ms"},
        {"no-sandbox", "", "on", "off", SHOW(no_sandbox), "1", "on"},
        {"quiet", "", "on", "off", SHOW(quiet), "1", "on"},
        {"verbose", "", "-", "", SHOW(server.access_log.path), "1", "-"},
        {"access-log", "/a", "/a", "", SHOW(server.access_log.path), "-", "-"},
        {"access-log-format", "json", "json", "combined", SHOW(server.access_log.format),
         "combined", "combined"},
        {"access-log-rotate",
         "1M",
         "1048576",
         "0",
         SHOW(server.access_log.rotate_bytes),
         "64K",
         "65536",
         {"--access-log", "/a"}},
        {"access-log-keep",
         "10",
         "10",
         "7",
         SHOW(server.access_log.rotate_keep),
         "20",
         "20",
         {"--access-log", "/a", "--access-log-rotate", "daily"}},
        {"log-skip", "/a", "some", "none", SHOW(server.access_log.skip), "/b/*", "some"},
        {"log-sample", "10", "10", "1", SHOW(server.access_log.sample), "20", "20"},
        {"revalidate", "5s", "5000ms", "60000ms", SHOW(site.cache.revalidate), "2", "2000ms"},
        {"memory", "64M", "67108864", "0", SHOW(server.memory_max), "1G", "1073741824"},
        {"max-connections", "10", "10", "0", SHOW(server.connections_max), "20", "20"},
        {"max-connections-per-address", "10", "10", "0", SHOW(server.connections_per_address_max),
         "20", "20"},
        {"max-requests", "10", "10", "0", SHOW(server.limits.requests_per_connection_max), "20",
         "20"},
        {"max-streams", "10", "10", "100", SHOW(server.limits.streams_max), "20", "20"},
        {"max-head", "64K", "65536", "32768", SHOW(server.limits.head_bytes_max), "2K", "2048"},
        {"half-close", "", "on", "off", SHOW(server.limits.half_close), "1", "on"},
        {"head-timeout", "500ms", "500ms", "10000ms", SHOW(server.timeouts.head), "2", "2000ms"},
        {"keep-alive-timeout", "1m", "60000ms", "75000ms", SHOW(server.timeouts.keep_alive), "0",
         "0ms"},
        {"transmit-timeout", "1h", "3600000ms", "30000ms", SHOW(server.timeouts.transmit), "1s",
         "1000ms"},
        {"transmit-rate", "1000", "1000", "240", SHOW(server.timeouts.transmit_rate_min), "0", "0"},
        {"stop-timeout", "1s", "1000ms", "10000ms", SHOW(server.stop_timeout), "2s", "2000ms"},
        {"worker-timeout", "1s", "1000ms", "30000ms", SHOW(server.worker_timeout), "2s", "2000ms"},
    };
    return cases;
}

}  // namespace weir::cli
