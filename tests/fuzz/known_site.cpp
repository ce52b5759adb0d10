#include "fuzz/known_site.h"

#include <algorithm>

#include "site/path/target_path.h"

namespace weir::tests {
namespace {

constexpr const char* page = "text/html; charset=utf-8";
constexpr const char* text = "text/plain; charset=utf-8";

}  // namespace

KnownSite::KnownSite() {
    add("/index.html", "<h1>Home</h1>", page);
    add("/404.html", "<h1>Nothing here</h1>", page);
    add("/about.html", "<h1>About</h1>", page);
    add("/both.html", "<h1>Both</h1>", page);
    add("/both/a.txt", "a", text);
    add("/twin.html", "<h1>Twin</h1>", page);
    add("/twin", "without an extension", text);
    add("/style.css", "body { color: teal }", "text/css; charset=utf-8");
    add_variant("/style.css", "gzip", ".gz", "not really gzip", "application/gzip");
    add_variant("/style.css", "br", ".br", "not really brotli", text);
    add("/large.txt", std::string(100, 'l') + std::string(100, 'm'), text);
    add_variant("/large.txt", "zstd", ".zst", std::string(80, 'z'), "application/zstd");
    add("/empty.txt", "", text);
    add("/docs/a.txt", "one", text);
    add("/docs/b c.txt", "two", text);
    add("/docs/\xc3\xa4%<&\"'.txt", "three", text);
    add("/guide/index.html", "<h1>Guide</h1>", page);
    add("/.env", "secret", text);
    add("/.well-known/security.txt", "Contact: a", text);
    add("/.well-known/.git/config.txt", "secret", text);
    // An old variant is not sent.
    add("/about.html.gz", "old", "application/gzip", written - 3);
    // A link that stays inside is followed, one that leads out is not there.
    files_.link("inside.txt", "docs/a.txt");
    tree_.files["/inside.txt"] = tree_.files["/docs/a.txt"];
    files_.link("outside", "/etc");
    for (const auto& [path, file] : tree_.files)
        for (std::size_t slash = path.rfind('/'); slash != path.npos && slash != 0;
             slash = path.rfind('/', slash - 1))
            tree_.directories.insert(path.substr(0, slash));
    tree_.directories.insert("");
    learn_tags();
}

void KnownSite::add(const std::string& path, const std::string& content, const char* type,
                    std::int64_t modified) {
    files_.write(path.substr(1), content);
    files_.set_modified(path.substr(1), modified);
    tree_.files[path] = {type, {{"identity", content, "", modified}}};
}

/// A compressed file, which also has an address of its own.
void KnownSite::add_variant(const std::string& path, const char* coding, const char* suffix,
                            const std::string& content, const char* type) {
    const std::int64_t modified = written + 60;
    add(path + suffix, content, type, modified);
    auto& variants = tree_.files[path].variants;
    variants.insert(variants.begin(), {coding, content, "", modified});
}

plain::Options KnownSite::options(unsigned choice) const {
    return {.listing = (choice & 1u) != 0,
            .clean_urls = (choice & 2u) != 0,
            .spa = (choice & 4u) != 0,
            .dotfiles = (choice & 8u) != 0,
            .error_pages = (choice & 16u) != 0,
            .cors = (choice & 64u) != 0};
}

site::Site& KnownSite::site(unsigned choice) {
    auto& site = sites_[choice % choices];
    if (site) return *site;
    const plain::Options plain = options(choice);
    site::Options options{.root = files_.string(),
                          .listing = plain.listing,
                          .spa_fallback = plain.spa,
                          .clean_urls = plain.clean_urls,
                          .dotfiles = plain.dotfiles,
                          .error_pages = plain.error_pages,
                          .precompressed = precompressed(choice)};
    if (plain.cors) options.cors_origins = {plain::cors_origin};
    options.cache.small_file_bytes_max = 64;
    // A process may have few inotify instances; the others look at the files again each time.
    if (choice % 16 != 1) options.cache.watches_max = 0;
    if (choice % 8 == 6) options.cache.entries_max = 0;
    if (choice % 8 == 7) options.cache.entries_max = 3;
    site = std::move(*site::Site::open(std::move(options)));
    return *site;
}

/// Asks until the files have settled: before that, each answer has another tag.
void KnownSite::learn_tags() {
    constexpr unsigned everything = 8 | 32;
    for (auto& [path, file] : tree_.files)
        for (plain::Variant& variant : file.variants) {
            std::string encoded = "GET ";
            site::append_encoded(encoded, path);
            const std::vector<std::string> fields{"Accept-Encoding: identity;q=0.5, " +
                                                  variant.coding + ";q=1"};
            std::string last;
            do {
                last = variant.entity_tag;
                variant.entity_tag =
                    site::ask(site(everything), encoded, fields).field("ETag").value();
            } while (variant.entity_tag != last);
            tags_.push_back(variant.entity_tag);
        }
    uncompressed_ = tree_;
    for (auto& [path, file] : uncompressed_.files)
        file.variants.erase(file.variants.begin(), file.variants.end() - 1);
}

std::string KnownSite::with_tags(std::string_view text) const {
    std::string result{text};
    for (std::size_t i = 0; i < tags_.size(); ++i) {
        const std::string name = "{" + std::to_string(i) + "}";
        for (std::size_t at = result.find(name); at != result.npos;
             at = result.find(name, at + tags_[i].size()))
            result.replace(at, name.size(), tags_[i]);
    }
    return result;
}

}  // namespace weir::tests
