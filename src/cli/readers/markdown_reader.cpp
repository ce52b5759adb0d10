#include "cli/readers/markdown_reader.h"

namespace weir::cli {

void MarkdownReader::add() {
    reader_.flag("--markdown", options_.on,
                 "Show .md files as pages in browsers; ?raw, and other clients, get the file");
}

}  // namespace weir::cli
