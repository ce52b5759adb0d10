# The man pages, the completions and the schema. The built command prints them from the table of its options, so they are always up
# to date. WEIR_PAGES lists the man pages. It is empty if the command cannot run on the build machine, or if the build
# is only for tests.
set(WEIR_PAGES "")
if(WEIR_SANITIZE)
    return()
endif()
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "weir: no man pages and completions: the command is built for another machine")
    return()
endif()

# weir_printed(<file> <argument>...): writes the output of `weir <argument>...` to <file>.
function(weir_printed file)
    add_custom_command(OUTPUT "${file}"
        COMMAND ${CMAKE_COMMAND} "-DCOMMAND=$<TARGET_FILE:weir>;${ARGN}" "-DFILE=${file}" -P "${PROJECT_SOURCE_DIR}/cmake/WeirPrint.cmake"
        DEPENDS weir "${PROJECT_SOURCE_DIR}/cmake/WeirPrint.cmake" COMMENT "Writing ${file}" VERBATIM)
endfunction()

foreach(page IN ITEMS weir weir-serve weir-target weir-engines)
    weir_printed("${PROJECT_BINARY_DIR}/man/${page}.1" man ${page})
    list(APPEND WEIR_PAGES "${PROJECT_BINARY_DIR}/man/${page}.1")
endforeach()
set(WEIR_COMPLETIONS "${PROJECT_BINARY_DIR}/completions")  # the file names are those that the shells look for
weir_printed("${WEIR_COMPLETIONS}/weir" completion bash)
weir_printed("${WEIR_COMPLETIONS}/_weir" completion zsh)
weir_printed("${WEIR_COMPLETIONS}/weir.fish" completion fish)
set(WEIR_SCHEMA "${PROJECT_BINARY_DIR}/weir.schema.json")  # of the file for --config, for editors
weir_printed("${WEIR_SCHEMA}" check-config --schema)
add_custom_target(weir_pages ALL
    DEPENDS ${WEIR_PAGES} "${WEIR_SCHEMA}" "${WEIR_COMPLETIONS}/weir" "${WEIR_COMPLETIONS}/_weir" "${WEIR_COMPLETIONS}/weir.fish")
