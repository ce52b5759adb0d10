# What is fuzzed, and what the programs share: for libFuzzer here, and for the replays in tests/corpus/.
set(WEIR_FUZZED
    head_parser chunked_decoder connection target glob ranges conditions preferences listing log_lines addresses site)
if(WEIR_BUILD_CLI)
    list(APPEND WEIR_FUZZED options)
endif()
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
    "${WEIR_FUZZ_DIRECTORY}/plain/date.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/json.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/path.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/ranges.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/site.cpp"
    "${WEIR_FUZZ_DIRECTORY}/plain/text.cpp"
    "${PROJECT_SOURCE_DIR}/tests/support/answer.cpp"
    "${PROJECT_SOURCE_DIR}/tests/support/incoming.cpp"
)
target_compile_definitions(weir_fuzz_support PRIVATE WEIR_FUZZ_DIRECTORY="${WEIR_FUZZ_DIRECTORY}")
target_link_libraries(weir_fuzz_support PUBLIC weir_corpus weir_site)

# weir_fuzz_libraries(<variable> <name>): what that program links.
function(weir_fuzz_libraries variable name)
    set(libraries weir_fuzz_support)
    if(name STREQUAL "options")
        list(APPEND libraries weir_cli)
    elseif(name MATCHES "^(addresses|log_lines)$")
        list(APPEND libraries weir_server)
    endif()
    set(${variable} ${libraries} PARENT_SCOPE)
endfunction()
