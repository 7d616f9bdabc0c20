# The example compiles against an installed library as its comment says, and prints a verdict.
# cmake -DCC= -DPKG_CONFIG= -DPREFIX= -DEXAMPLE= -DFOLDER= -P example_check.cmake
file(GLOB_RECURSE described ${PREFIX}/vernier.pc)
cmake_path(GET described PARENT_PATH folder)
set(ENV{PKG_CONFIG_PATH} ${folder})
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs vernier OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags)
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${CC} -std=c11 -pedantic -Wall -Wextra -Werror ${EXAMPLE} ${flags} -lm -o ${FOLDER}/judge
  COMMAND_ERROR_IS_FATAL ANY)
cmake_path(GET folder PARENT_PATH libraries)
set(ENV{LD_LIBRARY_PATH} ${libraries})
execute_process(COMMAND ${FOLDER}/judge OUTPUT_VARIABLE text RESULT_VARIABLE code)
if(NOT code EQUAL 0 OR NOT text MATCHES "^llama-2-7b-hf: conforms")
  message(FATAL_ERROR "The example ends with ${code} and prints\n${text}")
endif()
