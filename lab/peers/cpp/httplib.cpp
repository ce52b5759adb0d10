// cpp-httplib: a thread for each kept connection, out of a pool that is as large as there are connections. With a smaller
// pool the other connections would wait until one closes.

#define CPPHTTPLIB_LISTEN_BACKLOG 4096  // peers::BACKLOG

#include <httplib.h>

#include "files.h"

int main(int count, char** words) {
    const auto given = peers::arguments(count, words);
    httplib::Server server;
    server.new_task_queue = [&] { return new httplib::ThreadPool(given.connections); };
    server.set_keep_alive_max_count(1'000'000'000);
    server.set_keep_alive_timeout(peers::KEEP_ALIVE_SECONDS);
    server.set_tcp_nodelay(true);
    server.Get("/[^/]+", [&](const httplib::Request& request, httplib::Response& response) {
        const auto found = given.files.find(request.path);
        if (found == given.files.end()) {
            response.status = 404;
            return;
        }
        const auto& file = found->second;
        response.set_header("Date", peers::http_date(std::time(nullptr)));
        response.set_header("Last-Modified", file.last_modified);
        response.set_header("Accept-Ranges", "bytes");
        response.set_header("ETag", file.tag);
        response.set_header("X-Content-Type-Options", "nosniff");
        response.set_content(file.content, "application/octet-stream");
    });
    return server.listen("127.0.0.1", given.port) ? 0 : 1;
}
