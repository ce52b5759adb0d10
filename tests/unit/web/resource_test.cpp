#include "weir/web/resource.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>

#include "support/temporary_path.h"
#include "support/time_limit.h"
#include "weir/web/await.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

const std::string alphabet = "abcdefghijklmnopqrstuvwxyz";
const Validators validators{.entity_tag = "\"v1\"", .last_modified = 784'111'777};

/// Reads a few bytes at a time; fails from `broken_from` on.
struct Letters final : Seekable {
    explicit Letters(std::uint64_t broken) : broken_from{broken} {}
    std::uint64_t size() const override { return alphabet.size(); }
    std::size_t read(std::uint64_t offset, std::span<char> into) override {
        if (offset >= broken_from) return 0;
        const std::size_t size = std::min<std::size_t>(into.size(), 5);
        std::copy_n(alphabet.data() + offset, size, into.data());
        return size;
    }
    std::uint64_t broken_from;
};

struct Resources : ::testing::Test {
    std::uint64_t broken_from = 100;
    std::string path = weir::tests::temporary_path("weir_web_resource");
    Router router;
    Probe probe{router};

    Resources() {
        std::ofstream{path} << alphabet;
        router.get("/string", [](const Call& call) {
            return resource(call, "text/plain", validators, alphabet);
        });
        router.get("/seekable", [this](const Call& call) {
            return resource(call, "text/plain", validators, std::make_unique<Letters>(broken_from));
        });
        router.get("/file",
                   [this](const Call& call) { return resource_file(call, "text/plain", path); });
        router.get("/slow", [](const Call& call) {
            const auto give = [](Stream out, ByteRange range) -> Task<> {
                for (; range.size != 0; ++range.first, --range.size) {
                    co_await sleep_for(1s);
                    co_await out.write(std::string_view{alphabet}.substr(range.first, 1));
                }
            };
            return resource(call, "text/plain", validators, alphabet.size(), give);
        });
        router.put("/string", [](const Call& call) {
            if (auto unmet = unmet_condition(call, validators)) return std::move(*unmet);
            return text("changed");
        });
    }
    ~Resources() override { std::remove(path.c_str()); }

    /// That of the file, once its clock has moved on.
    std::string settled_tag() {
        const auto end = std::chrono::steady_clock::now() + tests::time_limit;
        std::string tag;
        do tag = probe.get("/file").field("ETag");
        while (tag.starts_with("W/") && std::chrono::steady_clock::now() < end);
        EXPECT_TRUE(tag.starts_with('"')) << tag;
        return tag;
    }
};

TEST_F(Resources, AreSentAsAWhole) {
    for (const char* const target : {"/string", "/seekable", "/file"}) {
        const auto answer = probe.get(target);
        EXPECT_EQ(answer.status, 200u);
        EXPECT_EQ(answer.content, alphabet) << target;
        EXPECT_EQ(answer.field("Accept-Ranges"), "bytes");
        EXPECT_EQ(answer.field("Content-Length"), "26");
        EXPECT_NE(answer.field("ETag"), "");
        EXPECT_EQ(probe.ask("HEAD", target).field("Content-Length"), "26");
    }
    EXPECT_EQ(probe.get("/string").field("Last-Modified"), "Sun, 06 Nov 1994 08:49:37 GMT");
}

TEST_F(Resources, OfAFileWithoutADateHaveNoLastModified) {
    for (const time_t seconds : {0, 1}) {
        const timespec times[2] = {{seconds, 0}, {seconds, 0}};
        ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
        EXPECT_EQ(probe.get("/file").field("Last-Modified"), "") << seconds;
        const std::string tag = settled_tag();
        EXPECT_EQ(probe.get("/file", {{"If-None-Match", tag}}).status, 304u);
        std::string other = alphabet;
        std::swap(other[0], other[1]);
        std::ofstream{path + "~"} << other;
        ASSERT_EQ(::utimensat(AT_FDCWD, (path + "~").c_str(), times, 0), 0);
        ASSERT_EQ(std::rename((path + "~").c_str(), path.c_str()), 0);
        EXPECT_NE(settled_tag(), tag) << seconds;
    }
}

TEST_F(Resources, OfAFileThatIsBeingWrittenHaveTagsForOneAnswer) {
    const auto now = [] {
        timespec time;
        ::clock_gettime(CLOCK_REALTIME, &time);
        return time.tv_sec * 1'000'000'000 + time.tv_nsec;
    };
    // Repeat: on a busy machine, the file may have settled before it was looked at.
    for (const auto end = now() + 20'000'000'000; now() < end;) {
        const auto begin = now();
        std::ofstream{path} << alphabet;
        const std::string one{probe.get("/file").field("ETag")};
        const std::string other{probe.get("/file").field("ETag")};
        if (now() - begin > 10'000'000) continue;
        EXPECT_TRUE(one.starts_with("W/\"")) << one;
        EXPECT_NE(one, other);
        return;
    }
    FAIL() << "never fast enough";
}

TEST_F(Resources, AreSentInRanges) {
    for (const char* const target : {"/string", "/seekable", "/file"}) {
        const auto answer = probe.get(target, {{"Range", "bytes=3-12"}});
        EXPECT_EQ(answer.status, 206u);
        EXPECT_EQ(answer.content, "defghijklm") << target;
        EXPECT_EQ(answer.field("Content-Range"), "bytes 3-12/26");
        EXPECT_EQ(probe.get(target, {{"Range", "bytes=-2"}}).content, "yz");
        EXPECT_EQ(probe.get(target, {{"Range", "bytes=0-4,2-9"}}).content, alphabet) << "overlap";
        EXPECT_EQ(probe.get(target, {{"Range", "lines=0-1"}}).content, alphabet);
        const auto none = probe.get(target, {{"Range", "bytes=26-"}});
        EXPECT_EQ(none.status, 416u);
        EXPECT_EQ(none.field("Content-Range"), "bytes */26");
    }
    EXPECT_EQ(probe.get("/string", {{"Range", "bytes=0-1"}, {"If-Range", "\"v1\""}}).status, 206u);
    EXPECT_EQ(probe.get("/string", {{"Range", "bytes=0-1"}, {"If-Range", "\"v2\""}}).status, 200u);
}

TEST_F(Resources, ThatACoroutineMakesAreSentInRanges) {
    const auto ask = [this](const Probe::Fields& fields) {
        auto exchange = probe.open("GET", "/slow", fields);
        probe.advance(30s);
        return exchange.answer();
    };
    const auto whole = ask({});
    EXPECT_EQ(whole.status, 200u);
    EXPECT_EQ(whole.field("Content-Length"), "26");
    EXPECT_EQ(whole.field("Accept-Ranges"), "bytes");
    EXPECT_EQ(whole.field("ETag"), "\"v1\"");
    EXPECT_EQ(whole.field("Content-Type"), "text/plain");
    EXPECT_EQ(whole.content, alphabet);
    const auto part = ask({{"Range", "bytes=3-12"}});
    EXPECT_EQ(part.status, 206u);
    EXPECT_EQ(part.field("Content-Range"), "bytes 3-12/26");
    EXPECT_EQ(part.field("Content-Length"), "10");
    EXPECT_EQ(part.content, "defghijklm");
    EXPECT_TRUE(part.is_complete);
    EXPECT_EQ(ask({{"Range", "bytes=0-0,3-4"}}).content, alphabet);
    EXPECT_EQ(ask({{"Range", "bytes=26-"}}).status, 416u);
    EXPECT_EQ(ask({{"If-None-Match", "\"v1\""}}).status, 304u);
    EXPECT_EQ(probe.ask("HEAD", "/slow").field("Content-Length"), "26");
}

TEST_F(Resources, AreSentInSeveralRanges) {
    for (const char* const target : {"/string", "/seekable", "/file"}) {
        const auto answer = probe.get(target, {{"Range", "bytes=0-0,12-19,-2"}});
        EXPECT_EQ(answer.status, 206u);
        const std::string type{answer.field("Content-Type")};
        const std::string start = "multipart/byteranges; boundary=";
        ASSERT_TRUE(type.starts_with(start)) << type;
        const std::string line = "--" + type.substr(start.size());
        const auto part = [&](const char* range, const char* bytes) {
            return line + "\r\nContent-Type: text/plain\r\nContent-Range: bytes " + range +
                   "/26\r\n\r\n" + bytes + "\r\n";
        };
        EXPECT_EQ(answer.content, part("0-0", "a") + part("12-19", "mnopqrst") +
                                      part("24-25", "yz") + line + "--\r\n")
            << target;
        EXPECT_EQ(answer.field("Content-Range"), "");
        EXPECT_NE(answer.field("ETag"), "");
    }
}

TEST_F(Resources, AreNotSentAgain) {
    const auto answer = probe.get("/string", {{"If-None-Match", "\"v1\""}});
    EXPECT_EQ(answer.status, 304u);
    EXPECT_EQ(answer.field("ETag"), "\"v1\"");
    EXPECT_EQ(probe.get("/string", {{"If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"}}).status,
              304u);
    EXPECT_EQ(probe.get("/file", {{"If-None-Match", settled_tag()}}).status, 304u);
    EXPECT_EQ(probe.get("/string", {{"If-None-Match", "\"v2\""}}).status, 200u);
}

TEST_F(Resources, AreNotChangedByThoseWhoKnowAnOldState) {
    const auto put = [this](const char* name, const char* value) {
        return probe.ask("PUT", "/string", {{name, value}}, "new").status;
    };
    EXPECT_EQ(put("If-Match", "\"v1\""), 200u);
    EXPECT_EQ(put("If-Match", "\"v0\""), 412u);
    EXPECT_EQ(put("If-None-Match", "*"), 412u);
    EXPECT_EQ(put("X-Other", "x"), 200u);
}

TEST_F(Resources, ThatCannotBeReadAreIncomplete) {
    broken_from = 10;
    EXPECT_FALSE(probe.open("GET", "/seekable").wait().is_complete);
    EXPECT_FALSE(probe.open("GET", "/seekable", {{"Range", "bytes=0-1,10-12"}}).wait().is_complete);
    std::remove(path.c_str());
    EXPECT_EQ(probe.get("/file").status, 404u);
}

TEST(Negotiation, OfMediaTypes) {
    Router router;
    router.get("/", [](const Call& call) {
        return text(std::string{accepted(call, {"application/json", "text/html", "text/plain"})});
    });
    const auto best = [&](const char* accept) {
        return Probe{router}.get("/", {{"Accept", accept}}).content;
    };
    EXPECT_EQ(Probe{router}.get("/").content, "application/json");
    EXPECT_EQ(best("text/html"), "text/html");
    EXPECT_EQ(best("Text/HTML;q=0.5, text/plain"), "text/plain");
    EXPECT_EQ(best("text/*, application/json;q=0.9"), "text/html");
    EXPECT_EQ(best("*/*;q=0.1, text/plain;q=0.2"), "text/plain");
    EXPECT_EQ(best("text/*, text/html;q=0"), "text/plain") << "the exact one decides";
    EXPECT_EQ(best("image/png"), "");
    EXPECT_EQ(best("*/*;q=0"), "");
}

TEST(Negotiation, OfLanguages) {
    Router router;
    router.get("/", [](const Call& call) {
        return text(std::string{accepted_language(call, {"en", "de-CH", "fr"})});
    });
    const auto best = [&](const char* accept) {
        return Probe{router}.get("/", {{"Accept-Language", accept}}).content;
    };
    EXPECT_EQ(Probe{router}.get("/").content, "en");
    EXPECT_EQ(best("de"), "de-CH");
    EXPECT_EQ(best("fr;q=0.8, de;q=0.9"), "de-CH");
    EXPECT_EQ(best("d, e"), "en");
    EXPECT_EQ(best("it"), "en");
    EXPECT_EQ(best("*;q=0.1, fr"), "fr");
}

std::string best_language(const char* accept, std::initializer_list<std::string_view> offers) {
    Router router;
    router.get("/", [offers](const Call& call) {
        return text(std::string{accepted_language(call, offers)});
    });
    return Probe{router}.get("/", {{"Accept-Language", accept}}).content;
}

TEST(Negotiation, OfLanguagesLooksUpWhatARangeStartsWith) {
    EXPECT_EQ(best_language("en-US", {"de", "en", "fr"}), "en");
    EXPECT_EQ(best_language("EN-us", {"de", "en"}), "en");
    EXPECT_EQ(best_language("zh-Hant-CN-x-private1", {"en", "zh", "zh-Hant"}), "zh-Hant");
    EXPECT_EQ(best_language("en-US, de;q=0.8, en;q=0.5", {"de", "en"}), "en");
    EXPECT_EQ(best_language("en-US, en;q=0.5, de;q=0.8", {"de", "en", "en-US"}), "en-US");
    EXPECT_EQ(best_language("en-US, en;q=0.5, de;q=0.8", {"de", "en", "en-GB"}), "en");
    EXPECT_EQ(best_language("en-US;q=0.5, fr;q=0.7", {"de", "en", "fr"}), "fr");
    EXPECT_EQ(best_language("english", {"de", "en"}), "de") << "a subtag is whole";
}

TEST(Negotiation, OfLanguagesTakesTheTagItself) {
    EXPECT_EQ(best_language("de", {"de-CH", "de"}), "de");
    EXPECT_EQ(best_language("de-CH", {"de", "de-CH"}), "de-CH");
    EXPECT_EQ(best_language("fr, en", {"en", "fr"}), "en") << "of equals the first";
}

TEST(Negotiation, OfLanguagesGivesNoneThatIsRefused) {
    EXPECT_EQ(best_language("en-US, en;q=0, *;q=0.1", {"en", "de"}), "de");
    EXPECT_EQ(best_language("en-US;q=0, en", {"en-US", "en"}), "en");
    EXPECT_EQ(best_language("en-US;q=0.2, *", {"en", "de"}), "de");
}

}  // namespace
}  // namespace weir::web
