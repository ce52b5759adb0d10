# cmake -DCOMMAND=<program;argument;...> -DFILE=<file> -P WeirPrint.cmake: the program's output, whole or not at all.
execute_process(COMMAND ${COMMAND} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
file(WRITE "${FILE}" "${text}")
