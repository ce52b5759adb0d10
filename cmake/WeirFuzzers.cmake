# weir_fuzzer(<name> SOURCES <file>... [LIBS <target>...]): adds the libFuzzer program build/fuzz/fuzzers/<name>. `./run
# fuzz` builds it with everything that it links, and runs it on build/fuzz/found/<name>/.
add_custom_target(fuzzers)

function(weir_fuzzer name)
    cmake_parse_arguments(PARSE_ARGV 1 fuzzer "" "" "SOURCES;LIBS")
    add_executable(${name} ${fuzzer_SOURCES})
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(${name} PRIVATE weir_flags ${fuzzer_LIBS})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzzers")
    add_dependencies(fuzzers ${name})
endfunction()
