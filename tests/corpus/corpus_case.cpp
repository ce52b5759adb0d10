#include "corpus/corpus_case.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace weir::tests {
namespace {

using http::Limits;

constexpr std::pair<std::string_view, std::uint32_t Limits::*> limit_names[] = {
    {"request_line_bytes_max", &Limits::request_line_bytes_max},
    {"field_line_bytes_max", &Limits::field_line_bytes_max},
    {"head_bytes_max", &Limits::head_bytes_max},
    {"fields_max", &Limits::fields_max},
    {"chunk_line_bytes_max", &Limits::chunk_line_bytes_max},
    {"chunk_extension_bytes_max", &Limits::chunk_extension_bytes_max},
    {"trailer_bytes_max", &Limits::trailer_bytes_max},
    {"requests_per_connection_max", &Limits::requests_per_connection_max},
};

[[noreturn]] void refuse(const CorpusCase& one, std::string_view line) {
    throw std::runtime_error("corpus: " + one.file + ": " + one.title + ": " + std::string{line});
}

[[noreturn]] void refuse_escape(std::string_view text) {
    throw std::runtime_error("not an escape: " + std::string{text});
}

void set_limit(CorpusCase& one, std::string_view name, const std::string& value) {
    if (name == "content_bytes_max") {
        one.setting.limits.content_bytes_max = std::stoull(value);
        return;
    }
    const auto found =
        std::ranges::find(limit_names, name, [](const auto& entry) { return entry.first; });
    if (found == std::end(limit_names)) refuse(one, name);
    one.setting.limits.*found->second = static_cast<std::uint32_t>(std::stoul(value));
}

/// "name: value", after the bullet.
void set_option(CorpusCase& one, std::string_view line) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) refuse(one, line);
    const std::string_view name = line.substr(0, colon);
    const std::string value{line.substr(colon + 2)};
    if (name == "handler" && value == "reads")
        one.setting.handling = Handling::reads;
    else if (name == "handler" && value == "streams")
        one.setting.handling = Handling::streams;
    else if (name == "handler" && value == "ignores content")
        one.setting.handling = Handling::ignores;
    else if (name == "peer" && value == "ends")
        one.setting.peer_ends = true;
    else if (name == "show" && value == "fields")
        one.setting.shows_fields = true;
    else if (name == "splits" && value == "may cut short")
        one.splits_cut_short = true;
    else
        set_limit(one, name, value);
}

void read_line(std::vector<CorpusCase>& cases, std::string_view file, std::string_view line) {
    if (line.starts_with("## ")) {
        cases.emplace_back();
        cases.back().file = file;
        cases.back().title = line.substr(3);
        return;
    }
    if (cases.empty() || cases.back().file != file) return;  // the file's introduction
    CorpusCase& one = cases.back();
    if (line.starts_with("    ")) one.input += unescaped(line.substr(4));
    if (line.starts_with("- ")) set_option(one, line.substr(2));
    if (line.starts_with("> ")) one.expected.emplace_back(line.substr(2));
}

}  // namespace

std::string unescaped(std::string_view text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') {
            bytes += text[i];
            continue;
        }
        if (++i == text.size()) refuse_escape(text);
        switch (text[i]) {
            case 'r': bytes += '\r'; break;
            case 'n': bytes += '\n'; break;
            case 't': bytes += '\t'; break;
            case '\\': bytes += '\\'; break;
            case 'x':
                bytes +=
                    static_cast<char>(std::stoi(std::string{text.substr(i + 1, 2)}, nullptr, 16));
                i += 2;
                break;
            default: refuse_escape(text);
        }
    }
    return bytes;
}

std::string escaped(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) {
        constexpr std::string_view digits = "0123456789abcdef";
        const auto value = static_cast<unsigned char>(byte);
        if (byte == '\r')
            text += "\\r";
        else if (byte == '\n')
            text += "\\n";
        else if (byte == '\t')
            text += "\\t";
        else if (byte == '\\')
            text += "\\\\";
        else if (value >= 0x20 && value < 0x7f)
            text += byte;
        else
            (text += "\\x") += {digits[value >> 4], digits[value & 15u]};
    }
    return text;
}

std::vector<CorpusCase> read_corpus(const std::filesystem::path& directory) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{directory})
        if (entry.path().extension() == ".md" && entry.path().stem() != "README")
            files.push_back(entry.path());
    std::ranges::sort(files);

    std::vector<CorpusCase> cases;
    for (const auto& file : files) {
        std::ifstream stream{file};
        for (std::string line; std::getline(stream, line);)
            read_line(cases, file.stem().string(), line);
    }
    for (const CorpusCase& one : cases)
        if (one.expected.empty()) refuse(one, "nothing is expected");
    return cases;
}

}  // namespace weir::tests
