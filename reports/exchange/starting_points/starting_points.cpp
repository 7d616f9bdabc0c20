#include "reports/exchange/starting_points/starting_points.hpp"

#include <fmt/format.h>

namespace vernier {
namespace {

constexpr std::string_view starting_rope_spec =
    R"({"scheme": "rope", "head_dim": 64, "rope_theta": 10000, "layout": "half"}
)";
/// A context at which positions in 16 bits fail: bfloat16 holds whole numbers to 256, float16 to 2048.
constexpr std::string_view kernel_spec =
    R"({"scheme": "rope", "head_dim": 64, "rope_theta": 10000, "layout": "half", "max_position_embeddings": 8192}
)";

StartingFile plugin_header() {
  return {"vernier_plugin.h", embedded_file("numerics/plugin/vernier_plugin.h")};
}

}  // namespace

/// A kernel of any toolkit is called from Python. \param id "cuda" \param title names the toolkit
StartingPoint kernel_point(std::string_view id, std::string_view title) {
  return {
      id,
      title,
      {{"rope.json", kernel_spec},
       {"kernel.py", embedded_file("reports/exchange/starting_points/kernel.py")},
       {"test_kernel.py", embedded_file("reports/exchange/starting_points/test_kernel.py")}},
      {"vernier tolerance --spec rope.json --dtype bfloat16 --tables float32 --math float32 --input-bound 4",
       "python3 -m pytest -q test_kernel.py"}};
}

std::span<const StartingPoint> starting_points() {
  static const std::vector<StartingPoint> all{
      {"numpy",
       "A rotary embedding in NumPy, a command that Vernier asks",
       {{"rope.json", starting_rope_spec}, {"rope.py", embedded_file("numerics/processes/examples/rope.py")}},
       {"vernier validate --spec rope.json --positions 0:1024 --exec 'python3 rope.py {request} "
        "{response}'"}},
      {"pytorch",
       "The tables of a rotary embedding in PyTorch, written to files",
       {{"rope.json", starting_rope_spec},
        {"tables.py", embedded_file("reports/exchange/starting_points/tables.py")}},
       {"python3 tables.py", "vernier validate --spec rope.json --cos cos.npy --sin sin.npy"}},
      {"c",
       "A rotary embedding in C, a plug-in that Vernier asks",
       {{"rope.json", starting_rope_spec},
        plugin_header(),
        {"rope_plugin.c", embedded_file("numerics/plugin/examples/rope_plugin.c")}},
       {"cc -O2 -shared -fPIC rope_plugin.c -o rope_plugin.so -lm",
        "vernier validate --spec rope.json --positions 0:1024 --plugin ./rope_plugin.so"}},
      {"cpp",
       "A RoPE kernel in C++, a plug-in that Vernier asks",
       {{"rope.json", starting_rope_spec},
        plugin_header(),
        {"rope_kernel.cpp", embedded_file("numerics/plugin/examples/rope_kernel.cpp")}},
       {"c++ -O2 -shared -fPIC rope_kernel.cpp -o rope_kernel.so",
        "vernier validate --spec rope.json --positions 0:1024 --plugin ./rope_kernel.so"}},
      kernel_point("kernel", "A kernel called from Python, its pytest file and its tolerance"),
      kernel_point("cuda", "A CUDA kernel called from Python, its pytest file and its tolerance"),
      kernel_point("triton", "A Triton kernel called from Python, its pytest file and its tolerance"),
      kernel_point("jax", "A JAX or Pallas kernel called from Python, its pytest file and its tolerance")};
  return all;
}

std::string readme_of(const StartingPoint& point) {
  return fmt::format(
      "# {}\n\nIt conforms. Edit the spec and the code into your own, and judge it again:\n\n    {}\n\n"
      "The manual's page Kernels (kernels.md) says what else Vernier asks of a kernel: other layouts, in "
      "place,\n"
      "strides, the backward pass, eight bits.\n",
      point.title, fmt::join(point.commands, "\n    "));
}

}  // namespace vernier
