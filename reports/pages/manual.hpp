#pragma once

#include <vector>

#include "reports/html/page.hpp"

namespace vernier {

/// The manual: the pages that web/manual.mjs makes of manual/*.md, the others beneath the first.
std::vector<FilledPage> manual_pages();

}  // namespace vernier
