# Functions that add tests to ctest. Every test gets a label and a time limit.

include(GoogleTest)

# A limit ends a hang, and judges nothing: it is many times what the slowest test takes on a loaded machine.
set(WEIR_TEST_TIMEOUT_SECONDS 240)  # of one case in C++
set(WEIR_PROGRAM_TIMEOUT_SECONDS 600)  # of a program of many cases

# weir_test(<name> LABEL <unit|contract|corpus|faults|end_to_end> [LIBS <target>...] [SOURCES <file>...]
#           [TIMEOUT <seconds>] [ENVIRONMENT <NAME=value>...] [SERIAL])
#
# Adds one executable <name>_test for a whole directory, which saves time in linking; ctest lists each of its tests.
# SERIAL is for tests that must run alone. Without source files, it adds no test.
function(weir_test name)
    cmake_parse_arguments(PARSE_ARGV 1 test "SERIAL" "LABEL;TIMEOUT" "LIBS;SOURCES;ENVIRONMENT")
    if(NOT test_SOURCES)
        return()
    endif()
    if(NOT test_LABEL)
        message(FATAL_ERROR "weir_test(${name}): LABEL is missing")
    endif()
    if(NOT test_TIMEOUT)
        set(test_TIMEOUT ${WEIR_TEST_TIMEOUT_SECONDS})
    endif()

    add_executable(${name}_test ${test_SOURCES})
    target_include_directories(${name}_test PRIVATE "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(${name}_test PRIVATE weir_flags ${test_LIBS} GTest::gmock GTest::gtest_main)
    weir_precompile_test(${name}_test)
    set(properties TIMEOUT ${test_TIMEOUT} LABELS ${test_LABEL})
    if(test_ENVIRONMENT)
        list(APPEND properties ENVIRONMENT "${test_ENVIRONMENT}")
    endif()
    if(test_SERIAL)
        list(APPEND properties RUN_SERIAL TRUE)
    endif()
    gtest_discover_tests(${name}_test
        TEST_PREFIX "${name}."
        DISCOVERY_MODE PRE_TEST
        NO_PRETTY_VALUES  # a value may be an address, but the name of a test must not change
        DISCOVERY_TIMEOUT 60
        PROPERTIES ${properties})
endfunction()

# weir_python_test(<name> LABEL <label> SCRIPT <file> [ARGS <arg>...] [TIMEOUT <seconds>]): adds a Python program as a
# test. Exit code 0 is a pass, and 77 a skip, with the reason in the last line of output. WEIR_BINARY is the path of the
# built command, and WEIR_SOURCE_DIR that of the source. Its COST has ctest start it before the cases in C++, which are
# short: otherwise the longest tests run at the end, when few are left to run beside them.
function(weir_python_test name)
    cmake_parse_arguments(PARSE_ARGV 1 test "SERIAL" "LABEL;SCRIPT;TIMEOUT" "ARGS")
    if(NOT test_TIMEOUT)
        set(test_TIMEOUT ${WEIR_PROGRAM_TIMEOUT_SECONDS})
    endif()
    cmake_path(ABSOLUTE_PATH test_SCRIPT)
    add_test(NAME ${name} COMMAND Python3::Interpreter "${test_SCRIPT}" ${test_ARGS})
    set(environment "WEIR_SOURCE_DIR=${PROJECT_SOURCE_DIR}" PYTHONDONTWRITEBYTECODE=1)
    if(TARGET weir)
        list(APPEND environment "WEIR_BINARY=$<TARGET_FILE:weir>")
    endif()
    set_tests_properties(${name} PROPERTIES
        TIMEOUT ${test_TIMEOUT} LABELS ${test_LABEL} ENVIRONMENT "${environment}" RUN_SERIAL ${test_SERIAL}
        COST 1000 SKIP_RETURN_CODE 77)
endfunction()
