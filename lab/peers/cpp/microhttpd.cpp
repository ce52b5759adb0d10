// libmicrohttpd: an event loop on epoll in each thread. Each file has one answer, which all requests share.

#include <microhttpd.h>

#include <csignal>
#include <memory>

#include <arpa/inet.h>

#include "files.h"

namespace {

using Answer = std::unique_ptr<MHD_Response, decltype(&MHD_destroy_response)>;

struct Answers {
    std::map<std::string, Answer, std::less<>> files;
    Answer missing{MHD_create_response_from_buffer(0, nullptr, MHD_RESPMEM_PERSISTENT),
                   MHD_destroy_response};
};

Answer answer_of(const peers::File& file) {
    auto* const content =
        const_cast<char*>(file.content.data());  // the library takes void*, and does not write
    Answer made(
        MHD_create_response_from_buffer(file.content.size(), content, MHD_RESPMEM_PERSISTENT),
        MHD_destroy_response);
    MHD_add_response_header(made.get(), "Last-Modified", file.last_modified.c_str());
    MHD_add_response_header(made.get(), "Accept-Ranges", "bytes");
    MHD_add_response_header(made.get(), "ETag", file.tag.c_str());
    MHD_add_response_header(made.get(), "Content-Type", "application/octet-stream");
    MHD_add_response_header(made.get(), "X-Content-Type-Options", "nosniff");
    return made;
}

MHD_Result answer(void* context, MHD_Connection* connection, const char* path, const char*,
                  const char*, const char*, size_t*, void** of_request) {
    // It calls once after the head, and again after the content. Whoever answers at once ends the connection.
    if (*of_request == nullptr) {
        *of_request = context;
        return MHD_YES;
    }
    const auto& answers = *static_cast<const Answers*>(context);
    const auto found = answers.files.find(std::string_view(path));
    if (found == answers.files.end())
        return MHD_queue_response(connection, MHD_HTTP_NOT_FOUND, answers.missing.get());
    return MHD_queue_response(connection, MHD_HTTP_OK, found->second.get());
}

}  // namespace

int main(int count, char** words) {
    const auto given = peers::arguments(count, words);
    Answers answers;
    for (const auto& [path, file] : given.files) answers.files.emplace(path, answer_of(file));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(given.port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sigset_t end;
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &end, nullptr);
    // Each thread of a pool takes an equal part of the connections, and the kernel does not deal them out evenly.
    auto* const daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD, given.port, nullptr, nullptr, &answer, &answers,
        MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT,
        given.connections * given.workers, MHD_OPTION_CONNECTION_TIMEOUT,
        unsigned(peers::KEEP_ALIVE_SECONDS), MHD_OPTION_LISTEN_BACKLOG_SIZE,
        unsigned(peers::BACKLOG), given.workers > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END,
        given.workers, MHD_OPTION_END);
    if (daemon == nullptr) {
        std::fprintf(stderr, "microhttpd-peer: the daemon did not start\n");
        return 1;
    }
    int number = 0;
    sigwait(&end, &number);
    MHD_stop_daemon(daemon);
    return 0;
}
