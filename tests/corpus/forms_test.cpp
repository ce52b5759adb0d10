// What clients send for the names of files is read as the names that people gave. Each case of
// tests/corpus/forms/ is read whole, and cut in two at every place.

#include <gtest/gtest.h>

#include "corpus/corpus_case.h"
#include "weir/web/multipart.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::tests {
namespace {

using web::Call;
using web::Probe;

/// "name|file name|media type|data" of each part, a line each.
web::Task<web::Response> show_parts(Call call) {
    std::string shown;
    web::Multipart form{call};
    while (const auto part = co_await form.next()) {
        shown += "\n> " + escaped(part->name + "|" + part->file_name + "|" + part->media_type);
        shown += "|" + escaped(co_await form.text());
    }
    co_return web::text(shown);
}

std::string read_in_two(Probe& probe, const std::string& content, std::size_t cut) {
    auto exchange = probe.open("POST", "/",
                               {{"Content-Type", "multipart/form-data; boundary=x"},
                                {"Content-Length", std::to_string(content.size())}});
    exchange.send(content.substr(0, cut));
    exchange.send(content.substr(cut));
    return exchange.wait().content;
}

TEST(Forms, OfEachClientAreReadAsTheirNamesAre) {
    const auto cases = read_corpus(std::string{WEIR_CORPUS_DIRECTORY} + "/forms");
    ASSERT_GT(cases.size(), 15u);
    web::Router router;
    router.post("/", show_parts);
    Probe probe{router};
    for (const CorpusCase& one : cases) {
        std::string expected;
        for (const std::string& line : one.expected) expected += "\n> " + line;
        for (std::size_t cut = 0; cut <= one.input.size(); ++cut)
            ASSERT_EQ(read_in_two(probe, one.input, cut), expected) << one.title << ", at " << cut;
    }
}

}  // namespace
}  // namespace weir::tests
