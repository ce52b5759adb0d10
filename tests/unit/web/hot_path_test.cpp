// A separate program, because it replaces the allocation functions of the whole process.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "unit/site/request_fixture.h"
#include "weir/web/router.h"

namespace {
thread_local long allocations = 0;
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc{};
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace weir::web {
namespace {

struct HotRoutes : ::testing::Test {
    Router router;

    HotRoutes() {
        router.get("/plaintext", [] { return text_view("Hello, World!"); });
        router.get("/users/{id}/files/{path...}", [](const Call& call) {
            const bool known = call.parameter<int>("id") == 7 && call.parameter("path") == "a/b";
            return known ? json_view("{\"ok\":true}") : Response{Status::not_found};
        });
        router.get("/owned",
                   [](const Call& call) { return text(std::string(100, call.path()[1])); });
        for (int i = 0; i < 1000; ++i)
            router.get("/service/" + std::to_string(i) + "/{id}", [] { return Response{}; });
    }
    long allocations_of(std::string_view line) {
        const site::TestRequest request{line};
        const long before = allocations;
        for (int i = 0; i < 10; ++i) {
            const http::Reply reply = router.handle(request.get());
            EXPECT_EQ(http::code(std::get<Response>(reply).status()), 200u) << line;
        }
        return allocations - before;
    }
};

TEST_F(HotRoutes, CountAllocationsAtAll) { EXPECT_EQ(allocations_of("GET /owned"), 10); }

TEST_F(HotRoutes, AllocateNothing) {
    EXPECT_EQ(allocations_of("GET /plaintext"), 0);
    EXPECT_EQ(allocations_of("HEAD /plaintext?query=1"), 0);
    EXPECT_EQ(allocations_of("GET /users/7/files/a/b"), 0);
    EXPECT_EQ(allocations_of("GET /service/999/x"), 0);
}

}  // namespace
}  // namespace weir::web
