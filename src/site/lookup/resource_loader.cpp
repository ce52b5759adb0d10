#include "site/lookup/resource_loader.h"

#include <fcntl.h>

#include <array>
#include <ctime>
#include <utility>

#include "base/file_date.h"
#include "base/troubles.h"
#include "http/answer/date.h"
#include "site/fields/entity_tag.h"
#include "site/files/read_file.h"
#include "site/path/paths.h"
#include "site/types/first_bytes.h"
#include "weir/http/field_name.h"

namespace weir::site {

namespace {

FileTime wall_clock() noexcept {
    timespec now;
    ::clock_gettime(CLOCK_REALTIME, &now);
    return {now.tv_sec, now.tv_nsec};
}

/// The content of a file: all of it in `body`, or its descriptor.
struct Content {
    std::string body;
    net::UniqueFd file;
    FileState state;
    bool settled = true;
    bool whole = true;  // not a mixture of two versions
    net::FileShare file_share{};
};

/// If the states before and after reading differ, the bytes may be a mixture of two versions.
std::expected<Content, std::error_code> read_content(const RootDirectory& root,
                                                     const std::string& path,
                                                     std::size_t small_file_bytes_max) {
    auto opened = root.open_file(path);
    if (!opened) return std::unexpected{opened.error()};
    Content content{.body = {}, .file = {}, .state = opened->state};
    if (opened->state.size > small_file_bytes_max) {
        if (!content.file_share.take()) {
            troubles().note(Trouble::descriptors);
            return std::unexpected{std::make_error_code(std::errc::too_many_files_open)};
        }
        content.file = std::move(opened->fd);
        content.settled = is_settled(content.state, wall_clock());
        return content;
    }
    constexpr int attempts = 3;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        auto body = read_from_start(opened->fd.get(), content.state.size);
        if (!body) return std::unexpected{body.error()};
        const auto after = file_state(opened->fd.get());
        if (!after) return std::unexpected{after.error()};
        content.body = std::move(*body);
        content.whole = *after == content.state && content.body.size() == after->size;
        content.settled = content.whole && is_settled(*after, wall_clock());
        if (content.whole || after->size > small_file_bytes_max) break;
        content.state = *after;
    }
    return content;
}

/// Reads the first bytes of a large file only if they can change the result.
std::expected<std::string, std::error_code> content_type_of(const MediaTypes& media_types,
                                                            const std::string& path,
                                                            const Content& content) {
    const std::string_view named = media_types.of(path);
    if (!need_first_bytes(named)) return std::string{named};
    std::expected<std::string, std::error_code> start;
    if (content.file) start = read_from_start(content.file.get(), first_bytes_max);
    if (!start) return start;
    const FirstBytes first{
        .bytes = content.file ? *start : std::string_view{content.body}.substr(0, first_bytes_max),
        .cut = content.state.size > first_bytes_max};
    return content_type_of(named, first);
}

/// True for a page: people link to it, so its address cannot change with its content (decision 23).
bool is_page(std::string_view content_type) noexcept {
    const std::string_view type = without_parameters(content_type);
    return type == "text/html" || type == "application/xhtml+xml";
}

/// True for an SVG image in gzip (file.svgz). Without Content-Encoding, no browser shows it.
bool is_svgz(std::string_view path, std::string_view content_type, const Content& content) {
    constexpr std::string_view magic = "\x1f\x8b";  // RFC 1952 2.3.1
    if (!http::equals_ignoring_case(path.substr(path.rfind('.') + 1), "svgz") ||
        without_parameters(content_type) != "image/svg+xml")
        return false;
    if (!content.file) return content.body.starts_with(magic);
    const auto start = read_from_start(content.file.get(), magic.size());
    return start && *start == magic;
}

std::string date_of(std::int64_t seconds) {
    std::array<char, http::date_size> text;
    http::render_date(seconds, text);
    return {text.data(), text.size()};
}

/// Renders the fields in the order that Representation::fields requires.
void render_fields(Representation& representation, FieldSet& fields) {
    fields.set("ETag", representation.entity_tag);
    if (representation.last_modified)
        fields.set("Last-Modified", date_of(*representation.last_modified));
    http::PreparedFields& lines = representation.fields;
    lines.append(fields.take_line("Last-Modified") + "Accept-Ranges: bytes\r\n");
    representation.tag_begin = lines.end();
    lines.append(fields.take_line("ETag") + fields.take_line("Cache-Control"));
    std::string content_lines =
        fields.take_line("Content-Type") + fields.take_line("X-Content-Type-Options");
    lines.append(fields.lines());
    representation.content_begin = lines.end();
    if (!representation.content_encoding.empty())
        content_lines.append("Content-Encoding: ")
            .append(representation.content_encoding)
            .append("\r\n");
    lines.append(content_lines);
}

/// A Last-Modified date must not lie in the future (RFC 9110 8.8.2.1). Without one, no precondition
/// compares dates.
std::optional<std::int64_t> last_modified_of(const FileState& state, FileTime now) {
    if (state.modified > now || !is_date_of_file(state.modified.seconds)) return std::nullopt;
    return state.modified.seconds;
}

std::string_view token_of(Coding coding) noexcept {
    for (const auto& names : http::content_codings)
        if (names.coding == coding) return names.token;
    return {};
}

/// The resource depends on the state of the manifest, as on the states of its files.
std::shared_ptr<const ReadManifest> manifest_for(const std::string& path, Content& content,
                                                 Lookup& lookup, ManifestReader& manifest) {
    if (!manifest.is_on() || !content.file || content.state.size <= EntityTags::hashed_bytes_max)
        return nullptr;
    const bool is_there = lookup.look_even_hidden(manifest.path()).has_value();
    auto read = manifest.read_for(path, content.state, lookup.root(), wall_clock());
    if (is_there && !read) content.settled = false;
    return read;
}

Representation represented(Content content, const std::string& path, Coding coding,
                           const ReadManifest* manifest, EntityTags& tags) {
    const FileTime now = wall_clock();
    const bool in_memory = !content.file;
    Representation representation;
    representation.coding = coding;
    representation.content_encoding = token_of(coding);
    representation.size = in_memory ? content.body.size() : content.state.size;
    representation.entity_tag = tags.tag_of(
        {.path = path,
         .state = content.state,
         .coding = coding,
         .body = in_memory ? std::optional<std::string_view>{content.body} : std::nullopt,
         .fd = content.file.get(),
         .whole = content.whole,
         .manifest = manifest},
        now);
    representation.last_modified = last_modified_of(content.state, now);
    representation.body = std::move(content.body);
    representation.file = std::move(content.file);
    representation.file_share = std::move(content.file_share);
    return representation;
}

void add_precompressed(Loaded& loaded, const std::string& file, const FileState& original,
                       Lookup& lookup, const LoadOptions& options) {
    for (const auto& names : http::content_codings) {
        const std::string path = file + std::string{names.suffix};
        const auto state = lookup.look(path);
        if (!state || state->kind != FileKind::regular) continue;
        if (is_older(*state, original)) {
            options.notices.too_old(path, file);
            continue;
        }
        auto content = read_content(lookup.root(), path, options.small_file_bytes_max);
        if (!content) {
            lookup.note(content.error());
            continue;
        }
        const auto manifest = manifest_for(path, *content, lookup, options.manifest);
        loaded.settled = loaded.settled && content->settled;
        loaded.resource->codings.add(names.coding);
        loaded.resource->representations.push_back(
            represented(std::move(*content), path, names.coding, manifest.get(), options.tags));
    }
}

void count_costs(Resource& resource) {
    resource.bytes = sizeof resource + resource.path.size();
    for (const FileDependency& dependency : resource.dependencies)
        resource.bytes += sizeof dependency + 2 * dependency.path.size() + 64;
    for (const Representation& representation : resource.representations) {
        resource.bytes +=
            sizeof representation + representation.body.capacity() + representation.fields.bytes();
        resource.descriptors += representation.file ? 1 : 0;
    }
}

}  // namespace

std::expected<Loaded, std::error_code> load_resource(std::string key, const std::string& file,
                                                     Lookup& lookup, const LoadOptions& options) {
    auto content = read_content(lookup.root(), file, options.small_file_bytes_max);
    if (!content) return std::unexpected{content.error()};
    const FileState original = content->state;
    const auto content_type = content_type_of(options.media_types, "/" + file, *content);
    if (!content_type) return std::unexpected{content_type.error()};
    const bool is_compressed = is_svgz(file, *content_type, *content);
    const auto manifest = manifest_for(file, *content, lookup, options.manifest);

    Loaded loaded{std::make_shared<Resource>(), content->settled};
    Resource& resource = *loaded.resource;
    resource.path = std::move(key);
    resource.codings.add(Coding::identity);
    resource.representations.push_back(
        represented(std::move(*content), file, Coding::identity, manifest.get(), options.tags));
    if (is_compressed)
        resource.representations.front().content_encoding = "gzip";
    else if (options.precompressed && !is_within_any(file, options.precompressed_not_in))
        add_precompressed(loaded, file, original, lookup, options);

    FieldSet fields;
    fields.set("Content-Type", *content_type);
    fields.set("X-Content-Type-Options", "nosniff");
    if (is_page(*content_type)) fields.set("Cache-Control", "no-cache");
    if (resource.representations.size() > 1) fields.put("Vary", "Accept-Encoding");
    options.rules.apply("/" + file, without_parameters(*content_type), fields);
    if (!options.cache_control.empty()) fields.set("Cache-Control", options.cache_control);
    for (Representation& representation : resource.representations) {
        FieldSet own = fields;
        representation.content_type = own.value("Content-Type");
        render_fields(representation, own);
    }
    resource.dependencies = lookup.take_dependencies();
    resource.watched = lookup.watched();
    loaded.settled = loaded.settled && lookup.lasts();
    count_costs(resource);
    return loaded;
}

}  // namespace weir::site
