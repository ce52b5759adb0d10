// What the index says, where the limits are, and how parsing is resumed. What is well-formed and
// what isn't stands in tests/corpus/.

#include "http/head/head_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "corpus/guarded.h"

namespace weir::http {
namespace {

using Result = HeadParser::Result;

struct Parsed {
    Result result;
    Fault fault;
    HeadIndex index;
};

Parsed parse(std::string_view bytes, const Limits& limits = {},
             InstructionSet instructions = widest()) {
    const tests::Guarded guarded{bytes};
    HeadParser parser;
    Parsed parsed{};
    parsed.result = parser.parse(guarded.view(), parsed.index, limits, instructions);
    parsed.fault = parser.fault();
    return parsed;
}

Parsed parse_in_two(std::string_view bytes, std::size_t split, const Limits& limits,
                    InstructionSet instructions) {
    HeadParser parser;
    Parsed parsed{};
    {
        const tests::Guarded first{bytes.substr(0, split)};
        parsed.result = parser.parse(first.view(), parsed.index, limits, instructions);
    }
    const tests::Guarded whole{bytes};
    if (parsed.result == Result::more)
        parsed.result = parser.parse(whole.view(), parsed.index, limits, instructions);
    parsed.fault = parser.fault();
    return parsed;
}

std::string described(const Parsed& parsed, std::string_view bytes) {
    if (parsed.result == Result::fault) return std::string{answer_to(parsed.fault).text};
    if (parsed.result == Result::more) return "more";
    const HeadIndex& index = parsed.index;
    const char* base = bytes.data();
    std::string text;
    for (const Stretch part :
         {index.method_text, index.target, index.authority, index.path, index.query})
        text += std::string{part.in(base)} + " | ";
    text += std::to_string(index.minor_version) + ' ' + std::to_string(index.size);
    for (const FieldLine& line : index.fields) {
        text += '\n' + std::string{line.name.in(base)} + "=[" + std::string{line.value.in(base)};
        text += "] " + std::to_string(static_cast<int>(line.id));
    }
    for (const auto first : index.first) text += ' ' + std::to_string(first);
    return text;
}

TEST(HeadParser, FindsTheParts) {
    const std::string_view bytes =
        "\r\nPOST /a/b?c=d?e HTTP/1.0\r\nHost: example.com\r\nX-Other:\t a  b \t\r\nempty:\r\n"
        "blank: \t \r\ncoNNection: close\r\nConnection: x\r\n\r\nbody";
    const Parsed parsed = parse(bytes);
    ASSERT_EQ(parsed.result, Result::complete);
    const HeadIndex& index = parsed.index;
    const char* base = bytes.data();
    EXPECT_EQ(index.method, Method::post);
    EXPECT_EQ(index.method_text.in(base), "POST");
    EXPECT_EQ(index.form, TargetForm::origin);
    EXPECT_EQ(index.target.in(base), "/a/b?c=d?e");
    EXPECT_EQ(index.path.in(base), "/a/b");
    EXPECT_EQ(index.query.in(base), "c=d?e");
    EXPECT_EQ(index.minor_version, 0);
    EXPECT_EQ(index.size, bytes.size() - 4);
    ASSERT_EQ(index.fields.size(), 6u);
    EXPECT_EQ(index.fields[1].name.in(base), "X-Other");
    EXPECT_EQ(index.fields[1].value.in(base), "a  b");
    EXPECT_EQ(index.fields[1].id, FieldName::other);
    EXPECT_EQ(index.fields[2].value.in(base), "");
    EXPECT_EQ(index.fields[3].value.in(base), "");
    EXPECT_EQ(index.find(FieldName::host), &index.fields[0]);
    EXPECT_EQ(index.find(FieldName::connection), &index.fields[4]);
    EXPECT_EQ(index.find(FieldName::cookie), nullptr);
}

struct TargetCase {
    std::string_view line;
    TargetForm form;
    std::string_view authority;
    std::string_view path;
    std::string_view query;
};

TEST(HeadParser, TakesTargetsApart) {
    const TargetCase cases[] = {
        {"GET / HTTP/1.1", TargetForm::origin, "", "/", ""},
        {"GET /? HTTP/1.1", TargetForm::origin, "", "/", ""},
        {"GET //a//b?/? HTTP/1.1", TargetForm::origin, "", "//a//b", "/?"},
        {"GET http://a HTTP/1.1", TargetForm::absolute, "a", "", ""},
        {"GET http://a?b HTTP/1.1", TargetForm::absolute, "a", "", "b"},
        {"GET http://a:80/b/c?d HTTP/1.1", TargetForm::absolute, "a:80", "/b/c", "d"},
        {"GET HttpS://[::1]:8/b HTTP/1.1", TargetForm::absolute, "[::1]:8", "/b", ""},
        {"CONNECT a.b:443 HTTP/1.1", TargetForm::authority, "a.b:443", "", ""},
        {"CONNECT 10.0.0.1:443 HTTP/1.1", TargetForm::authority, "10.0.0.1:443", "", ""},
        {"CONNECT [::1]:443 HTTP/1.1", TargetForm::authority, "[::1]:443", "", ""},
        {"OPTIONS * HTTP/1.1", TargetForm::asterisk, "", "*", ""},
    };
    for (const TargetCase& wanted : cases) {
        const std::string bytes = std::string{wanted.line} + "\r\n\r\n";
        const Parsed parsed = parse(bytes);
        ASSERT_EQ(parsed.result, Result::complete) << wanted.line;
        const HeadIndex& index = parsed.index;
        EXPECT_EQ(index.form, wanted.form) << wanted.line;
        EXPECT_EQ(index.authority.in(bytes.data()), wanted.authority) << wanted.line;
        EXPECT_EQ(index.path.in(bytes.data()), wanted.path) << wanted.line;
        EXPECT_EQ(index.query.in(bytes.data()), wanted.query) << wanted.line;
        const std::string_view line = wanted.line;
        const std::size_t begin = line.find(' ') + 1;
        EXPECT_EQ(index.target.in(bytes.data()), line.substr(begin, line.rfind(' ') - begin));
    }
}

TEST(HeadParser, SaysTheSameWhateverTheSplitAndTheInstructions) {
    const std::string fifty(50, 'v');
    const std::string texts[] = {
        "\r\nGET /" + fifty + "?" + fifty + "?" + fifty + " HTTP/1.1\r\nHost: " + fifty +
            "\r\nX-#" + fifty + ": \t " + fifty + "  " + fifty +
            "\xc3\xa4 \t\r\nempty:\r\n\r\nmore",
        "OPTIONS * HTTP/1.1\r\n\r\n",
        "GET http://" + fifty + "/a HTTP/1.0\r\n" + fifty + ":" + fifty + "\r\n\r\n",
        "GET /" + fifty + " HTTP/1.1\r\nA: " + fifty + '\x01' + fifty + "\r\n\r\n",
        "GET /" + fifty + " HTTP/1.1\r\nA" + fifty + " : b\r\n\r\n",
        "GET /" + fifty + '\x80' + fifty + " HTTP/1.1\r\n\r\n",
    };
    Limits short_line;
    short_line.request_line_bytes_max = 100;
    short_line.field_line_bytes_max = 60;
    for (const std::string& bytes : texts)
        for (const Limits& limits : {Limits{}, short_line}) {
            const std::string wanted =
                described(parse(bytes, limits, InstructionSet::scalar), bytes);
            for (auto instructions :
                 {InstructionSet::scalar, InstructionSet::sse42, InstructionSet::avx2}) {
                if (instructions > widest()) continue;
                for (std::size_t split = 0; split <= bytes.size(); ++split)
                    ASSERT_EQ(described(parse_in_two(bytes, split, limits, instructions), bytes),
                              wanted)
                        << "split at " << split << " of " << bytes;
            }
        }
}

TEST(HeadParser, TellsAnEmptyLineFromTheStartOfARequest) {
    HeadParser parser;
    HeadIndex index;
    EXPECT_EQ(parser.parse("", index, Limits{}), Result::more);
    EXPECT_EQ(parser.parse("\r\n", index, Limits{}), Result::more);
    EXPECT_FALSE(parser.started());
    EXPECT_EQ(parser.parse("\r\nG", index, Limits{}), Result::more);
    EXPECT_TRUE(parser.started());
    parser.reset();
    EXPECT_FALSE(parser.started());
}

TEST(HeadParser, LeavesWhatFollowsTheHead) {
    const std::string_view head = "GET / HTTP/1.1\r\n\r\n";
    const Parsed parsed = parse(std::string{head} + "\x01\x02");
    EXPECT_EQ(parsed.result, Result::complete);
    EXPECT_EQ(parsed.index.size, head.size());
}

TEST(HeadParser, LimitsTheRequestLine) {
    const std::string_view bytes = "GET /abc HTTP/1.1\r\n\r\n";
    Limits limits;
    limits.request_line_bytes_max = 17;
    EXPECT_EQ(parse(bytes, limits).result, Result::complete);
    EXPECT_EQ(parse("\r\n" + std::string{bytes}, limits).result, Result::complete);
    limits.request_line_bytes_max = 16;
    EXPECT_EQ(parse(bytes, limits).fault, Fault::request_line_too_long);
    EXPECT_EQ(parse("\r\n" + std::string{bytes}, limits).fault, Fault::request_line_too_long);
    EXPECT_EQ(parse("GET /aaaaaaaaaaaaaaaaaaa", limits).fault, Fault::request_line_too_long);
    EXPECT_EQ(parse("GETGETGETGETGETGETGET", limits).fault, Fault::method_too_long);
}

TEST(HeadParser, LimitsAFieldLine) {
    const std::string_view bytes = "GET / HTTP/1.1\r\nName: value\r\nName: value\r\n\r\n";
    Limits limits;
    limits.field_line_bytes_max = 11;
    EXPECT_EQ(parse(bytes, limits).result, Result::complete);
    limits.field_line_bytes_max = 10;
    EXPECT_EQ(parse(bytes, limits).fault, Fault::field_line_too_long);
    EXPECT_EQ(parse("GET / HTTP/1.1\r\nName: valuevalue", limits).fault,
              Fault::field_line_too_long);
    EXPECT_EQ(parse("GET / HTTP/1.1\r\nName:              ", limits).fault,
              Fault::field_line_too_long);
}

TEST(HeadParser, LimitsTheHead) {
    const std::string_view bytes = "GET / HTTP/1.1\r\nA: b\r\n\r\n";
    Limits limits;
    limits.head_bytes_max = 24;
    ASSERT_EQ(bytes.size(), 24u);
    EXPECT_EQ(parse(std::string{bytes} + "body", limits).result, Result::complete);
    limits.head_bytes_max = 23;
    EXPECT_EQ(parse(bytes, limits).fault, Fault::head_too_long);
    limits.head_bytes_max = 5;
    EXPECT_EQ(parse("GET /", limits).fault, Fault::head_too_long);
    EXPECT_EQ(parse("GET ", limits).result, Result::more);
}

TEST(HeadParser, LimitsTheFields) {
    const std::string head = "GET / HTTP/1.1\r\n";
    Limits limits;
    limits.fields_max = 2;
    EXPECT_EQ(parse(head + "A:\r\nB:\r\n\r\n", limits).result, Result::complete);
    EXPECT_EQ(parse(head + "A:\r\nB:\r\nC", limits).fault, Fault::too_many_fields);
    limits.fields_max = 0;
    EXPECT_EQ(parse(head + "\r\n", limits).result, Result::complete);
    EXPECT_EQ(parse(head + "A", limits).fault, Fault::too_many_fields);
}

TEST(HeadParser, LimitsTheFieldsToWhatTheIndexCanNumber) {
    std::string bytes = "GET / HTTP/1.1\r\n";
    for (int i = 0; i < 65'535; ++i) bytes += "a:\r\n";
    Limits limits;
    limits.head_bytes_max = 1 << 20;
    limits.fields_max = 1 << 20;
    EXPECT_EQ(parse(bytes + "\r\n", limits).result, Result::complete);
    EXPECT_EQ(parse(bytes + "a:\r\n\r\n", limits).fault, Fault::too_many_fields);
}

TEST(HeadParser, StaysAtItsFault) {
    HeadParser parser;
    HeadIndex index;
    EXPECT_EQ(parser.parse("\n", index, Limits{}), Result::fault);
    EXPECT_EQ(parser.parse("\nGET", index, Limits{}), Result::fault);
    EXPECT_EQ(parser.fault(), Fault::malformed_request_line);
}

}  // namespace
}  // namespace weir::http
