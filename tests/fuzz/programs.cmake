# What is fuzzed, and what plays a connection: for libFuzzer here, and for the replays in tests/corpus/.
set(WEIR_FUZZED head_parser chunked_decoder connection)
set(WEIR_CORPUS_DIRECTORY "${PROJECT_SOURCE_DIR}/tests/corpus")

add_library(weir_corpus STATIC EXCLUDE_FROM_ALL
    "${WEIR_CORPUS_DIRECTORY}/answers.cpp"
    "${WEIR_CORPUS_DIRECTORY}/corpus_case.cpp"
    "${WEIR_CORPUS_DIRECTORY}/player.cpp"
)
target_include_directories(weir_corpus PUBLIC "${PROJECT_SOURCE_DIR}/tests")
target_compile_definitions(weir_corpus PUBLIC WEIR_CORPUS_DIRECTORY="${WEIR_CORPUS_DIRECTORY}")
target_link_libraries(weir_corpus PUBLIC weir_http)
