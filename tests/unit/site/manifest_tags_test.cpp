#include <gtest/gtest.h>

#include <set>
#include <string>

#include "site/fields/entity_tag.h"

namespace weir::site {
namespace {

constexpr std::int64_t written = 1'700'000'000;  // seconds
constexpr FileState state{.kind = FileKind::regular,
                          .device = 1,
                          .inode = 2,
                          .links = 1,
                          .size = EntityTags::hashed_bytes_max + 1,
                          .modified = {written, 5},
                          .changed = {written, 5}};
constexpr FileTime later{written + 1'000, 0};

template <typename Change>
FileState changed(FileState of, Change change) {
    change(of);
    return of;
}
/// Of any kind: by chmod(1), or rewritten and its time put back.
FileState changed_at(std::int64_t seconds) {
    return changed(state, [&](auto& s) { s.changed = {seconds, 7}; });
}

std::string line(char digit, const std::string& path = "a") {
    return std::string(64, digit) + "  " + path + '\n';
}
ReadManifest manifest(const std::string& text = line('1'), std::int64_t seconds = written + 1) {
    return {.hashes = HashManifest{text, ""},
            .state = {.kind = FileKind::regular,
                      .device = 1,
                      .inode = 50,
                      .links = 1,
                      .size = text.size(),
                      .modified = {seconds, 0},
                      .changed = {seconds, 0}},
            .folder = {.kind = FileKind::directory, .device = 1, .inode = 40}};
}
/// With everything that it has, as a deployment does that keeps no times.
ReadManifest elsewhere(ReadManifest manifest) {
    manifest.folder.device = manifest.state.device = 9;
    ++manifest.folder.inode;
    manifest.state.modified.seconds += 100;
    manifest.state.changed.seconds += 100;
    return manifest;
}
const FileState elsewhere_state = changed(state, [](auto& s) {
    s.device = 9;
    s.inode = 8;
    s.modified.seconds += 50;
    s.changed.seconds += 60;
});

class ManifestTags : public testing::Test {
   protected:
    std::string tag(const FileState& of, const ReadManifest& said, std::string_view path = "a",
                    Coding coding = Coding::identity, FileTime now = later) {
        return tags.tag_of({.path = path, .state = of, .coding = coding, .manifest = &said}, now);
    }
    /// As it is without a manifest.
    static std::string usual(const FileState& of) {
        return EntityTags{TagsFrom::content}.tag_of({.path = "a", .state = of}, later);
    }
    const std::string first = EntityTags{TagsFrom::content}.tag_of(
        {.path = "a", .state = state, .manifest = &one}, later);
    EntityTags tags{TagsFrom::content};

   private:
    inline static const ReadManifest one = manifest();
};

TEST_F(ManifestTags, AreOfTheHashTheSizeAndTheCodingAlone) {
    EXPECT_EQ(tag(state, manifest()), first);
    EXPECT_EQ(tag(elsewhere_state, elsewhere(manifest())), first);
    EXPECT_TRUE(first.starts_with('"')) << first;
    EXPECT_NE(first, usual(state));
    EXPECT_EQ(tag(state, manifest(line('1', "b")), "b"), first) << "another path";
    std::set<std::string> others{first};
    const FileState longer = changed(elsewhere_state, [](auto& s) { ++s.size; });
    EXPECT_TRUE(others.insert(tag(longer, elsewhere(manifest()))).second);
    EXPECT_TRUE(others.insert(tag(state, manifest(), "a", Coding::gzip)).second);
}

TEST_F(ManifestTags, DifferWithTheHash) { EXPECT_NE(tag(state, manifest(line('2'))), first); }

TEST_F(ManifestTags, NeedALine) {
    EXPECT_EQ(tag(state, manifest(line('1', "b"))), usual(state));
    EXPECT_EQ(tag(state, manifest("")), usual(state));
}

TEST_F(ManifestTags, NeedAManifestThatIsNotOlderThanTheFile) {
    const FileState within =
        changed(state, [](auto& s) { s.modified = s.changed = {written + 3, 0}; });
    const FileState stale =
        changed(state, [](auto& s) { s.modified = s.changed = {written + 3, 1}; });
    EXPECT_EQ(tag(within, manifest()), first);
    EXPECT_EQ(tag(stale, manifest()), usual(stale));
}

TEST_F(ManifestTags, DoNotNeedATimeWithAMeaning) {
    const FileState built = changed(state, [](auto& s) { s.modified = {1, 0}; });
    ReadManifest also = manifest();
    also.state.modified = {1, 0};
    EXPECT_EQ(tag(built, also), first);
}

TEST_F(ManifestTags, AreWeakWhileTheFileIsJustWritten) {
    const FileTime soon{written, 10'000'000};
    EXPECT_TRUE(tag(state, manifest(), "a", Coding::identity, soon).starts_with("W/"));
}

TEST_F(ManifestTags, AreTakenByTheFirst) {
    EXPECT_EQ(tag(state, manifest()), first);
    const FileState rewritten = changed_at(written + 5);
    const FileState replaced = changed(rewritten, [](auto& s) { ++s.inode; });
    const FileState moved = changed(rewritten, [](auto& s) { ++s.device; });
    const std::set<std::string> all{first, tag(rewritten, manifest()), tag(replaced, manifest()),
                                    tag(moved, manifest())};
    EXPECT_EQ(all.size(), 4u);
    EXPECT_EQ(tag(state, manifest()), first) << "a deployment that was taken back";
}

TEST_F(ManifestTags, AreTakenByTheFirstAlsoIfItWasCopiedAfterTheManifest) {
    const FileState copied = changed_at(written + 60);
    EXPECT_EQ(tag(copied, manifest()), first);
    EXPECT_NE(tag(changed_at(written + 70), manifest()), first);
    EXPECT_EQ(tag(copied, manifest()), first);
}

/// The manifest was right when it was written again, and nobody asked for the file until it was
/// rewritten, with its old time.
TEST_F(ManifestTags, AreNotKeptByAFileRewrittenAfterAManifestThatWasWrittenAgain) {
    EXPECT_EQ(tag(state, manifest()), first);
    const ReadManifest again = manifest(line('1') + line('2', "b"), written + 10);
    EXPECT_NE(tag(changed_at(written + 20), again), first);
    EXPECT_EQ(tag(state, again), first);
}

TEST_F(ManifestTags, ComeBackWhenTheManifestIsWrittenAfterwards) {
    EXPECT_EQ(tag(state, manifest()), first);
    const FileState moded = changed_at(written + 20);
    EXPECT_NE(tag(moded, manifest()), first);
    EXPECT_EQ(tag(moded, manifest(line('1'), written + 30)), first);
    EXPECT_NE(tag(changed_at(written + 40), manifest(line('1'), written + 30)), first);
}

TEST_F(ManifestTags, DoNotComeBackByAModeOrAFalseTimeOfTheManifest) {
    EXPECT_EQ(tag(state, manifest()), first);
    ReadManifest moded = manifest();
    moded.state.changed.seconds = written + 50;
    EXPECT_NE(tag(changed_at(written + 20), moded), first);
    ReadManifest ahead = manifest();
    ahead.state.modified.seconds = written + 900'000;
    EXPECT_NE(tag(changed_at(written + 20), ahead), first);
    ReadManifest at_once = manifest();
    at_once.state.modified = at_once.state.changed = {written + 20, 7};
    EXPECT_NE(tag(changed_at(written + 20), at_once), first) << "within a tick of the clock";
}

TEST_F(ManifestTags, AreTheSameInAnExchangedRoot) {
    EXPECT_EQ(tag(state, manifest()), first);
    EXPECT_EQ(tag(elsewhere_state, elsewhere(manifest())), first);
    const FileState rewritten = changed(elsewhere_state, [](auto& s) { s.changed.seconds += 900; });
    EXPECT_NE(tag(rewritten, elsewhere(manifest())), first) << "in the new one, too";
    EXPECT_EQ(tag(state, manifest()), first) << "and back";
}

TEST_F(ManifestTags, AreNotThoseOfTheNextStateBeforeIt) {
    EXPECT_EQ(tag(state, manifest()), first);
    const ReadManifest next = manifest(line('2'), written + 10);
    EXPECT_EQ(tag(state, next), usual(state)) << "the manifest came before the file";
    const FileState replaced = changed(changed_at(written + 11), [](auto& s) { ++s.inode; });
    const std::string second = tag(replaced, next);
    EXPECT_NE(second, first);
    EXPECT_EQ(second, EntityTags{TagsFrom::content}.tag_of(
                          {.path = "a", .state = state, .manifest = &next}, later));
}

TEST_F(ManifestTags, AreOfTheNextManifestIfTheLastOneWasNotBelieved) {
    EXPECT_EQ(tag(state, manifest()), first);
    const FileState rewritten = changed_at(written + 5);
    EXPECT_NE(tag(rewritten, manifest()), first) << "not yet in the manifest";
    const ReadManifest next = manifest(line('2'), written + 10);
    EXPECT_EQ(tag(rewritten, next), EntityTags{TagsFrom::content}.tag_of(
                                        {.path = "a", .state = state, .manifest = &next}, later));
}

TEST_F(ManifestTags, AreThoseOfTheTimeWhenTheManifestIsGone) {
    EXPECT_EQ(tag(state, manifest()), first);
    EXPECT_EQ(tags.tag_of({.path = "a", .state = state}, later), usual(state));
    EXPECT_EQ(tag(state, manifest()), first) << "and back";
}

}  // namespace
}  // namespace weir::site
