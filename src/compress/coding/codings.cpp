#include "compress/coding/codings.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "weir/compress/compress.h"
#include "weir/http/field_name.h"

namespace weir::compress {

namespace {

constexpr std::size_t kilobyte = 1024;
constexpr int level_max = 9;

struct Library {
    http::Coding coding;
    std::string_view token;
    const MakeEncoder* make;  // points to null in a build without the library
    NameLibrary name;
    std::string_view package;  // of Debian
    int usual_level;
    int quick_level_max;  // above this level, a few kilobytes may take milliseconds
    int level_max;
    std::size_t quick_kilobytes;  // so many KB of any content take less than a millisecond
                                  // (measured)
    /// The memory of an encoder for each level from 1, in KB, measured with window_bits.
    std::array<std::size_t, 9> kilobytes;
};

// zstd is first: its results have about the size of brotli's, in a quarter of the time
// (docs/decisions/0024).
constexpr std::array<Library, 3> known{{
    {http::Coding::zstandard,
     "zstd",
     &make_zstandard_encoder,
     zstandard_name,
     "libzstd-dev",
     3,
     5,
     6,
     32,
     {960, 1150, 1660, 2940, 3970, 3970, 0, 0, 0}},
    {http::Coding::brotli,
     "br",
     &make_brotli_encoder,
     brotli_name,
     "libbrotli-dev",
     4,
     4,
     6,
     16,
     {270, 890, 990, 1870, 2410, 3440, 0, 0, 0}},
    {http::Coding::gzip,
     "gzip",
     &make_gzip_encoder,
     zlib_name,
     "zlib1g-dev",
     6,
     6,
     9,
     4,
     {270, 270, 270, 270, 270, 270, 270, 270, 270}},
}};

const Library* library_of(std::string_view token) noexcept {
    const auto* const found = std::ranges::find(known, token, &Library::token);
    return found == known.end() ? nullptr : found;
}

CodingInUse in_use(const Library& library, int level) noexcept {
    constexpr std::size_t whole_gzip_kilobytes = 660;  // measured; the same from level 2 on
    constexpr std::size_t times_as_much = 4;           // libdeflate compresses this many times as
                                                       // much as zlib in the same time
    const int taken = level == 0 ? library.usual_level : std::min(level, library.level_max);
    const EncoderKind kind{
        .make = *library.make,
        .bytes = library.kilobytes[static_cast<std::size_t>(taken - 1)] * kilobyte,
        .slot = static_cast<std::size_t>(library.coding)};
    const std::size_t quick = taken <= library.quick_level_max ? library.quick_kilobytes : 0;
    CodingInUse coding{.coding = library.coding,
                       .token = library.token,
                       .level = taken,
                       .for_streams = kind,
                       .for_wholes = kind,
                       .quick_bytes = quick * kilobyte,
                       .quick_whole_bytes = quick * kilobyte};
    if (library.coding == http::Coding::gzip && make_whole_gzip_encoder != nullptr) {
        coding.for_wholes = {.make = make_whole_gzip_encoder,
                             .bytes = whole_gzip_kilobytes * kilobyte,
                             .slot = http::coding_count};
        coding.quick_whole_bytes *= times_as_much;
    }
    return coding;
}

std::string without_libraries() {
    std::string packages;
    for (const Library& library : known)
        packages.append(packages.empty() ? "" : ", ").append(library.package);
    return "this build cannot compress: install one of " + packages + ", and build weir again";
}

}  // namespace

std::vector<std::string> available() {
    std::vector<std::string> tokens;
    for (const Library& library : known)
        if (*library.make != nullptr) tokens.emplace_back(library.token);
    return tokens;
}

std::vector<std::string> libraries() {
    std::vector<std::string> names;
    for (const Library& library : known)
        if (*library.make != nullptr) names.push_back(library.name());
    if (make_whole_gzip_encoder != nullptr && make_gzip_encoder != nullptr)
        names.push_back(libdeflate_name());
    return names;
}

std::expected<std::vector<CodingInUse>, std::string> codings_from(std::vector<std::string> tokens,
                                                                  int level) {
    if (level < 0 || level > level_max)
        return std::unexpected{"the level of compression is from 1 to 9"};
    if (tokens.empty()) tokens = available();
    if (tokens.empty()) return std::unexpected{without_libraries()};
    std::vector<CodingInUse> codings;
    for (const std::string& token : tokens) {
        const Library* const library = library_of(token);
        if (library == nullptr)
            return std::unexpected{"'" + token + "' is neither gzip, br nor zstd"};
        if (*library->make == nullptr)
            return std::unexpected{"this build has no " + token + ": install " +
                                   std::string{library->package} + ", and build weir again"};
        codings.push_back(in_use(*library, level));
    }
    return codings;
}

Choice choose(const http::Request& request, const std::vector<CodingInUse>& codings) noexcept {
    // Without the field, any coding is allowed (RFC 9110 12.5.3), but the client may not know any.
    if (!request.has(http::FieldName::accept_encoding)) return {};
    const http::CodingWeights weights{request};
    const int identity = weights.of(http::Coding::identity);
    Choice choice{.refuses_identity = identity == 0};
    int best = 0;
    for (const CodingInUse& coding : codings) {
        const int weight = weights.of(coding.coding);
        if (weight <= best || weight < identity) continue;
        best = weight;
        choice.coding = &coding;
    }
    return choice;
}

}  // namespace weir::compress
