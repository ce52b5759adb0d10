#include "fuzz/plain/site.h"

#include <algorithm>
#include <variant>

#include "fuzz/plain/accept.h"
#include "fuzz/plain/cors.h"
#include "fuzz/plain/date.h"
#include "fuzz/plain/path.h"
#include "fuzz/plain/ranges.h"

namespace weir::tests::plain {
namespace {

struct Listing {};
struct Moved {
    std::string path;
};
struct Missing {};
using Found = std::variant<Missing, std::string, Listing, Moved>;  // a string: the path of a file

constexpr std::string_view html = ".html";

class Finder {
   public:
    Finder(const Tree& tree, const Options& options) : tree_{tree}, options_{options} {}

    /// "/docs/" is the folder, "/docs" leads to it; with clean URLs, "/about" is about.html.
    Found find(const std::string& path) const {
        if (path.ends_with('/')) return find_folder(path);
        if (is_file(path))
            return options_.clean_urls && path.ends_with(html) ? page(path, path) : Found{path};
        if (const std::string other = path + std::string{html};
            options_.clean_urls && is_file(other))
            return page(path, other);
        if (tree_.directories.contains(path)) return Moved{path + "/"};
        return Missing{};
    }

   private:
    bool is_file(const std::string& path) const { return tree_.files.contains(path); }

    Found find_folder(const std::string& path) const {
        const std::string folder = path.substr(0, path.size() - 1);
        if (tree_.directories.contains(folder)) {
            if (is_file(path + "index.html")) return path + "index.html";
            return options_.listing ? Found{Listing{}} : Found{Missing{}};
        }
        const std::string other = folder + std::string{html};
        const bool is_free = options_.clean_urls && !is_file(folder);
        return is_free && is_file(other) ? page(path, other) : Missing{};
    }

    /// A page at its one address; elsewhere, the way to it. Pages of errors have none.
    static bool is_error_page(const std::string& file) {
        return file.size() == 9 && (file[1] == '4' || file[1] == '5') &&
               file.substr(1, 3).find_first_not_of("0123456789") == file.npos;
    }
    Found page(const std::string& path, const std::string& file) const {
        std::string address = file.substr(0, file.size() - html.size());
        if (address.ends_with("/index"))
            address.resize(address.size() - std::string_view{"index"}.size());
        else if (address.ends_with('/') || is_file(address))
            return file;  // that is the address of another file, or of none
        if (address == path || is_error_page(file)) return file;
        return Moved{address};
    }

    const Tree& tree_;
    const Options& options_;
};

class Answerer {
   public:
    Answerer(const Tree& tree, const Options& options, const Request& request, std::int64_t now)
        : tree_{tree}, options_{options}, request_{request}, now_{now} {}

    std::optional<Expected> answer() const {
        const std::string& method = request_.method;
        if (method == "OPTIONS") return with_allow({.status = 204, .content = ""});
        if (method != "GET" && method != "HEAD") return refusal_of_method();
        const std::string path = request_.target.substr(0, request_.target.find('?'));
        const Path read = read_path(path);
        if (read.refusal != 0) return error(read.refusal);
        if (read.is_hidden() && !options_.dotfiles) return error(404);
        return answer(read.text(), Finder{tree_, options_}.find(read.text()));
    }

   private:
    static Expected with_allow(Expected expected) {
        expected.fields.emplace_back("Allow", "GET, HEAD, OPTIONS");
        return expected;
    }
    Expected refusal_of_method() const {
        for (const char* const known : {"POST", "PUT", "DELETE", "CONNECT", "TRACE", "PATCH"})
            if (request_.method == known) return with_allow(error(405));
        return error(501);
    }

    std::optional<Expected> answer(const std::string& path, const Found& found) const {
        if (const auto* const file = std::get_if<std::string>(&found))
            return file_answer(tree_.files.at(*file));
        if (std::holds_alternative<Listing>(found)) return listing_answer();
        if (const auto* const moved = std::get_if<Moved>(&found)) return redirect(moved->path);
        const std::string last = path.substr(path.rfind('/') + 1);
        const auto index = tree_.files.find("/index.html");
        if (!options_.spa || index == tree_.files.end()) return error(404);
        if (last.contains('.')) {
            const std::size_t dot = last.rfind('.');
            const std::string kind = dot == 0 ? "" : last.substr(dot);  // ".txt" is a name
            if (kind == ".html" || kind == ".js" || kind == ".txt") return error(404);
            return std::nullopt;  // it may be a page of the application
        }
        auto expected = file_answer(index->second);
        return expected;
    }

    /// The site's own page, as it is, or one that weir writes. A page is no version of the file.
    Expected error(int status) const {
        Expected expected{.status = status,
                          .fields = {{"Content-Type", "text/html; charset=utf-8"}},
                          .absent = {"ETag", "Last-Modified", "Accept-Ranges", "Cache-Control"}};
        const auto page = tree_.files.find("/" + std::to_string(status) + std::string{html});
        if (options_.error_pages && page != tree_.files.end())
            expected.content = page->second.variants.back().content;
        return expected;
    }

    /// A refusal of a file that depends on Accept-Encoding (RFC 9110 12.5.5).
    static Expected varying(Expected refusal) {
        refusal.fields.emplace_back("Vary", "Accept-Encoding");
        return refusal;
    }

    static Expected redirect(const std::string& path) {
        return {.status = 301, .fields = {{"Cache-Control", "no-cache"}}, .leads_to = path};
    }

    /// The tag of a listing is not known, but it is none of those in the request.
    std::optional<Expected> listing_answer() const {
        const auto wishes = read_wishes(lines_of(request_.fields, "Accept"));
        const auto met = evaluate(request_.fields, Known{}, now_);
        if (!wishes || !met) return std::nullopt;
        if (*met == Met::precondition_failed) return error(412);
        Expected expected{.status = 200,
                          .fields = {{"Cache-Control", "no-cache"}, {"Vary", "Accept"}}};
        if (*met == Met::not_modified) {
            expected.status = 304;
            expected.content = "";
            return expected;
        }
        const bool json = weight_of(*wishes, "application/json") > weight_of(*wishes, "text/html");
        expected.fields.emplace_back("Content-Type",
                                     json ? "application/json" : "text/html; charset=utf-8");
        return expected;
    }

    std::optional<Expected> file_answer(const File& file) const {
        const auto lines = lines_of(request_.fields, "Accept-Encoding");
        const auto wishes = read_wishes(lines);
        if (!wishes) return std::nullopt;
        std::vector<std::string> codings;
        for (const Variant& variant : file.variants) codings.push_back(variant.coding);
        const std::string coding = lines.empty() ? "identity" : best_coding(*wishes, codings);
        if (coding.empty()) return varying(error(406));
        return answer_with(file, *std::ranges::find(file.variants, coding, &Variant::coding));
    }

    /// RFC 9110 13.2.2
    std::optional<Expected> answer_with(const File& file, const Variant& variant) const {
        const Known known{variant.entity_tag, variant.modified};
        const auto met = evaluate(request_.fields, known, now_);
        const auto applies = range_applies(request_.fields, known, now_);
        if (!met || !applies) return std::nullopt;
        if (*met == Met::precondition_failed)
            return file.variants.size() > 1 ? varying(error(412)) : error(412);
        Expected expected = fields_of(file, variant);
        if (*met == Met::not_modified) {
            expected.status = 304;
            expected.content = "";
            std::erase_if(expected.fields, [](const auto& field) {
                return field.first != "ETag" && field.first != "Vary" &&
                       field.first != "Cache-Control";
            });
            return expected;
        }
        const auto ranges = lines_of(request_.fields, "Range");
        if (request_.method == "GET" && ranges.size() == 1 && *applies)
            return ranged(std::move(expected), variant,
                          read_ranges(ranges[0], variant.content.size()));
        return expected;
    }

    /// The answer with the whole of it.
    static Expected fields_of(const File& file, const Variant& variant) {
        Expected expected{.status = 200, .content = variant.content};
        expected.fields = {{"Content-Type", file.content_type},
                           {"ETag", variant.entity_tag},
                           {"Last-Modified", date_text(variant.modified, DateForm::imf_fixdate)},
                           {"Accept-Ranges", "bytes"},
                           {"X-Content-Type-Options", "nosniff"},
                           {"Content-Length", std::to_string(variant.content.size())}};
        if (variant.coding != "identity")
            expected.fields.emplace_back("Content-Encoding", variant.coding);
        else
            expected.absent.insert("Content-Encoding");
        if (file.content_type.starts_with("text/html"))
            expected.fields.emplace_back("Cache-Control", "no-cache");
        else
            expected.absent.insert("Cache-Control");
        if (file.variants.size() > 1)
            expected.fields.emplace_back("Vary", "Accept-Encoding");
        else
            expected.absent.insert("Vary");
        return expected;
    }

    Expected ranged(Expected whole, const Variant& variant, const Ranges& ranges) const {
        const std::string size = std::to_string(variant.content.size());
        if (ranges.kind == RangeKind::unsatisfiable) {
            Expected refused = whole.absent.contains("Vary") ? error(416) : varying(error(416));
            refused.fields.emplace_back("Content-Range", "bytes */" + size);
            return refused;
        }
        const bool several = ranges.stretches.size() > 1;
        if (ranges.kind == RangeKind::ignored || (several && variant.coding != "identity"))
            return whole;
        whole.status = 206;
        std::erase_if(whole.fields, [&](const auto& field) {
            return field.first == "Content-Length" ||
                   (several &&
                    (field.first == "Content-Type" || field.first == "X-Content-Type-Options"));
        });
        for (const auto& [first, length] : ranges.stretches) {
            const std::string field = "bytes " + std::to_string(first) + "-" +
                                      std::to_string(first + length - 1) + "/" + size;
            const std::string bytes = variant.content.substr(first, length);
            if (several) whole.parts.push_back("Content-Range: " + field + "\r\n\r\n" + bytes);
            if (several) continue;
            whole.fields.emplace_back("Content-Range", field);
            whole.content = bytes;
        }
        if (several) whole.content.reset();
        return whole;
    }

    const Tree& tree_;
    const Options& options_;
    const Request& request_;
    std::int64_t now_;
};

}  // namespace

std::optional<Expected> expect(const Tree& tree, const Options& options, const Request& request,
                               std::int64_t now) {
    auto expected = Answerer{tree, options, request, now}.answer();
    if (expected) add_cors(*expected, request, options.cors);
    return expected;
}

}  // namespace weir::tests::plain
