#include "site/answer/entity_tag.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace weir::site {
namespace {

TEST(EntityTag, OfContentDiffersWithEveryByte) {
    std::set<std::string> tags{entity_tag("")};
    for (std::string content{"a listing of some words"}; !content.empty(); content.pop_back()) {
        EXPECT_TRUE(tags.insert(entity_tag(content)).second) << content;
        content.back() ^= 1;
        EXPECT_TRUE(tags.insert(entity_tag(content)).second) << content;
    }
    EXPECT_TRUE(tags.insert(entity_tag(std::string_view{"\0", 1})).second);
    EXPECT_EQ(entity_tag("same"), entity_tag("same"));
}

TEST(EntityTag, OfContentIsTheSameInPieces) {
    const std::string content(1'000, 'x');
    ContentSum sum;
    sum.add(std::string_view{content}.substr(0, 512));
    sum.add(std::string_view{content}.substr(512, 480));
    sum.add(std::string_view{content}.substr(992));
    EXPECT_EQ(sum.entity_tag(), entity_tag(content));
    EXPECT_EQ(entity_tag("hello, world\n"), "\"d-5e4e34be126d06b\"") << "on every machine";
}

constexpr FileState state{.kind = FileKind::regular,
                          .device = 1,
                          .inode = 2,
                          .links = 1,
                          .size = 1000,
                          .modified = {1'700'000'000, 5},
                          .changed = {1'700'000'000, 5}};

std::string tag_of(const FileState& one) { return entity_tag(one, Coding::identity, 0); }

TEST(EntityTag, IsAStrongTag) {
    const std::string tag = tag_of(state);
    EXPECT_TRUE(tag.starts_with('"') && tag.ends_with('"'));
    EXPECT_EQ(tag.find('"', 1), tag.size() - 1);
    EXPECT_EQ(tag, tag_of(state)) << "the same state, the same tag";
}

TEST(EntityTag, TellsEveryStateFromTheNext) {
    const auto changed = [](auto change) {
        FileState other = state;
        change(other);
        return tag_of(other);
    };
    const std::string tag = tag_of(state);
    EXPECT_NE(tag, changed([](auto& s) { ++s.size; }));
    EXPECT_NE(tag, changed([](auto& s) { ++s.modified.nanoseconds; })) << "within the second";
    EXPECT_NE(tag, changed([](auto& s) { ++s.modified.seconds; }));
    EXPECT_NE(tag, changed([](auto& s) { ++s.changed.nanoseconds; })) << "mtime restored";
    EXPECT_NE(tag, changed([](auto& s) { ++s.inode; })) << "replaced";
    EXPECT_NE(tag, changed([](auto& s) { ++s.device; }));
    EXPECT_NE(tag, entity_tag(state, Coding::gzip, 0));
    EXPECT_NE(tag, entity_tag(state, Coding::identity, 1));
}

TEST(EntityTag, OfADateIsTheSameOnEveryDisk) {
    const std::string tag = dated_entity_tag(state, Coding::identity);
    FileState copy = state;
    copy.device = 7, copy.inode = 8, copy.changed = {1'800'000'000, 0};
    EXPECT_EQ(dated_entity_tag(copy, Coding::identity), tag);
    EXPECT_NE(dated_entity_tag(copy, Coding::gzip), tag);
    copy.modified.nanoseconds += 1;
    EXPECT_NE(dated_entity_tag(copy, Coding::identity), tag);
    copy = state;
    copy.size += 1;
    EXPECT_NE(dated_entity_tag(copy, Coding::identity), tag);
}

TEST(EntityTag, DoesNotShowTheInode) {
    FileState other = state;
    other.inode = 0xabcdef12345;
    EXPECT_EQ(tag_of(other).find("abcdef12345"), std::string::npos);
}

TEST(Settled, OnceTheClockForFilesHasMovedOn) {
    const FileTime changed = state.changed;
    const auto after = [&](std::int64_t nanoseconds) {
        return FileTime{changed.seconds, changed.nanoseconds + nanoseconds};
    };
    EXPECT_FALSE(is_settled(state, after(0)));
    EXPECT_FALSE(is_settled(state, after(10'000'000)));
    EXPECT_TRUE(is_settled(state, after(21'000'000)));
    EXPECT_TRUE(is_settled(state, {changed.seconds + 1, 0})) << "almost a second later";
    EXPECT_TRUE(is_settled(state, {changed.seconds + 2, 0}));
    EXPECT_FALSE(is_settled(state, {changed.seconds - 1, 0})) << "changed in the future";
}

TEST(Settled, AcrossTheBorderOfASecond) {
    FileState late = state;
    late.changed = {100, 999'000'000};
    EXPECT_FALSE(is_settled(late, {101, 0}));
    EXPECT_TRUE(is_settled(late, {101, 30'000'000}));
}

}  // namespace
}  // namespace weir::site
