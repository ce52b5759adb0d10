#include <algorithm>
#include <array>
#include <expected>
#include <optional>
#include <system_error>
#include <utility>

#include "archive/archive_source.h"
#include "base/form_decoded.h"
#include "base/hexadecimal.h"
#include "base/place.h"
#include "http/answer/error_page.h"
#include "http/syntax/get_or_head.h"
#include "http/syntax/utf8.h"
#include "site/path/target_path.h"
#include "site/root/root_directory.h"
#include "weir/archive/archive.h"

namespace weir::archive {
namespace {

struct Kind {
    std::string_view name;  // in the query, and the end of the file's name
    std::string_view media_type;
    Format format;
};
constexpr std::array kinds{
    Kind{"zip", "application/zip", Format::zip},
    Kind{"tar", "application/x-tar", Format::tar},
    Kind{"tar.gz", "application/gzip", Format::tar_gz},
};

/// The value of the parameter; nothing if the query has none.
std::optional<std::string_view> asked_kind(std::string_view query) {
    constexpr std::string_view name = "archive=";
    std::optional<std::string_view> first;
    for_each_parameter(query, [&](std::string_view one) {
        if (!first && one.starts_with(name)) first = one.substr(name.size());
    });
    return first;
}

/// Characters of attr-char (RFC 8187 3.2.1).
constexpr std::string_view plain_in_name =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_";

/// RFC 6266 4: `filename` for every client, and `filename*` with the exact letters for clients that
/// know RFC 8187. These take UTF-8 alone.
std::string disposition(std::string_view name, std::string_view ending) {
    std::string plain;
    for (const char c : name)
        plain += c < ' ' || c > '~' || c == '"' || c == '\\' || c == '%' ? '_' : c;
    std::string text = "attachment; filename=\"" + plain + '.';
    text.append(ending) += '"';
    if (plain == name || !http::is_utf8(name)) return text;
    text += "; filename*=UTF-8''";
    append_percent_encoded(text, name, plain_in_name);
    return text.append(".").append(ending);
}

class Folders final : public http::Handler {
   public:
    Folders(http::Handler& inner, const site::Options& site, Options options)
        : inner_{inner}, site_{site}, options_{options} {
        if (!site.withheld.empty() || !site.hidden.empty())
            withheld_ = std::make_shared<const site::Withheld>(site.withheld, site.hidden);
    }

    http::Reply handle(const http::Request& request) override {
        const bool reads = http::is_get_or_head(request.method());
        const auto asked = reads ? asked_kind(request.query()) : std::nullopt;
        if (!asked) return inner_.handle(request);
        auto root = site::RootDirectory::open(site_.root, site_.symlinks, withheld_);
        const auto folder = root ? folder_of(request.path(), *root) : std::unexpected{root.error()};
        if (!folder && !site::is_fact(folder.error()))
            return try_again("The folder can't be read at the moment");
        auto asked_path = site::decoded_path(request.asked_path());
        if (!folder || !asked_path) return inner_.handle(request);
        const Kind* const kind = std::ranges::find(kinds, *asked, &Kind::name);
        if (kind == kinds.end())
            return http::error_response(http::Status::bad_request,
                                        "Archives are zip, tar or tar.gz");
        auto choice = site::Walk::choice_of(site_, *folder, std::move(*asked_path));
        return answer(*kind, {.root = std::make_shared<const site::RootDirectory>(std::move(*root)),
                              .folder = *folder,
                              .name = name_of(*folder),
                              .choice = std::move(choice)});
    }

   private:
    /// Returns a path relative to the root; ENOENT if the target leads to no folder, so that
    /// `inner_` responds.
    std::expected<std::string, std::error_code> folder_of(std::string_view target,
                                                          const site::RootDirectory& root) const {
        const std::unexpected none{std::make_error_code(std::errc::no_such_file_or_directory)};
        auto path = site::decoded_path(target);
        if (!path || !path->ends_with('/') || (!site_.dotfiles && site::is_hidden(*path)))
            return none;
        std::string folder = path->substr(1);
        if (!folder.empty()) folder.pop_back();
        const auto found = root.look(folder);
        if (!found) return std::unexpected{found.error().error};
        if (found->state.kind != site::FileKind::directory || root.hides(folder)) return none;
        return folder;
    }

    static std::string name_of(const std::string& folder) {
        return folder.empty() ? "files" : folder.substr(folder.rfind('/') + 1);
    }

    static http::Response try_again(std::string_view why) {
        return http::come_again(http::Status::service_unavailable, std::chrono::seconds{5}, why);
    }

    http::Response answer(const Kind& kind, ArchiveSource::Of of) const {
        auto place = Place::take(taken_, options_.archives_max);
        auto writer = place ? make_writer(kind.format) : nullptr;
        if (!writer) return try_again("The server makes many archives at the moment");
        http::Response response;
        response.add("Content-Type", kind.media_type)
            .add("Content-Disposition", disposition(of.name, kind.name))
            .add("X-Content-Type-Options", "nosniff")
            .add("Cache-Control", "no-cache, no-transform")
            .add("Accept-Ranges", "none");
        response.content(
            std::make_unique<ArchiveSource>(std::move(of), std::move(writer), std::move(*place)));
        return response;
    }

    http::Handler& inner_;
    const site::Options site_;
    const Options options_;
    std::shared_ptr<const site::Withheld> withheld_;
    std::shared_ptr<Place::Taken> taken_ = std::make_shared<Place::Taken>(0);
};

}  // namespace

std::expected<std::unique_ptr<http::Handler>, std::string> around(http::Handler& inner,
                                                                  const site::Options& site,
                                                                  Options options) {
    if (const auto why = unavailable(); !why.empty()) return std::unexpected{std::string{why}};
    (void)make_writer(Format::zip);  // reads the locale for later writers, before a sandbox
    return std::make_unique<Folders>(inner, site, options);
}

}  // namespace weir::archive
