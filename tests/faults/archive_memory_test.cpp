// Archives, for which libarchive has little memory.

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <new>
#include <string>

#include "archive/writer.h"
#include "faults/limited_malloc.h"

namespace weir::archive {
namespace {

using tests::LimitedMalloc;

constexpr std::array formats{Format::zip, Format::tar, Format::tar_gz};
const std::string content(40'000, 'x');

std::string name_of(int number) {
    return "folder/" + std::string(100, 'n') + std::to_string(number);
}

TEST(ArchiveMemory, IsCounted) {
    (void)make_writer(Format::zip);  // loads the library
    for (const Format format : formats) {
        const std::size_t before = LimitedMalloc::used();
        const auto writer = make_writer(format);
        ASSERT_TRUE(writer);
        for (int i = 0; i < 5'000; ++i) {
            ASSERT_TRUE(writer->begin({.name = name_of(i), .size = i == 0 ? content.size() : 0}));
            if (i == 0) {
                ASSERT_TRUE(writer->add(content));
            }
            writer->written().clear();
            ASSERT_GE(writer->bytes(), LimitedMalloc::used() - before) << i;
        }
        EXPECT_LT(writer->bytes(), 2 * (LimitedMalloc::used() - before) + 600'000);
    }
}

/// The size of an archive of some files; 0 if there is no memory for it.
std::size_t archived(Format format) try {
    std::size_t size = 0;
    const auto writer = make_writer(format);
    for (int i = 0; writer && i < 20; ++i) {
        const std::string name = name_of(i) + (i % 5 == 0 ? std::string(3'000, 'l') : "\xc3\xa4");
        if (!writer->begin({.name = name, .size = content.size()})) return 0;
        if (!writer->add(content)) return 0;
        size += writer->written().size();
        writer->written().clear();
    }
    return writer && writer->finish() ? size + writer->written().size() : 0;
} catch (const std::bad_alloc&) {
    return 0;
}

/// libarchive itself ends the process where it finds no memory for a name.
TEST(ArchiveMemory, ThatIsShortEndsAnArchiveAndNothingElse) {
    for (const Format format : formats) {
        const std::size_t whole = archived(format);
        ASSERT_GT(whole, 0u);
        int failed = 0;
        int made = 0;
        for (std::size_t left = 0; made < 10; left += 3'000) {
            LimitedMalloc::leave(left);
            const std::size_t size = archived(format);
            LimitedMalloc::clear();
            ASSERT_TRUE(size == 0 || size == whole) << left;
            ++(size == 0 ? failed : made);
        }
        EXPECT_GT(failed, 10);
    }
}

}  // namespace
}  // namespace weir::archive
