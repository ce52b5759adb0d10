#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weir/http/handler.h"

/// Markdown (CommonMark and GitHub's extensions to it) as HTML: the library weir-markdown, which
/// needs cmark-gfm.
namespace weir::markdown {

struct Rendered {
    /// For the body of a page, in UTF-8. It has no script, no style, and none of the HTML of the
    /// Markdown. Links and images lead to http, https, mailto and the like, or are relative.
    std::string html;
    std::string title;  // the text of the first heading; empty: there is none
};

/// Any thread may use a Renderer and its copies. Renderings take turns, because cmark-gfm keeps
/// global variables while it parses.
class Renderer {
   public:
    /// Longer Markdown is not rendered.
    static constexpr std::size_t bytes_max = 256 * 1024;

    /// Call it before the program starts other threads. The error is one sentence: this build has
    /// no cmark-gfm.
    static std::expected<Renderer, std::string> open();

    /// Bytes that are not UTF-8 become U+FFFD. The headings start at `first_level`, from 1 to 6.
    /// Null if the Markdown is longer than bytes_max, or would take too long or too much memory, as
    /// nested lists of hundreds of levels do.
    std::optional<Rendered> render(std::string_view markdown, int first_level = 1) const;

   private:
    Renderer() = default;
};

/// A handler that shows Markdown files of `inner` as pages; `inner` must outlive it. A GET or HEAD
/// for a path that ends with .md or .markdown gets a page if Accept (RFC 9110 12.5.1) names
/// text/html and prefers it to text/markdown, as browsers do, and if the response of `inner` is
/// text. The query "raw" asks for the file itself. Files that Renderer does not render are sent
/// unchanged, and so are responses that come later. The page has an entity tag of its own and no
/// ranges. The error is that of Renderer::open().
std::expected<std::unique_ptr<http::Handler>, std::string> show_pages(http::Handler& inner);

}  // namespace weir::markdown
