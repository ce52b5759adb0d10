#include "upload/new_file.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <csignal>
#include <functional>

#include "uploading.h"
#include "weir/web/refusal.h"

namespace weir::upload {
namespace {

/// Files without names, and files with hidden ones.
struct NewFiles : Uploading, ::testing::WithParamInterface<NewFile (*)(int)> {
    net::UniqueFd folder{::open(tree.string().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};

    NewFile make() const { return GetParam()(folder.get()); }
    unsigned refused(const std::function<void()>& attempt) const {
        try {
            attempt();
            return 0;
        } catch (const web::Refusal& refusal) {
            return http::code(refusal.status());
        }
    }
};

TEST_P(NewFiles, HaveTheirNameAtTheEnd) {
    auto file = make();
    file.write("te");
    file.write("xt");
    EXPECT_FALSE(content("a"));
    file.sync();
    file.publish("a", false);
    EXPECT_EQ(content("a"), "text");
    EXPECT_EQ(names(), 1);
}

TEST_P(NewFiles, ReplaceOnlyIfTheyAreToldTo) {
    tree.write("a", "old");
    {
        auto file = make();
        file.write("new");
        EXPECT_EQ(refused([&] { file.publish("a", false); }), 409u);
        EXPECT_EQ(content("a"), "old");
        file.publish("a", true);
    }
    EXPECT_EQ(content("a"), "new");
    EXPECT_EQ(names(), 1);
}

TEST_P(NewFiles, LeaveNothingIfTheyGetNoName) {
    tree.directory("folder");
    {
        auto file = make();
        file.write("x");
        EXPECT_EQ(refused([&] { file.publish("folder", true); }), 409u);
    }
    EXPECT_EQ(names(), 1);
}

INSTANTIATE_TEST_SUITE_P(OfBothKinds, NewFiles,
                         ::testing::Values(&NewFile::in, &NewFile::named_in));

/// As a full disk, which a test has none of (setrlimit(2)): write(2) takes a part, then nothing.
TEST_F(Uploading, WithoutRoomAre507AndLeaveNothing) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{.rlim_cur = 1000, .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    EXPECT_EQ(put("/a", std::string(2000, 'x')).status, 507u);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(names(), 0);
}

}  // namespace
}  // namespace weir::upload
