# What is fuzzed, and what the programs share: for libFuzzer here, and for the replays in tests/corpus/.
set(WEIR_FUZZED
    head_parser chunked_decoder connection hpack http2 target glob ranges conditions preferences listing log_lines addresses
    options site tls websocket coded_tags htpasswd hash_manifest networks rates link_claims hops moves folder_headers folder_redirects proxy_header responses config markdown multipart expansion dav acme)
set(WEIR_CORPUS_DIRECTORY "${PROJECT_SOURCE_DIR}/tests/corpus")
set(WEIR_FUZZ_DIRECTORY "${PROJECT_SOURCE_DIR}/tests/fuzz")

# What plays a connection, and what reads the corpus.
add_library(weir_corpus STATIC EXCLUDE_FROM_ALL
    "${WEIR_CORPUS_DIRECTORY}/answers.cpp"
    "${WEIR_CORPUS_DIRECTORY}/corpus_case.cpp"
    "${WEIR_CORPUS_DIRECTORY}/player.cpp"
)
target_include_directories(weir_corpus PUBLIC "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(weir_corpus PUBLIC weir_http)

# The slow, plain models; the site behind a connection; what reads the seeds. Of the server and the command only the
# files with the fuzzed functions are compiled: to build the whole of both, with every engine, takes longer than all else.
add_library(weir_fuzz_support STATIC EXCLUDE_FROM_ALL
    "${WEIR_FUZZ_DIRECTORY}/known_site.cpp"
    "${WEIR_FUZZ_DIRECTORY}/seeds.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/accept.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/conditions.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/cors.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/date.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/json.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/manifest.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/path.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/ranges.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/site.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/text.cpp"
    "${PROJECT_SOURCE_DIR}/src/access/links/link_key.cpp"
    "${PROJECT_SOURCE_DIR}/src/access/password/hash_form.cpp"
    "${PROJECT_SOURCE_DIR}/src/access/password/htpasswd.cpp"
    "${PROJECT_SOURCE_DIR}/src/access/password/small_file.cpp"
    "${PROJECT_SOURCE_DIR}/src/access/proxies/hops.cpp"
    "${PROJECT_SOURCE_DIR}/src/access/request/client.cpp"
    "${PROJECT_SOURCE_DIR}/src/access/request/network.cpp"
    "${PROJECT_SOURCE_DIR}/src/cli/access/rate.cpp"
    "${PROJECT_SOURCE_DIR}/src/cli/config/document.cpp"
    "${PROJECT_SOURCE_DIR}/src/cli/config/printed.cpp"
    "${PROJECT_SOURCE_DIR}/src/cli/config/shape.cpp"
    "${PROJECT_SOURCE_DIR}/src/cli/config/site_head.cpp"
    "${PROJECT_SOURCE_DIR}/src/cli/config/texts.cpp"
    "${PROJECT_SOURCE_DIR}/src/cli/option/near_miss.cpp"
    "${PROJECT_SOURCE_DIR}/src/cli/option/option.cpp"
    "${PROJECT_SOURCE_DIR}/src/cli/option/quantities.cpp"
    "${PROJECT_SOURCE_DIR}/src/compress/answer/tags.cpp"
    "${PROJECT_SOURCE_DIR}/src/rules/folder/headers_file.cpp"
    "${PROJECT_SOURCE_DIR}/src/rules/folder/path_form.cpp"
    "${PROJECT_SOURCE_DIR}/src/rules/folder/redirects_file.cpp"
    "${PROJECT_SOURCE_DIR}/src/rules/hosts.cpp"
    "${PROJECT_SOURCE_DIR}/src/rules/moves/encoding.cpp"
    "${PROJECT_SOURCE_DIR}/src/rules/moves/host_name.cpp"
    "${PROJECT_SOURCE_DIR}/src/rules/moves/moves.cpp"
    "${PROJECT_SOURCE_DIR}/src/rules/moves/path_pattern.cpp"
    "${PROJECT_SOURCE_DIR}/src/rules/moves/target.cpp"
    "${PROJECT_SOURCE_DIR}/src/server/log/line/access_line.cpp"
    "${PROJECT_SOURCE_DIR}/src/server/entrance/endpoint.cpp"
    "${PROJECT_SOURCE_DIR}/src/server/log/line/log_escape.cpp"
    "${PROJECT_SOURCE_DIR}/src/server/log/line/log_format.cpp"
    "${PROJECT_SOURCE_DIR}/src/server/log/line/log_time.cpp"
    "${PROJECT_SOURCE_DIR}/src/server/proxied/proxy_header.cpp"
    "${PROJECT_SOURCE_DIR}/src/server/log/line/shown_line.cpp"
    "${PROJECT_SOURCE_DIR}/src/tls/connection/tls_arriving.cpp"
    "${PROJECT_SOURCE_DIR}/src/tls/connection/tls_connection.cpp"
    "${PROJECT_SOURCE_DIR}/src/tls/connection/tls_records.cpp"
    "${PROJECT_SOURCE_DIR}/src/web/content/multipart_parser.cpp"
    "${PROJECT_SOURCE_DIR}/src/web/routing/pattern.cpp"
    "${PROJECT_SOURCE_DIR}/src/web/websocket/close_payload.cpp"
    "${PROJECT_SOURCE_DIR}/src/web/websocket/frame_reader.cpp"
    "${PROJECT_SOURCE_DIR}/tests/support/answer.cpp"
    "${PROJECT_SOURCE_DIR}/tests/support/http2_frames.cpp"
    "${PROJECT_SOURCE_DIR}/tests/support/fake_tls.cpp"
    "${PROJECT_SOURCE_DIR}/tests/support/incoming.cpp"
)
if(WEIR_HAS_TOML)
    target_sources(weir_fuzz_support PRIVATE
        "${PROJECT_SOURCE_DIR}/src/cli/config/nesting.cpp"
        "${PROJECT_SOURCE_DIR}/src/cli/config/parse.cpp"
    )
    target_include_directories(weir_fuzz_support SYSTEM PRIVATE "${WEIR_TOML_INCLUDE_DIR}")
else()
    list(REMOVE_ITEM WEIR_FUZZED config)
    target_sources(weir_fuzz_support PRIVATE "${PROJECT_SOURCE_DIR}/src/cli/config/parse_unavailable.cpp")
endif()
if(WEIR_HAS_CODING_gzip)
    target_sources(weir_fuzz_support PRIVATE
        "${PROJECT_SOURCE_DIR}/src/compress/coding/encoder.cpp"
        "${PROJECT_SOURCE_DIR}/src/compress/coding/gzip.cpp"
        "${PROJECT_SOURCE_DIR}/src/compress/coding/zlib_expander.cpp"
        "${PROJECT_SOURCE_DIR}/src/compress/permessage_deflate.cpp")
    target_link_libraries(weir_fuzz_support PUBLIC "${WEIR_gzip_LIBRARY}")
else()
    list(REMOVE_ITEM WEIR_FUZZED expansion)
endif()
if(WEIR_HAS_MARKDOWN)
    target_sources(weir_fuzz_support PRIVATE
        "${PROJECT_SOURCE_DIR}/src/markdown/cmark/renderer.cpp"
        "${PROJECT_SOURCE_DIR}/src/markdown/cmark/room.cpp"
        "${PROJECT_SOURCE_DIR}/src/markdown/text/safe_reference.cpp"
        "${PROJECT_SOURCE_DIR}/src/markdown/text/screening.cpp")
    target_include_directories(weir_fuzz_support SYSTEM PRIVATE "${WEIR_CMARK_INCLUDE_DIR}")
    target_link_libraries(weir_fuzz_support PUBLIC "${WEIR_CMARK_EXTENSIONS_LIBRARY}" "${WEIR_CMARK_LIBRARY}")
else()
    list(REMOVE_ITEM WEIR_FUZZED markdown)
endif()
if(WEIR_HAS_DAV)
    target_sources(weir_fuzz_support PRIVATE
        "${PROJECT_SOURCE_DIR}/src/dav/request/body.cpp"
        "${PROJECT_SOURCE_DIR}/src/dav/request/if_field.cpp"
        "${PROJECT_SOURCE_DIR}/src/dav/xml/element.cpp"
        "${PROJECT_SOURCE_DIR}/src/dav/xml/reader.cpp")
    target_include_directories(weir_fuzz_support SYSTEM PRIVATE "${WEIR_EXPAT_INCLUDE_DIR}")
    target_link_libraries(weir_fuzz_support PUBLIC "${WEIR_EXPAT_LIBRARY}")
else()
    list(REMOVE_ITEM WEIR_FUZZED dav)
endif()
if(WEIR_HAS_ACME)
    target_sources(weir_fuzz_support PRIVATE
        "${PROJECT_SOURCE_DIR}/src/acme/json/problem.cpp"
        "${PROJECT_SOURCE_DIR}/src/acme/keep/renewal.cpp")
    target_include_directories(weir_fuzz_support SYSTEM PUBLIC "${WEIR_JSON_INCLUDE_DIR}")
else()
    list(REMOVE_ITEM WEIR_FUZZED acme)
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
set_property(SOURCE "${WEIR_FUZZ_DIRECTORY}/seeds.cpp" APPEND PROPERTY COMPILE_DEFINITIONS
    WEIR_CORPUS_DIRECTORY="${WEIR_CORPUS_DIRECTORY}" WEIR_FUZZ_DIRECTORY="${WEIR_FUZZ_DIRECTORY}")
target_link_libraries(weir_fuzz_support PUBLIC weir_corpus weir_site)
