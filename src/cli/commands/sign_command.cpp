#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/help/output.h"
#include "cli/options/option_reader.h"
#include "net/clock.h"
#include "weir/access/signed_links.h"

// `weir sign` makes the links that `weir serve --signed` accepts.
namespace weir::cli {
namespace {

constexpr std::string_view command = "weir sign";

constexpr std::array examples{
    Example{"weir sign https://example.org/private/a.pdf --signed secret --expires 1d",
            "a link to one file, for a day"},
    Example{"weir serve site --signed '/private: secret'", "let only such links in"},
};

/// Accepts the units of other times, and days.
Parsed<std::chrono::seconds> parse_span(std::string_view text) {
    constexpr std::uint64_t days_max = 36'500;
    const auto days = text.ends_with('d')
                          ? parse_count(text.substr(0, text.size() - 1), days_max, 1)
                          : Parsed<std::uint64_t>{0};
    const auto time =
        text.ends_with('d') ? Parsed<std::chrono::milliseconds>{} : parse_duration(text);
    if (!days || !time || (*days == 0 && time->count() < 1000))
        return std::unexpected{"'" + std::string{text} +
                               "' is not a time such as 30m, 12h or 7d, of a second or more"};
    return std::chrono::days{*days} + std::chrono::floor<std::chrono::seconds>(*time);
}

Parsed<std::string> parse_url(std::string_view text) {
    if (auto refusal = access::refusal_to_sign(text); !refusal.empty())
        return std::unexpected{std::move(refusal)};
    return std::string{text};
}

struct SignReader {
    SignReader() {
        reader.group("Options");
        reader.value("URL", "", url, parse_url,
                     "The address of the file, or its path, as in /private/a.pdf");
        reader.value("--signed", "FILE", key_file, parse_text,
                     "The secret, as in --signed of weir serve");
        reader.value("--expires", "TIME", span, parse_span,
                     "How long the link holds: 30m, 12h, 7d (default: 1d)");
        reader.help_flag();
    }

    std::string url;
    std::string key_file;
    std::chrono::seconds span = std::chrono::days{1};
    OptionReader reader{
        {.command = "sign",
         .summary = "make a link for serve --signed",
         .usage = "URL --signed FILE [option...]",
         .description = "Prints the URL with a signature, by which everybody may ask `weir serve "
                        "--signed` for it until it expires.",
         .examples = examples}};
};

}  // namespace

int sign(std::vector<std::string> arguments) {
    SignReader options;
    const auto read = options.reader.read(std::move(arguments), [] {});
    if (!read) return tell(read.error());
    if (options.url.empty()) return tell(wrong_use(std::string{command}, "URL is missing"));
    if (options.key_file.empty())
        return tell(wrong_use(std::string{command}, "--signed FILE is missing"));
    const std::int64_t expires = net::read_clock().unix_seconds + options.span.count();
    const auto link = access::sign_link(options.url, expires, options.key_file);
    if (!link) return fail(command, link.error());
    return say(*link + '\n');
}

Page sign_page() { return SignReader{}.reader.page(); }

}  // namespace weir::cli
