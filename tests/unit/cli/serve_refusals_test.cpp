#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "cli/serve/serve_options.h"
#include "variable.h"

namespace weir::cli {
namespace {

using Arguments = std::vector<std::string>;

std::string refusal(const Arguments& arguments) {
    const auto options = parse_serve_options(arguments);
    if (options) return "none";
    EXPECT_EQ(options.error().exit_code, 2);
    const std::string& text = options.error().text;
    EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
    EXPECT_TRUE(text.ends_with('\n'));
    EXPECT_TRUE(text.starts_with("weir serve: ")) << text;
    return text;
}

TEST(ServeRefusals, SayWhatIsWrong) {
    const std::map<std::string, Arguments> refused{
        {"--nonsense", {"--nonsense"}},
        {"unexpected argument 'b'", {"a", "b"}},
        {"--port: '65536'", {"-p", "65536"}},
        {"--port: 'x'", {"--port=x"}},
        {"--port: '-1'", {"--port=-1"}},
        {"--workers: '1025'", {"-w", "1025"}},
        {"the engines are auto, blocking", {"-e", "nonsense"}},
        {"--bind: 'example.org'", {"-b", "example.org"}},
        {"--bind: 'fd:' names no passed socket, as fd:web and fd:3 do", {"-b", "fd:"}},
        {"--upload at an address that others reach", {"--upload", "-b", "fd:web"}},
        {"--tls-redirect: 127.0.0.1:8000 is given twice",
         {"--tls", "--tls-redirect", "127.0.0.1:8000"}},
        {"--tls-redirect: 0.0.0.0:8000 is given twice",
         {"--tls", "-b", ":8000", "--tls-redirect", ":8000"}},
        {"--admin: 127.0.0.1:9000 is given twice (--bind has it, too)",
         {"-p", "9000", "--admin", "127.0.0.1:9000"}},
        {"--bind: 127.0.0.1:9000 is given twice", {"-p", "9000", "-b", "127.0.0.1", "-b", "9000"}},
        {"--head-timeout: '10x'", {"--head-timeout", "10x"}},
        {"--max-head: '1'", {"--max-head", "1"}},
        {"--max-head: '2M'", {"--max-head", "2M"}},
        {"--cache-size: '1T'", {"--cache-size", "1T"}},
        {"--memory: '1023K' is less than 1M", {"--memory", "1023K"}},
        {"--compress= has no value: write --compress=gzip,br,zstd, or --compress alone",
         {"--compress="}},
        {"--compress: 'gzip,gzip' names gzip twice", {"--compress=gzip,gzip"}},
        {"--compress: 'br,gzip,br' names br twice", {"--compress=br,gzip,br"}},
        {"--symlinks: 'all'", {"--symlinks", "all"}},
        {"--etag: 'md5' is none of mtime, content and inode", {"--etag", "md5"}},
        {"--etag-manifest needs --etag content", {"--etag-manifest", "SHA256SUMS"}},
        {"--etag-manifest: '/a' is not a file of the folder, such as SHA256SUMS",
         {"--etag", "content", "--etag-manifest", "/a"}},
        {"--access-log-format: 'xml'", {"--access-log-format", "xml"}},
        {"--access-log-format: there is no field {statsu}; did you mean {status}?",
         {"--access-log-format", "{remote} {statsu}"}},
        {"--access-log-format: there is no field {zzzzzz}; the fields are {time}, ",
         {"--access-log-format", "{zzzzzz}"}},
        {"--access-log-format: a { has no }", {"--access-log-format", "{status"}},
        {"--access-log-rotate needs --access-log FILE", {"--access-log-rotate", "1M"}},
        {"--access-log-rotate: /proc/self is a symbolic link; name the file that it leads to",
         {"--access-log", "/proc/self", "--access-log-rotate", "1M"}},
        {"--access-log-rotate needs --access-log FILE", {"-v", "--access-log-rotate", "daily"}},
        {"--access-log-rotate needs --access-log FILE; the daemon of syslog: keeps its log",
         {"--access-log", "syslog:", "--access-log-rotate", "daily"}},
        {"--access-log: the daemon is 'journald:', and a file of that name is './journald'",
         {"--access-log", "journald"}},
        {"--access-log-keep needs --access-log-rotate",
         {"--access-log", "/a", "--access-log-keep", "2"}},
        {"--access-log-rotate: '1000' is less than 1K", {"--access-log-rotate", "1000"}},
        {"--log-skip: ", {"--log-skip", "a/b"}},
        {"--log-sample: '0'", {"--log-sample", "0"}},
        {"--header: '*.css'", {"--header", "*.css"}},
        {"--cache-control: 'max-age=1'", {"--cache-control", "max-age=1"}},
        {"--media-type: '*.foo'", {"--media-type", "*.foo"}},
        {"--media-type: 'html' is not a media type", {"--media-type", "*.foo: html"}},
        {"--media-type: 'a/b'", {"--media-type", "a/b: text/plain"}},
        {"--cors: 'example.org'", {"--cors=example.org"}},
        {"--upload: 'in' is not the path of a folder", {"--upload=in"}},
        {"--upload: '/a/../b' is not the path of a folder", {"--upload=/a/../b"}},
        {"--upload-anyone needs --upload", {"--upload-anyone"}},
        {"--upload-overwrite needs --upload", {"--upload-overwrite"}},
        {"--upload-quota needs --upload", {"--upload-quota", "1G"}},
        {"--upload-max: 0 would let no file in", {"--upload", "--upload-max", "0"}},
        {"--upload-auth: there is no file '/none'", {"--upload", "--upload-auth", "/none"}},
        {"--upload at an address that others reach", {"--upload", "-b", "0.0.0.0"}},
        {"anyone could put files there", {"--upload", "-b", "unix:/s"}},
        {"passwords without TLS", {"--upload", "--upload-auth", "/dev/null", "-b", "0.0.0.0"}},
        {"--cors: 'https://example.org/'", {"--cors", "https://example.org/"}},
        {"--cors: 'null'", {"--cors", "null"}},
        {"PATH and --root name different folders", {"/a", "-r", "/b"}},
        {"--root needs a value: --root PATH", {"-r"}},
        {"--root needs a value", {"--root", "--spa"}},
        {"--root needs a value", {"--root="}},
        {"--port needs a value", {"-l", "--port"}},
        {"unknown option --engnie; did you mean --engine?", {"--engnie", "epoll-edge"}},
        {"unknown option --lisitng; did you mean --listing?", {"--lisitng"}},
        {"unknown option --lisitng; did you mean --listing?", {"--lisitng=1", "a"}},
        {"unknown option -port; did you mean --port?", {"-port", "80"}},
        {"unknown option -x;", {"-x"}},
        {"unknown option --cat;", {"--cat"}},
        {"did you mean --cache-control or --cache-size?", {"--cache"}},
        {"did you mean --max-head?", {"--maxhead", "16K"}},
        {"unexpected argument '--listing'", {"--", "a", "--listing"}},
        {"--spa: 'maybe' is not 1 or 0", {"--spa=maybe"}},
        {"'epol'; did you mean epoll-blocking, epoll-level, epoll-edge or", {"-e", "epol"}},
        {"--busy-poll: '50' is not a time with a unit", {"--busy-poll", "50"}},
        {"--busy-poll: '10001us'", {"--busy-poll", "10001us"}},
        {"--queue: the engine per-core has no queue; use it with thread-pool and reactor",
         {"--queue", "3"}},
        {"--workers: the engine blocking has no workers; use it with thread-pool,",
         {"-w", "2", "-e", "blocking"}},
        {"--pin: the engine poll has no workers", {"--pin", "-e", "poll"}},
        {"--busy-poll: the engine blocking has no loop on epoll",
         {"--busy-poll", "50us", "-e", "blocking"}},
        {"--index: 'a/b'", {"--index", "a/b"}},
        {"--index: ''", {"--index", ""}},
        {"--header: the field ETag can't be set", {"--header", "*: ETag: x"}},
    };
    for (const auto& [naming, arguments] : refused) {
        const std::string text = refusal(arguments);
        EXPECT_TRUE(text.contains(naming)) << text << " should name " << naming;
    }
}

TEST(ServeRefusals, SayWhichVariableIsWrong) {
    {
        const Variable variable{"WEIR_PORT", "http"};
        EXPECT_TRUE(refusal({}).contains("WEIR_PORT: 'http' is not a number")) << refusal({});
        EXPECT_EQ(parse_serve_options({"-p", "1"})->server.port, 1);
    }
    {
        const Variable variable{"WEIR_QUEUE", "3"};
        EXPECT_TRUE(refusal({}).contains("WEIR_QUEUE: the engine per-core has no queue"));
    }
    const Variable variable{"WEIR_SPA", "perhaps"};
    EXPECT_TRUE(refusal({}).contains("WEIR_SPA: ")) << refusal({});
}

TEST(ServeRefusals, LeaveRoomForHelpWhereverItStands) {
    for (const Arguments& arguments :
         {Arguments{"--nonsense", "-h"}, Arguments{"-p", "x", "--help"}, Arguments{"-p", "-h"},
          Arguments{"-lh", "--nonsense"}, Arguments{"a", "b", "c", "-h"}}) {
        const auto options = parse_serve_options(arguments);
        ASSERT_FALSE(options.has_value());
        EXPECT_EQ(options.error().exit_code, 0) << options.error().text;
    }
    EXPECT_EQ(parse_serve_options({"--", "-h"})->site.root, "-h");
}

}  // namespace
}  // namespace weir::cli
