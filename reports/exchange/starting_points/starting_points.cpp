#include "reports/exchange/starting_points/starting_points.hpp"

#include <fmt/format.h>

namespace vernier {
namespace {

constexpr std::string_view starting_rope_spec =
    R"({"scheme": "rope", "head_dim": 64, "rope_theta": 10000, "layout": "half"}
)";
constexpr std::string_view sinusoidal_spec = R"({"scheme": "sinusoidal", "d_model": 64}
)";

StartingFile plugin_header() {
  return {"vernier_plugin.h", embedded_file("numerics/plugin/vernier_plugin.h")};
}

}  // namespace

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
       "A sinusoidal encoding in C++, a plug-in that Vernier asks",
       {{"sinusoidal.json", sinusoidal_spec},
        plugin_header(),
        {"sinusoidal_plugin.cpp", embedded_file("numerics/plugin/examples/sinusoidal_plugin.cpp")}},
       {"c++ -O2 -shared -fPIC sinusoidal_plugin.cpp -o sinusoidal_plugin.so",
        "vernier validate --spec sinusoidal.json --positions 0:1024 --plugin ./sinusoidal_plugin.so"}}};
  return all;
}

std::string readme_of(const StartingPoint& point) {
  return fmt::format(
      "# {}\n\nIt conforms. Edit the spec and the code into your own, and judge it again:\n\n    {}\n",
      point.title, fmt::join(point.commands, "\n    "));
}

}  // namespace vernier
