#include "fuzz/plain/accept.h"

#include <cmath>
#include <map>
#include <regex>

#include "base/trimmed.h"
#include "fuzz/plain/path.h"

namespace weir::tests::plain {
namespace {

const std::regex member{
    "([-!#$%&'*+.^_`|~0-9A-Za-z/]+)"
    "([ \\t]*;[ \\t]*[qQ]=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?))?"};

std::string lower_case(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

}  // namespace

std::optional<std::vector<Wish>> read_wishes(const std::vector<std::string>& lines) {
    std::vector<Wish> wishes;
    for (const std::string& line : lines)
        for (const std::string& piece : split(line, ',')) {
            const std::string text{trimmed(piece)};
            std::smatch part;
            if (text.empty()) continue;
            if (text.size() > 100 || !std::regex_match(text, part, member)) return std::nullopt;
            const double weight = part[3].matched ? std::stod(part[3]) : 1;
            wishes.push_back({lower_case(part[1]), static_cast<int>(std::lround(weight * 1000))});
        }
    return wishes;
}

std::string best_coding(const std::vector<Wish>& wishes,
                        const std::vector<std::string>& available) {
    std::map<std::string, int> said;
    for (const Wish& wish : wishes)
        said[wish.name == "x-gzip" ? "gzip" : wish.name] = wish.thousandths;
    std::string best;
    double best_weight = 0;
    for (const std::string& coding : available) {
        double weight = coding == "identity" ? 0.5 : 0;
        if (said.contains("*")) weight = said["*"];
        if (said.contains(coding)) weight = said[coding];
        if (weight <= best_weight) continue;
        best = coding;
        best_weight = weight;
    }
    return best;
}

int weight_of(const std::vector<Wish>& wishes, std::string_view media_type) {
    const std::string type{media_type.substr(0, media_type.find('/'))};
    for (const std::string& range : {std::string{media_type}, type + "/*", std::string{"*/*"}}) {
        std::optional<int> weight;
        for (const Wish& wish : wishes)
            if (wish.name == range) weight = wish.thousandths;
        if (weight) return *weight;
    }
    return 0;
}

}  // namespace weir::tests::plain
