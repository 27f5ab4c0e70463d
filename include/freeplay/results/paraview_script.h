#pragma once

#include <string_view>

namespace freeplay {

/// open_in_paraview.py: opens the pictures in ParaView with colours and force arrows.
std::string_view paraview_script();

}  // namespace freeplay
