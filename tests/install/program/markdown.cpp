#include <weir/markdown/markdown.h>
#include <iostream>

/// Prints the HTML of a heading.
int main() {
    const auto renderer = weir::markdown::Renderer::open();
    const auto rendered = renderer->render("# Weir");
    std::cout << rendered->html;
}
