#include "fuzz/plain/json.h"

#include <regex>
#include <stdexcept>

#include "fuzz/plain/text.h"

namespace weir::tests::plain {
namespace {

struct NotJson : std::runtime_error {
    NotJson() : std::runtime_error{"no JSON"} {}
};

class Reader {
   public:
    explicit Reader(std::string_view text) : rest_{text} {}

    Json value() {
        skip_blanks();
        if (next_is('"')) return {Json::Kind::text, string(), {}, {}};
        if (next_is('{')) return members('{', '}', Json::Kind::object);
        if (next_is('[')) return members('[', ']', Json::Kind::list);
        return plain();
    }
    void end() {
        skip_blanks();
        if (!rest_.empty()) throw NotJson{};
    }

   private:
    bool next_is(char c) const { return rest_.starts_with(c); }
    char take() {
        if (rest_.empty()) throw NotJson{};
        const char c = rest_[0];
        rest_.remove_prefix(1);
        return c;
    }
    void take(char wanted) {
        if (take() != wanted) throw NotJson{};
    }
    void skip_blanks() {
        while (!rest_.empty() && std::string_view{" \t\r\n"}.contains(rest_[0])) take();
    }

    Json members(char open, char close, Json::Kind kind) {
        Json json{kind, {}, {}, {}};
        take(open);
        skip_blanks();
        while (!next_is(close)) {
            if (!json.values.empty()) take(',');
            skip_blanks();
            std::string name;
            if (kind == Json::Kind::object) {
                name = string();
                skip_blanks();
                take(':');
            }
            json.names.push_back(std::move(name));
            json.values.push_back(value());
            skip_blanks();
        }
        take(close);
        return json;
    }

    std::string string() {
        std::string text;
        take('"');
        while (!next_is('"')) {
            const char c = take();
            if (static_cast<unsigned char>(c) < 0x20) throw NotJson{};
            if (c == '\\')
                append_escape(text);
            else
                text += c;
        }
        take('"');
        return text;
    }

    void append_escape(std::string& text) {
        constexpr std::string_view written = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
        const char c = take();
        if (const auto at = written.find(c); at != written.npos) {
            text += meant[at];
        } else if (c == 'u') {
            append_utf8(text, character());
        } else {
            throw NotJson{};
        }
    }

    /// Behind "\\u". RFC 8259 7: two surrogates are one character.
    char32_t character() {
        const char32_t unit = code_unit();
        if (unit < 0xd800 || unit > 0xdfff) return unit;
        take('\\');
        take('u');
        const char32_t low = code_unit();
        if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff) throw NotJson{};
        return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    }

    char32_t code_unit() {
        if (rest_.size() < 4) throw NotJson{};
        std::size_t used = 0;
        const int number = std::stoi(std::string{rest_.substr(0, 4)}, &used, 16);
        if (used != 4) throw NotJson{};
        rest_.remove_prefix(4);
        return static_cast<char32_t>(number);
    }

    Json plain() {
        const std::size_t size = rest_.find_first_of(",]} \t\r\n");
        Json json{Json::Kind::word, std::string{rest_.substr(0, size)}, {}, {}};
        rest_.remove_prefix(json.text.size());
        if (json.text == "true" || json.text == "false" || json.text == "null") return json;
        static const std::regex number{R"((0|[1-9][0-9]*)(\.[0-9]+)?)"};
        if (!std::regex_match(json.text, number)) throw NotJson{};  // weir writes no other numbers
        json.kind = Json::Kind::number;
        return json;
    }

    std::string_view rest_;
};

}  // namespace

const Json* Json::find(std::string_view name) const {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return &values[i];
    return nullptr;
}

std::optional<Json> read_json(std::string_view text) {
    if (!is_utf8(text)) return std::nullopt;
    try {
        Reader reader{text};
        Json json = reader.value();
        reader.end();
        return json;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace weir::tests::plain
