# The kernels, one object library an instruction set: the same source, the same bits, other instructions. Nothing
# of a header may be compiled here that other code could share, or the linker might choose the wide version for all.
function(vernier_kernel_set isa)
  string(REPLACE "-" "_" name ${isa})
  add_library(vernier_kernel_${name} OBJECT ladder/kernel.cpp)
  set_target_properties(vernier_kernel_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(vernier_kernel_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(vernier_kernel_${name} PRIVATE vernier_options)
  target_compile_definitions(vernier_kernel_${name} PRIVATE
    VERNIER_KERNELS=kernels_${name} VERNIER_ISA="${isa}")
  # Neither option changes a value: no errno, no trap handlers. -ffp-contract=off is in vernier_options.
  target_compile_options(vernier_kernel_${name} PRIVATE -O3 -fno-math-errno -fno-trapping-math ${ARGN})
endfunction()

vernier_kernel_set(portable)
set(VERNIER_KERNEL_OBJECTS $<TARGET_OBJECTS:vernier_kernel_portable>)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  vernier_kernel_set(x86-64-v3 -march=x86-64-v3)
  vernier_kernel_set(x86-64-v4 -march=x86-64-v4 -mprefer-vector-width=512)
  list(APPEND VERNIER_KERNEL_OBJECTS $<TARGET_OBJECTS:vernier_kernel_x86_64_v3>
    $<TARGET_OBJECTS:vernier_kernel_x86_64_v4>)
  set_source_files_properties(ladder/kernel_sets.cpp PROPERTIES COMPILE_DEFINITIONS VERNIER_X86_64_KERNELS)
endif()
