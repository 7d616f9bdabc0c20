# vernier_kernels(OBJECTS PREFIX SOURCE SETS): an object library of SOURCE for each instruction set, the same bits by
# other instructions, whose objects go into the variable OBJECTS. Each defines a function that SETS chooses among:
# PREFIX_x86_64_v3 say, which SOURCE calls VERNIER_PREFIX. Nothing of a header may be compiled in SOURCE that other code
# could share, or the linker might choose the wide version for all.
function(vernier_kernels objects prefix source sets)
  set(found "")
  vernier_kernel_set(found ${prefix} ${source} portable)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    vernier_kernel_set(found ${prefix} ${source} x86-64-v3 -march=x86-64-v3)
    vernier_kernel_set(found ${prefix} ${source} x86-64-v4 -march=x86-64-v4 -mprefer-vector-width=512)
    set_source_files_properties(${sets} PROPERTIES COMPILE_DEFINITIONS VERNIER_X86_64_KERNELS)
  endif()
  set(${objects} ${found} PARENT_SCOPE)
endfunction()

# vernier_kernel_set(OBJECTS PREFIX SOURCE ISA OPTIONS...): one of them, appended to OBJECTS.
function(vernier_kernel_set objects prefix source isa)
  string(REPLACE "-" "_" name "${prefix}_${isa}")
  string(TOUPPER "VERNIER_${prefix}" macro)
  add_library(vernier_${name} OBJECT ${source})
  set_target_properties(vernier_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(vernier_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(vernier_${name} PRIVATE vernier_options)
  target_compile_definitions(vernier_${name} PRIVATE ${macro}=${name} VERNIER_ISA="${isa}")
  # Neither option changes a value: no errno, no trap handlers. -ffp-contract=off is in vernier_options.
  target_compile_options(vernier_${name} PRIVATE -O3 -fno-math-errno -fno-trapping-math ${ARGN})
  set(${objects} ${${objects}} $<TARGET_OBJECTS:vernier_${name}> PARENT_SCOPE)
endfunction()
