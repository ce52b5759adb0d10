#include "rules/folder/redirects_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace weir::rules {
namespace {

using http::Status;

std::unexpected<std::string> fault(std::string text) { return std::unexpected{std::move(text)}; }

std::string quoted(std::string_view text) { return "'" + std::string{text} + "'"; }

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (;;) {
        line = trimmed(line);
        if (line.empty() || line.starts_with('#')) return words;
        const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
}

/// The reason why a condition behind TO, or between FROM and TO, is ignored; empty for other words.
std::string_view unsupported(std::string_view word) noexcept {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> conditions{{
        {"Country=", "weir does not know a client's country"},
        {"Language=", "weir does not choose by language"},
        {"Role=", "weir knows no roles; see --auth"},
        {"Cookie=", "weir does not choose by cookies"},
    }};
    const auto* const found = std::ranges::find_if(
        conditions, [word](const auto& each) { return word.starts_with(each.first); });
    if (found != conditions.end()) return found->second;
    return word.contains('=') ? "weir does not choose by the query" : std::string_view{};
}

struct Outcome {
    Status status = Status::moved_permanently;
    bool is_forced = false;
};

std::expected<Outcome, std::string> read_outcome(std::string_view word) {
    Outcome outcome{.is_forced = word.ends_with('!')};
    const std::string_view digits = word.substr(0, word.size() - (outcome.is_forced ? 1 : 0));
    unsigned code = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code);
    constexpr std::array usable{Status::ok,
                                Status::moved_permanently,
                                Status::found,
                                Status::see_other,
                                Status::not_found,
                                Status::temporary_redirect,
                                Status::permanent_redirect};
    const auto* const found = std::ranges::find(usable, code, http::code);
    if (error != std::errc{} || end != digits.data() + digits.size() || found == usable.end())
        return fault(quoted(word) + " is none of 200, 301, 302, 303, 307, 308 and 404");
    outcome.status = *found;
    return outcome;
}

/// Changes `:name` into `{name}`, the form of Target. A port and the colon of a scheme stay.
std::expected<std::string, std::string> with_braces(std::string_view text,
                                                    std::span<const std::string> names) {
    std::string written;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::string_view name = text.substr(at + 1, name_size(text.substr(at + 1)));
        const bool is_name = text[at] == ':' && !name.empty();
        const bool is_known = is_name && std::ranges::find(names, name) != names.end();
        if (text[at] == '{' || text[at] == '}')
            return fault(quoted(text) + " has a brace; write %7B or %7D");
        if (is_name && !is_known && (at == 0 || text[at - 1] == '/'))
            return fault(quoted(text) + " uses :" + std::string{name} +
                         ", which the path does not have");
        if (is_known) {
            written.append("{").append(name).append("}");
            at += name.size();
        } else {
            written += text[at];
        }
    }
    return written;
}

std::string replaced(std::string text, std::string_view old, std::string_view by) {
    const std::size_t at = text.find(old);
    return at == text.npos ? std::move(text) : text.replace(at, old.size(), by);
}

std::expected<Target, std::string> read_target(std::string_view text, const PathForm& from,
                                               Status status) {
    const auto written = with_braces(text, from.names());
    if (!written) return fault(written.error());
    auto target = Target::parse(*written, from.names());
    if (!target) {
        const std::string_view as_parsed = *written;
        return fault(replaced(std::move(target.error()), quoted(as_parsed), quoted(text)));
    }
    const bool redirects = status != Status::ok && status != Status::not_found;
    if (redirects) return target;
    if (!target->origin().empty())
        return fault(quoted(text) +
                     " is another site: _redirects passes no requests on; --proxy does");
    if (target->has_fragment()) return fault(quoted(text) + " has a fragment");
    return target;
}

std::expected<FolderMove, std::string> read_move(std::string_view line) {
    const auto words = words_of(line);
    for (const std::string_view word : std::span{words}.subspan(1))
        if (const auto why = unsupported(word);
            !why.empty() && !word.starts_with('/') && !word.contains("://"))
            return fault(quoted(word) + " is not supported: " + std::string{why});
    if (words.size() < 2 || words.size() > 3)
        return fault("the line is not of the form FROM TO [STATUS]");
    auto from = PathForm::parse(words[0]);
    if (!from) return fault("the path " + quoted(words[0]) + " " + from.error());
    const auto outcome = words.size() == 3 ? read_outcome(words[2]) : Outcome{};
    if (!outcome) return fault(outcome.error());
    auto target = read_target(words[1], *from, outcome->status);
    if (!target) return fault(target.error());
    return FolderMove{.from = std::move(*from),
                      .to = std::move(*target),
                      .status = outcome->status,
                      .is_forced = outcome->is_forced};
}

}  // namespace

RedirectsFile read_redirects(std::string_view content) {
    RedirectsFile file;
    for_each_rule_line(content, file.faults, [&](std::size_t number, std::string_view line) {
        auto move = read_move(line);
        if (!move)
            file.faults.push_back({number, std::move(move.error())});
        else if (file.moves.size() == rules_max)
            file.faults.push_back({number, "there are more than 2000 rules"});
        else
            file.moves.push_back(std::move(*move));
    });
    return file;
}

}  // namespace weir::rules
