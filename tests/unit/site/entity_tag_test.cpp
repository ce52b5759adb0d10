#include "site/fields/entity_tag.h"

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

constexpr FileState state{.kind = FileKind::regular,
                          .device = 1,
                          .inode = 2,
                          .links = 1,
                          .size = 7,
                          .modified = {1'700'000'000, 5},
                          .changed = {1'700'000'000, 5}};
constexpr FileTime later{1'700'000'010, 0};
constexpr FileTime soon{1'700'000'000, 10'000'000};

template <typename Change>
FileState changed(Change change) {
    FileState other = state;
    change(other);
    return other;
}
/// What chmod(1), a copy with its time and another machine do to the same file.
const FileState elsewhere = changed([](auto& s) {
    s.device = 9;
    s.inode = 8;
    s.changed = {1'700'000'005, 6};
});

struct Tagger {
    explicit Tagger(TagsFrom from) : tags{from} {}
    std::string operator()(const FileState& of, std::string_view body = "content",
                           FileTime now = later, Coding coding = Coding::identity) {
        return tags.tag_of({.path = "a", .state = of, .coding = coding, .body = body}, now);
    }
    /// Of a file that is too large to hash.
    std::string large(FileState of, FileTime now = later, std::string_view path = "a") {
        of.size = EntityTags::hashed_bytes_max + 1;
        return tags.tag_of({.path = path, .state = of}, now);
    }
    EntityTags tags;
};

bool is_weak(const std::string& tag) { return tag.starts_with("W/\""); }

TEST(EntityTag, IsQuoted) {
    const std::string tag = Tagger{TagsFrom::mtime}(state);
    EXPECT_TRUE(tag.starts_with('"') && tag.ends_with('"'));
    EXPECT_EQ(tag.find('"', 1), tag.size() - 1);
}

TEST(EntityTag, ByTimeIsTheSameElsewhere) {
    Tagger here{TagsFrom::mtime}, there{TagsFrom::mtime};
    EXPECT_EQ(here(state), there(elsewhere));
    EXPECT_EQ(here(state), here(elsewhere));
    EXPECT_EQ(here.large(state), there.large(elsewhere));
}

TEST(EntityTag, ByTimeTellsStatesApart) {
    Tagger tag{TagsFrom::mtime};
    std::set<std::string> tags{tag(state)};
    EXPECT_TRUE(tags.insert(tag(changed([](auto& s) { ++s.size; }))).second);
    EXPECT_TRUE(tags.insert(tag(changed([](auto& s) { ++s.modified.seconds; }))).second);
    EXPECT_TRUE(tags.insert(tag(changed([](auto& s) { ++s.modified.nanoseconds; }))).second);
    EXPECT_TRUE(tags.insert(tag(state, "contenu")).second) << "rewritten, and its time put back";
    EXPECT_TRUE(tags.insert(tag(state, "content", later, Coding::gzip)).second);
}

TEST(EntityTag, ByTimeIsWeakWhileTheFileIsJustWritten) {
    Tagger tag{TagsFrom::mtime};
    const std::string weak = tag(state, "content", soon);
    EXPECT_TRUE(is_weak(weak));
    EXPECT_NE(weak, tag(state, "content", {soon.seconds, soon.nanoseconds + 1}));
    EXPECT_NE(weak, "W/" + tag(state));
    EXPECT_FALSE(is_weak(tag(state)));
    EXPECT_TRUE(is_weak(tag.large(state, soon)));
}

TEST(EntityTag, ByTimeIsStrongIfOnlyTheModeHasJustChanged) {
    Tagger tag{TagsFrom::mtime};
    const FileState moded = changed([](auto& s) { s.changed.seconds += 5; });
    EXPECT_EQ(tag(state),
              tag(moded, "content", {moded.changed.seconds, moded.changed.nanoseconds + 1}));
}

TEST(EntityTag, OfALargeFileIsTakenByTheFirst) {
    Tagger tag{TagsFrom::mtime};
    const std::string first = tag.large(state);
    const FileState rewritten = changed([](auto& s) { ++s.changed.seconds; });
    const FileState replaced = changed([](auto& s) { ++s.inode; });
    const FileState moved = changed([](auto& s) { ++s.device; });
    const std::set<std::string> tags{first, tag.large(rewritten), tag.large(replaced),
                                     tag.large(moved)};
    EXPECT_EQ(tags.size(), 4u);
    EXPECT_EQ(tag.large(state), first) << "a deployment that was taken back";
    EXPECT_EQ(tag.large(replaced, later, "b"), first) << "of another path";
}

TEST(EntityTag, OfAFileThatChangesWhileItIsReadIsWeak) {
    for (const TagsFrom from : {TagsFrom::mtime, TagsFrom::content}) {
        EntityTags tags{from};
        const auto torn = [&](FileTime now) {
            return tags.tag_of({.path = "a", .state = state, .body = "con", .whole = false}, now);
        };
        EXPECT_TRUE(is_weak(torn(later)));
        EXPECT_NE(torn(later), torn({later.seconds, 1}));
    }
}

TEST(EntityTag, ATimeWithoutAMeaningLeavesItToTheContent) {
    Tagger tag{TagsFrom::mtime};
    for (const std::int64_t seconds : {-1, 0, 1}) {
        const FileState file = changed([&](auto& s) { s.modified = {seconds, 0}; });
        EXPECT_EQ(tag(file), Tagger{TagsFrom::content}(state)) << seconds;
        EXPECT_NE(tag(file), tag(file, "contenu")) << seconds;
        FileState other = file;
        ++other.inode;
        EXPECT_NE(Tagger{TagsFrom::mtime}.large(file), Tagger{TagsFrom::mtime}.large(other))
            << seconds;
    }
    const FileState two = changed([&](auto& s) { s.modified = {2, 0}; });
    EXPECT_NE(tag(two), Tagger{TagsFrom::content}(state));
}

TEST(EntityTag, ByContentIsOfTheContentAlone) {
    Tagger tag{TagsFrom::content};
    const FileState touched = changed([](auto& s) { ++s.modified.seconds; });
    EXPECT_EQ(tag(state), tag(touched));
    EXPECT_EQ(tag(state), tag(state, "content", soon)) << "and strong at once";
    EXPECT_NE(tag(state), tag(state, "contenu"));
    EXPECT_NE(tag(state), tag(state, "content", later, Coding::gzip));
    EXPECT_EQ(tag.large(state), Tagger{TagsFrom::mtime}.large(elsewhere));
}

TEST(EntityTag, ByInodeTellsEveryStateFromTheNext) {
    Tagger tag{TagsFrom::inode};
    std::set<std::string> tags{tag(state)};
    const auto is_new = [&](auto change) { return tags.insert(tag(changed(change))).second; };
    EXPECT_TRUE(is_new([](auto& s) { ++s.size; }));
    EXPECT_TRUE(is_new([](auto& s) { ++s.modified.nanoseconds; })) << "within the second";
    EXPECT_TRUE(is_new([](auto& s) { ++s.modified.seconds; }));
    EXPECT_TRUE(is_new([](auto& s) { ++s.changed.nanoseconds; })) << "mtime restored";
    EXPECT_TRUE(is_new([](auto& s) { ++s.inode; })) << "replaced";
    EXPECT_TRUE(is_new([](auto& s) { ++s.device; }));
    EXPECT_TRUE(tags.insert(tag(state, "", later, Coding::gzip)).second);
    EXPECT_TRUE(tags.insert(tag(state, "", soon)).second) << "for one answer";
    EXPECT_EQ(tag(state), tag(state, "whatever"));
}

TEST(EntityTag, DoesNotShowTheInode) {
    const FileState other = changed([](auto& s) { s.inode = 0xabcdef12345; });
    EXPECT_EQ(Tagger{TagsFrom::inode}(other).find("abcdef12345"), std::string::npos);
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

TEST(Settled, LaterWhereTheClockCountsWholeSeconds) {
    FileState whole = state;
    whole.changed = {100, 0};
    EXPECT_FALSE(is_settled(whole, {101, 999'999'999}));
    EXPECT_FALSE(is_settled(whole, {102, 999'999'999}));
    EXPECT_TRUE(is_settled(whole, {103, 0}));
}

}  // namespace
}  // namespace weir::site
