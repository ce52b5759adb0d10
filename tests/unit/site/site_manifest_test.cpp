#include <ctime>
#include <filesystem>
#include <vector>

#include "site/fields/manifest_reader.h"
#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

constexpr std::int64_t long_ago = 1'234'567'890;

/// Tags of large files by a manifest.
class SiteManifest : public SiteTest {
   protected:
    static std::string large(char letter) { return std::string(1'100'000, letter); }
    /// No hash at all: its kind does not matter.
    static std::string line(char letter, const std::string& path = "film.mp4") {
        return std::string(64, letter) + "  " + path + "\n";
    }
    void write(const std::string& path, char letter, std::int64_t time = long_ago) const {
        tree.write(path, large(letter));
        tree.set_modified(path, time);
    }
    void write_manifest(const std::string& text, const std::string& path = "SHA256SUMS") const {
        tree.write(path, text);
        settle(path);
    }
    /// Until then, a manifest says nothing.
    void settle(const std::string& path) const {
        const auto has_settled = [&] {
            timespec now{};
            ::clock_gettime(CLOCK_REALTIME, &now);
            return is_settled(FileState::from(tree.status(path)), {now.tv_sec, now.tv_nsec});
        };
        while (!has_settled()) std::this_thread::yield();
    }
    void SetUp() override {
        write("film.mp4", 'a');
        write_manifest(line('a'));
    }

    Options by_manifest(const std::string& folder = ".") const {
        return {
            .root = tree.at(folder).string(),
            .tags_from = TagsFrom::content,
            .tags_manifest = {.file = "SHA256SUMS", .notice = [this](std::string_view sentence) {
                                  told.emplace_back(sentence);
                              }}};
    }
    static std::unique_ptr<Site> open(Options options) {
        auto site = Site::open(std::move(options));
        if (!site) throw std::runtime_error{site.error()};
        return std::move(*site);
    }
    static std::string tag(Site& site, const std::string& path = "/film.mp4") {
        return *settled(site, "HEAD " + path).field("ETag");
    }
    /// By another site, which has seen nothing.
    std::string usual_tag() const {
        return tag(*open({.root = tree.string(), .tags_from = TagsFrom::content}));
    }
    static void expect_tag(Site& site, const std::string& tag) {
        ask_until(site, "HEAD /film.mp4", [&](const auto& a) { return a.field("ETag") == tag; });
    }
    /// Waits until the site has heard of a change. (The content of a large file may be new before
    /// that.) Its tag then is another one, also after it has settled.
    static void expect_other_tag(Site& site, const std::string& before, char letter) {
        const auto changed = ask_until(site, "GET /film.mp4",
                                       [&](const auto& a) { return a.field("ETag") != before; });
        EXPECT_TRUE(changed.body == large(letter));
        EXPECT_NE(tag(site), before);
    }

    mutable std::vector<std::string> told;
};

TEST_F(SiteManifest, GivesOneTagToTheSameFileWhateverItsTimes) {
    write("b/film.mp4", 'a', long_ago + 100);
    write_manifest("# written by sha256sum\n" + line('a'), "b/SHA256SUMS");
    const auto one = open(by_manifest());
    const auto other = open(by_manifest("b"));
    EXPECT_EQ(tag(*one), tag(*other));
    EXPECT_NE(tag(*one), usual_tag());
    EXPECT_EQ(ask(*one, "GET /film.mp4", {"If-None-Match: " + tag(*other)}).status, 304u);
    EXPECT_TRUE(told.empty());
}

TEST_F(SiteManifest, LeavesSmallFilesToTheirContent) {
    tree.write("a.txt", "a");
    write_manifest(line('a') + line('b', "a.txt"));
    const auto with = open(by_manifest());
    const auto without = open({.root = tree.string(), .tags_from = TagsFrom::content});
    EXPECT_EQ(tag(*with, "/a.txt"), tag(*without, "/a.txt"));
}

TEST_F(SiteManifest, NamesPrecompressedFilesOnTheirOwn) {
    for (const auto* const name : {"app.js", "app.js.gz"}) {
        write(name, 'a');
        write(std::string{"b/"} + name, 'a', long_ago + 100);
    }
    const std::string text = line('b', "app.js") + line('c', "app.js.gz");
    write_manifest(text);
    write_manifest(text, "b/SHA256SUMS");
    const auto tag_of = [](Site& site, const std::string& coding) {
        tag(site, "/app.js");  // both have settled
        return ask(site, "HEAD /app.js", {"Accept-Encoding: " + coding}).field("ETag");
    };
    const auto one = open(by_manifest());
    const auto other = open(by_manifest("b"));
    EXPECT_EQ(tag_of(*one, "gzip"), tag_of(*other, "gzip"));
    EXPECT_EQ(tag_of(*one, "identity"), tag_of(*other, "identity"));
    EXPECT_NE(tag_of(*one, "identity"), tag_of(*one, "gzip"));
}

TEST_F(SiteManifest, DoesNotNameAFileRewrittenWithItsTimePutBack) {
    const auto site = open(by_manifest());
    const std::string before = tag(*site);
    write("film.mp4", 'b');
    expect_other_tag(*site, before, 'b');
}

TEST_F(SiteManifest, DoesNotNameAFileThatIsReplacedByRename) {
    const auto site = open(by_manifest());
    const std::string before = tag(*site);
    write("new", 'b');
    std::filesystem::rename(tree.at("new"), tree.at("film.mp4"));
    expect_other_tag(*site, before, 'b');
}

TEST_F(SiteManifest, DoesNotNameAFileThatIsNewer) {
    const std::string named = tag(*open(by_manifest()));
    tree.set_modified("SHA256SUMS", long_ago - 3);
    settle("SHA256SUMS");
    const auto site = open(by_manifest());
    EXPECT_EQ(tag(*site), usual_tag());
    tree.set_modified("SHA256SUMS", long_ago - 2);
    expect_tag(*site, named);
}

TEST_F(SiteManifest, OfAnExchangedRootIsItsOwn) {
    write("1/film.mp4", 'a');
    write("2/film.mp4", 'a', long_ago + 5);
    write("3/film.mp4", 'b');
    write_manifest(line('a'), "1/SHA256SUMS");
    write_manifest(line('a') + line('c', "other"), "2/SHA256SUMS");
    write_manifest(line('b'), "3/SHA256SUMS");
    const auto lead_to = [&](const std::string& release) {
        tree.write(release + "/name.txt", release);
        tree.link("next", release);
        std::filesystem::rename(tree.at("next"), tree.at("current"));
    };
    lead_to("1");
    const auto site = open(by_manifest("current"));
    const std::string before = tag(*site);
    lead_to("2");
    expect_body(*site, "GET /name.txt", "2");
    EXPECT_EQ(tag(*site), before) << "the same bytes in another release";
    lead_to("3");
    expect_other_tag(*site, before, 'b');
    EXPECT_EQ(tag(*site), tag(*open(by_manifest("3"))));
}

TEST_F(SiteManifest, IsReadAnewWhenItIsRewrittenInPlace) {
    const auto site = open(by_manifest());
    const std::string before = tag(*site);
    write("film.mp4", 'b');
    expect_other_tag(*site, before, 'b');
    write_manifest(line('b'));
    const std::string after = tag(*open(by_manifest()));
    expect_tag(*site, after);
    EXPECT_NE(after, before);
}

TEST_F(SiteManifest, NamesAFileAgainIfItIsWrittenAfterAChmod) {
    const auto site = open(by_manifest());
    const std::string before = tag(*site);
    std::filesystem::permissions(tree.at("film.mp4"), std::filesystem::perms{0600});
    expect_other_tag(*site, before, 'a');
    std::filesystem::permissions(tree.at("SHA256SUMS"), std::filesystem::perms{0600});
    settle("SHA256SUMS");
    EXPECT_NE(tag(*site), before) << "a mode of the manifest is no reason";
    write_manifest(line('a'));
    expect_tag(*site, before);
}

TEST_F(SiteManifest, MayGoAndComeBack) {
    const auto site = open(by_manifest());
    const std::string before = tag(*site);
    std::filesystem::rename(tree.at("SHA256SUMS"), tree.at("away"));
    expect_tag(*site, usual_tag());
    std::filesystem::rename(tree.at("away"), tree.at("SHA256SUMS"));
    expect_tag(*site, before);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_TRUE(told[0].starts_with("SHA256SUMS can't be read, ")) << told[0];
}

TEST_F(SiteManifest, MayBeHiddenFromClients) {
    Options options = by_manifest();
    options.hidden = {"/SHA256SUMS"};
    const auto site = open(options);
    expect_status(*site, "GET /SHA256SUMS", 404);
    EXPECT_EQ(tag(*site), tag(*open(by_manifest())));
    write_manifest(line('b'));
    expect_tag(*site, usual_tag());  // one of both was wrong
    EXPECT_EQ(ask(*open(by_manifest()), "GET /SHA256SUMS").body, line('b'));
}

TEST_F(SiteManifest, NamesFilesBelowItsFolder) {
    write("b/film.mp4", 'a', long_ago + 7);
    write("b/c/film.mp4", 'a', long_ago + 8);
    write_manifest(line('a') + line('a', "./c/film.mp4"), "b/SHA256SUMS");
    Options options = by_manifest();
    options.tags_manifest.file = "b/SHA256SUMS";
    const auto site = open(options);
    EXPECT_EQ(tag(*site, "/b/film.mp4"), tag(*site, "/b/c/film.mp4"));
    EXPECT_EQ(tag(*site), usual_tag());
}

TEST_F(SiteManifest, TellsOfWrongLinesOnce) {
    write_manifest("wrong\n" + line('a') + std::string(64, 'b') + " one space\n");
    const auto site = open(by_manifest());
    EXPECT_TRUE(told.empty()) << "nobody has asked for a large file";
    tag(*site);
    write("more.mp4", 'b');
    tag(*site, "/more.mp4");
    ASSERT_EQ(told.size(), 2u);
    EXPECT_EQ(told[0],
              "SHA256SUMS:1: it does not begin with a hash, as sha256sum writes it; the line is "
              "ignored");
    EXPECT_TRUE(told[1].starts_with("SHA256SUMS:3: ")) << told[1];
    EXPECT_NE(tag(*site), usual_tag());
}

TEST_F(SiteManifest, TellsOfFurtherWrongLinesByTheirNumber) {
    std::string wrong;
    for (int i = 0; i < 23; ++i) wrong += "wrong\n";
    write_manifest(wrong);
    tag(*open(by_manifest()));
    ASSERT_EQ(told.size(), 21u);
    EXPECT_EQ(told[20], "SHA256SUMS: 3 more lines are ignored");
}

TEST_F(SiteManifest, HasSixteenMegabytesAtMost) {
    std::string text = line('a');
    text.resize(ManifestReader::bytes_max + 1, '\n');
    write_manifest(text);
    const auto site = open(by_manifest());
    EXPECT_EQ(tag(*site), usual_tag());
    ASSERT_EQ(told.size(), 1u);
    EXPECT_TRUE(told[0].ends_with(": it is larger than 16 MB")) << told[0];
    text.pop_back();
    write_manifest(text);
    const std::string usual = usual_tag();
    ask_until(*site, "HEAD /film.mp4", [&](const auto& a) { return a.field("ETag") != usual; });
}

TEST_F(SiteManifest, HasHashesOfSoManyFilesAtMost) {
    std::string text = line('a');
    for (std::size_t i = 0; i < HashManifest::entries_max; ++i)
        text.append(32, 'b').append("  ").append(std::to_string(i)) += '\n';
    write_manifest(text);
    EXPECT_EQ(tag(*open(by_manifest())), usual_tag());
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0],
              "SHA256SUMS can't be read, and the tags of large files are made from their times: it "
              "has hashes of more than 250,000 files");
}

TEST_F(SiteManifest, MustBeAFileOfTheFolderForTagsOfTheContent) {
    const auto error_of = [&](const std::string& file, TagsFrom from) {
        const auto site =
            Site::open({.root = tree.string(), .tags_from = from, .tags_manifest = {.file = file}});
        return site ? "" : site.error();
    };
    EXPECT_EQ(error_of("a/b", TagsFrom::content), "");
    EXPECT_NE(error_of("a", TagsFrom::mtime), "");
    EXPECT_NE(error_of("a", TagsFrom::inode), "");
    for (const auto* const file : {"/a", "../a", "a/", "a//b"})
        EXPECT_NE(error_of(file, TagsFrom::content), "") << file;
}

}  // namespace
}  // namespace weir::site
