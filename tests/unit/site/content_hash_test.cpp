#include "site/fields/content_hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "net/unique_fd.h"
#include "unit/site/temporary_tree.h"

namespace weir::site {
namespace {

TEST(ContentHash, DiffersWithEveryBitAndLength) {
    const std::string content(100, 'x');
    std::set<std::uint64_t> hashes;
    for (std::size_t size = 0; size <= content.size(); ++size)
        EXPECT_TRUE(hashes.insert(hash_of(std::string_view{content}.substr(0, size))).second)
            << size;
    for (std::size_t i = 0; i < content.size() * 8; ++i) {
        std::string other = content;
        other[i / 8] = static_cast<char>(static_cast<unsigned char>(other[i / 8]) ^ (1u << i % 8));
        EXPECT_TRUE(hashes.insert(hash_of(other)).second) << i;
    }
}

TEST(ContentHash, DiffersWithTheOrderOfWords) {
    const std::string a(8, 'a'), b(8, 'b'), stride(ContentHash::stride - 16, 'x');
    EXPECT_NE(hash_of(a + b + stride), hash_of(b + a + stride));
    EXPECT_NE(hash_of(a + stride + b), hash_of(b + stride + a));
}

TEST(ContentHash, OfAFileIsThatOfItsBytes) {
    const TemporaryTree tree;
    for (const std::size_t size : {0u, 1u, 65'536u, 65'537u, 200'001u}) {
        std::string content;
        while (content.size() < size) content += std::to_string(content.size());
        content.resize(size);
        tree.write("file", content);
        const net::UniqueFd file{::open(tree.at("file").c_str(), O_RDONLY | O_CLOEXEC)};
        EXPECT_EQ(hash_of_file(file.get(), size), hash_of(content)) << size;
        EXPECT_FALSE(hash_of_file(file.get(), size + 1)) << size;
    }
}

TEST(ContentHash, OfAFileThatCannotBeReadIsAnError) { EXPECT_FALSE(hash_of_file(-1, 1)); }

}  // namespace
}  // namespace weir::site
