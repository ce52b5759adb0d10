#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>
#include <limits>
#include <mutex>

#include "base/trimmed.h"
#include "markdown/cmark/room.h"
#include "markdown/text/safe_reference.h"
#include "markdown/text/screening.h"
#include "weir/markdown/markdown.h"

namespace weir::markdown {

namespace {

/// Raw HTML becomes a comment, since CMARK_OPT_UNSAFE is not set.
constexpr int options = CMARK_OPT_SAFE | CMARK_OPT_VALIDATE_UTF8;
/// Usual Markdown needs 10 to 40 times its size. References and tables can need much more.
constexpr std::size_t room_bytes = 32 * 1024 * 1024;

/// The rendering of this thread. cmark-gfm expects that its allocator always returns memory. If
/// there is none, the allocator leaves cmark-gfm by longjmp(3). All memory that this loses lies in
/// the room.
struct Rendering {
    std::string_view markdown;
    Screening screening;
    int first_level;
    Room room{room_bytes};
    std::jmp_buf out_of_room{};
    const char* html = nullptr;   // in the room
    const char* title = nullptr;  // in the room
};

thread_local Rendering* current = nullptr;

void* given(void* piece) {
    if (piece == nullptr) std::longjmp(current->out_of_room, 1);  // NOLINT(cert-err52-cpp)
    return piece;
}

void* allocate(std::size_t count, std::size_t size) {
    const bool is_too_large = size != 0 && count > std::numeric_limits<std::size_t>::max() / size;
    return given(is_too_large ? nullptr : current->room.take(count * size));
}

void* reallocate(void* piece, std::size_t size) { return given(current->room.resize(piece, size)); }

void leave(void*) {}

cmark_mem memory{allocate, reallocate, leave};

void attach(cmark_parser* parser, const char* extension) {
    cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(extension));
}

cmark_parser* parser_for(const Screening& screening) {
    cmark_parser* const parser = cmark_parser_new_with_mem(options, &memory);
    if (!screening.has_wide_lines) attach(parser, "table");
    attach(parser, "strikethrough");
    if (!screening.has_long_words) attach(parser, "autolink");
    attach(parser, "tasklist");
    return parser;
}

void edit_heading(cmark_node* heading) {
    if (current->title == nullptr)
        current->title = cmark_render_plaintext_with_mem(heading, options, 0, &memory);
    constexpr int level_max = 6;
    const int level = cmark_node_get_heading_level(heading) + current->first_level - 1;
    cmark_node_set_heading_level(heading, std::min(level, level_max));
}

void edit(cmark_node* node) {
    const cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_HEADING) edit_heading(node);
    if (type != CMARK_NODE_LINK && type != CMARK_NODE_IMAGE) return;
    const char* const url = cmark_node_get_url(node);
    if (url != nullptr && !is_safe_reference(url)) cmark_node_set_url(node, "");
}

void edit_all(cmark_node* document) {
    cmark_iter* const nodes = cmark_iter_new(document);
    for (auto event = cmark_iter_next(nodes); event != CMARK_EVENT_DONE;
         event = cmark_iter_next(nodes))
        if (event == CMARK_EVENT_ENTER) edit(cmark_iter_get_node(nodes));
}

void render_current() {
    const std::string_view markdown = current->markdown;
    cmark_parser* const parser = parser_for(current->screening);
    cmark_parser_feed(parser, markdown.data(), markdown.size());
    cmark_node* const document = cmark_parser_finish(parser);
    edit_all(document);
    current->html = cmark_render_html_with_mem(document, options,
                                               cmark_parser_get_syntax_extensions(parser), &memory);
}

/// False if there was not enough room. Between here and the allocator, no object has a destructor.
bool has_rendered(Rendering& rendering) {
    current = &rendering;
    if (setjmp(rendering.out_of_room) != 0) return false;  // NOLINT(cert-err52-cpp)
    render_current();
    return true;
}

/// The lock of cmark-gfm, which keeps the characters of its extensions in global variables.
std::mutex& turn() {
    static std::mutex& only = *new std::mutex;
    return only;
}

/// A heading that is underlined with "=" may have several lines.
std::string in_one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return std::string{trimmed(text)};
}

}  // namespace

std::expected<Renderer, std::string> Renderer::open() {
    static std::once_flag once;
    std::call_once(once, cmark_gfm_core_extensions_ensure_registered);
    turn();
    return Renderer{};
}

std::optional<Rendered> Renderer::render(std::string_view markdown, int first_level) const {
    if (markdown.size() > bytes_max) return std::nullopt;
    const Screening screening = screened(markdown);
    if (screening.is_deep || screening.has_many_images) return std::nullopt;
    Rendering rendering{.markdown = markdown, .screening = screening, .first_level = first_level};
    {
        const std::lock_guard lock{turn()};
        if (!has_rendered(rendering)) return std::nullopt;
    }
    Rendered rendered{.html = rendering.html, .title = {}};
    if (rendering.title != nullptr) rendered.title = in_one_line(rendering.title);
    return rendered;
}

}  // namespace weir::markdown
