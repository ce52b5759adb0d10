# cmake -DCOMMAND=<program;argument;...> -DFILE=<file> -P WeirPrint.cmake: writes the program's output to the file. If
# the program fails, no file is written.
execute_process(COMMAND ${COMMAND} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
file(WRITE "${FILE}" "${text}")
