// Each case of the corpus is played whole, byte by byte, and cut in two at every place, and has the
// same outcome each time.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "corpus/corpus_case.h"

namespace weir::tests {
namespace {

using Events = std::vector<std::string>;

std::string joined(const Events& events) {
    std::string text;
    for (const std::string& event : events) text += "\n> " + event;
    return text;
}

/// Whether 100 (Continue) is sent depends on whether the content is there already.
Events without_interim(Events events) {
    std::erase(events, "100");
    return events;
}

bool agree(const CorpusCase& one, const Events& events) {
    const Events wanted = without_interim(one.expected);
    const Events got = without_interim(events);
    if (got == wanted) return true;
    if (!one.splits_cut_short || got.back() != "closes" || got.size() > wanted.size()) return false;
    const auto without_close = [](std::string event) {
        return event.substr(0, event.find(" without Connection"));
    };
    return std::ranges::equal(got.begin(), got.end() - 1, wanted.begin(),
                              wanted.begin() + static_cast<std::ptrdiff_t>(got.size()) - 1, {},
                              without_close);
}

class CorpusTest : public testing::Test {
   public:
    explicit CorpusTest(CorpusCase one) : case_{std::move(one)} {}

    void TestBody() override {
        const std::string_view input = case_.input;
        const Events whole = play({{input}}, case_.setting);
        ASSERT_EQ(joined(whole), joined(case_.expected)) << "whole";
        for (const bool settles : {false, true}) {
            case_.setting.settles = settles;
            for (std::size_t at = 1; at < input.size(); ++at)
                check({input.substr(0, at), input.substr(at)}, "cut at " + std::to_string(at));
            std::vector<std::string_view> single;
            for (std::size_t at = 0; at < input.size(); ++at) single.push_back(input.substr(at, 1));
            check(single, "byte by byte");
        }
    }

   private:
    void check(const std::vector<std::string_view>& pieces, const std::string& how) {
        const Events events = play(pieces, case_.setting);
        if (!agree(case_, events))
            ADD_FAILURE() << how << (case_.setting.settles ? ", settled" : "") << joined(events)
                          << "\nexpected" << joined(case_.expected);
    }

    CorpusCase case_;
};

std::string test_name(std::string_view title) {
    std::string name;
    for (const char byte : title)
        if (std::isalnum(static_cast<unsigned char>(byte)) != 0)
            name += byte;
        else if (!name.empty() && name.back() != '_')
            name += '_';
    while (name.ends_with('_')) name.pop_back();
    return name;
}

bool register_corpus() {
    std::map<std::string, int> seen;
    for (const CorpusCase& one : read_corpus(WEIR_CORPUS_DIRECTORY)) {
        std::string name = test_name(one.title);
        if (const int times = seen[one.file + name]++; times != 0)
            name += '_' + std::to_string(times + 1);
        testing::RegisterTest(one.file.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                              [one]() -> testing::Test* { return new CorpusTest{one}; });
    }
    return true;
}

const bool registered = register_corpus();

}  // namespace
}  // namespace weir::tests
