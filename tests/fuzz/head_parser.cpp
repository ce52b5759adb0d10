// A head is read the same whole, in two pieces, and byte by byte, with every instruction set.

#include "http/head/head_parser.h"

#include "fuzz/fuzz_input.h"
#include "http/head/framing.h"

namespace weir::tests {
namespace {

using namespace http;

struct Read {
    HeadParser::Result result = HeadParser::Result::more;
    Fault fault = Fault::none;
    Fault framing_fault = Fault::none;
    HeadIndex index;
};

bool same(Stretch left, Stretch right) {
    return left.begin == right.begin && left.size == right.size;
}

bool same(const FieldLine& left, const FieldLine& right) {
    return same(left.name, right.name) && same(left.value, right.value) && left.id == right.id;
}

bool same(const HeadIndex& left, const HeadIndex& right) {
    if (left.fields.size() != right.fields.size() || left.first != right.first) return false;
    for (std::size_t i = 0; i < left.fields.size(); ++i)
        if (!same(left.fields[i], right.fields[i])) return false;
    return same(left.method_text, right.method_text) && same(left.target, right.target) &&
           same(left.authority, right.authority) && same(left.path, right.path) &&
           same(left.query, right.query) && left.method == right.method &&
           left.form == right.form && left.minor_version == right.minor_version &&
           left.size == right.size;
}

bool same(const Read& left, const Read& right) {
    if (left.result != right.result || left.fault != right.fault) return false;
    if (left.result != HeadParser::Result::complete) return true;
    return left.framing_fault == right.framing_fault && same(left.index, right.index);
}

/// Gives the parser the first `first` bytes, then `step` more each time.
Read read(std::string_view text, std::size_t first, std::size_t step, const Limits& limits,
          InstructionSet instructions) {
    Read read;
    HeadParser parser;
    for (std::size_t size = first;; size += step) {
        const ExactCopy bytes{text.substr(0, size)};
        read.result = parser.parse(bytes.view(), read.index, limits, instructions);
        if (read.result == HeadParser::Result::complete)
            read.framing_fault = framing_of(bytes.view().data(), read.index).fault;
        if (read.result != HeadParser::Result::more || size >= text.size()) break;
    }
    read.fault = parser.fault();
    return read;
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const std::string_view text = input.text;
    const Read whole = read(text, text.size(), 1, input.limits, InstructionSet::scalar);
    for (int set = 0; set <= static_cast<int>(widest()); ++set) {
        const auto instructions = static_cast<InstructionSet>(set);
        require(same(read(text, text.size(), 1, input.limits, instructions), whole));
        require(same(read(text, input.cut, text.size(), input.limits, instructions), whole));
    }
    require(same(read(text, 0, 1, input.limits, widest()), whole));
}

}  // namespace weir::tests
