# What is fuzzed, and what the programs share: for libFuzzer here, and for the replays in tests/corpus/.
set(WEIR_FUZZED
    head_parser chunked_decoder connection hpack http2 target glob ranges conditions preferences listing log_lines addresses
    options proxy_header site supervisor tls websocket htpasswd networks moves config hops coded_tags)
set(WEIR_CORPUS_DIRECTORY "${PROJECT_SOURCE_DIR}/tests/corpus")
set(WEIR_FUZZ_DIRECTORY "${PROJECT_SOURCE_DIR}/tests/fuzz")

# What plays a connection, and what reads the corpus.
add_library(weir_corpus STATIC EXCLUDE_FROM_ALL
    "${WEIR_CORPUS_DIRECTORY}/answers.cpp"
    "${WEIR_CORPUS_DIRECTORY}/corpus_case.cpp"
    "${WEIR_CORPUS_DIRECTORY}/player.cpp"
)
target_include_directories(weir_corpus PUBLIC "${PROJECT_SOURCE_DIR}/tests")
target_compile_definitions(weir_corpus PUBLIC WEIR_CORPUS_DIRECTORY="${WEIR_CORPUS_DIRECTORY}")
target_link_libraries(weir_corpus PUBLIC weir_http)

# The slow, plain models; the site behind a connection; what reads the seeds.
add_library(weir_fuzz_support STATIC EXCLUDE_FROM_ALL
    "${WEIR_FUZZ_DIRECTORY}/known_site.cpp"
    "${WEIR_FUZZ_DIRECTORY}/seeds.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/accept.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/conditions.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/cors.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/date.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/json.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/path.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/ranges.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/site.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/text.cpp"
    "${PROJECT_SOURCE_DIR}/tests/support/answer.cpp"
    "${PROJECT_SOURCE_DIR}/tests/support/http2_frames.cpp"
    "${PROJECT_SOURCE_DIR}/tests/support/fake_tls.cpp"
    "${PROJECT_SOURCE_DIR}/tests/support/incoming.cpp"
)

# What is fuzzed of the other floors.
set(WEIR_FUZZED_SOURCES
    cli/config/document.cpp
    cli/config/printed.cpp
    cli/config/shape.cpp
    cli/config/site_head.cpp
    cli/config/texts.cpp
    cli/options/near_miss.cpp
    cli/options/option.cpp
    cli/options/quantities.cpp
    rules/access/network.cpp
    rules/auth/hash_form.cpp
    rules/auth/htpasswd.cpp
    rules/host_name.cpp
    rules/redirect/encoding.cpp
    rules/redirect/moves.cpp
    rules/redirect/path_pattern.cpp
    rules/redirect/target.cpp
    rules/request_path.cpp
    rules/trust/hops.cpp
    compress/answer/tags.cpp
    server/access_line.cpp
    server/endpoint.cpp
    server/log_escape.cpp
    server/log_time.cpp
    server/proxied/proxy_header.cpp
    server/shown_line.cpp
    supervisor/channel.cpp
    supervisor/handover.cpp
    supervisor/requests.cpp
    tls/tls_arriving.cpp
    tls/tls_connection.cpp
    tls/tls_records.cpp
    web/routing/pattern.cpp
    web/websocket/close_payload.cpp
    web/websocket/frame_reader.cpp
    web/websocket/utf8.cpp
)
if(WEIR_HAS_TOML)
    list(APPEND WEIR_FUZZED_SOURCES cli/config/parse.cpp)
    target_include_directories(weir_fuzz_support SYSTEM PRIVATE "${WEIR_TOML_INCLUDE_DIR}")
else()
    list(REMOVE_ITEM WEIR_FUZZED config)
    list(APPEND WEIR_FUZZED_SOURCES cli/config/parse_unavailable.cpp)
endif()
if(WEIR_BUILD_FUZZERS OR NOT WEIR_BUILD_CLI OR NOT WEIR_HAS_TLS)
    # To build the whole of these floors, with every engine, takes longer than all else.
    list(TRANSFORM WEIR_FUZZED_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/src/")
    target_sources(weir_fuzz_support PRIVATE ${WEIR_FUZZED_SOURCES})
else()
    target_link_libraries(weir_fuzz_support PUBLIC weir_cli weir_rules weir_compress weir_server weir_supervisor weir_tls
        weir_web weir_test_tls_support)
endif()
# nghttp2 (Debian's libnghttp2-dev) is the oracle of the fuzzer hpack. Without it, that is compared with nothing.
find_path(WEIR_NGHTTP2_INCLUDE_DIR nghttp2/nghttp2.h)
find_library(WEIR_NGHTTP2_LIBRARY nghttp2)
mark_as_advanced(WEIR_NGHTTP2_INCLUDE_DIR WEIR_NGHTTP2_LIBRARY)
if(WEIR_NGHTTP2_INCLUDE_DIR AND WEIR_NGHTTP2_LIBRARY)
    target_compile_definitions(weir_fuzz_support PUBLIC WEIR_HAS_NGHTTP2=1)
    target_include_directories(weir_fuzz_support SYSTEM PUBLIC "${WEIR_NGHTTP2_INCLUDE_DIR}")
    target_link_libraries(weir_fuzz_support PUBLIC "${WEIR_NGHTTP2_LIBRARY}")
endif()
target_compile_definitions(weir_fuzz_support PRIVATE WEIR_FUZZ_DIRECTORY="${WEIR_FUZZ_DIRECTORY}")
target_link_libraries(weir_fuzz_support PUBLIC weir_corpus weir_site)
