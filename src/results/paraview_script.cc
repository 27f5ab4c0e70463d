#include "freeplay/results/paraview_script.h"

namespace freeplay {

std::string_view paraview_script() {
  return R"py(# Opens the pictures beside this file in ParaView: colours, force arrows, a camera that sees everything.
#   paraview --script=open_in_paraview.py
#   pvpython open_in_paraview.py picture.png        the last frame as a picture, without a window
import os
import sys

from paraview.simple import *

here = os.path.dirname(os.path.abspath(__file__)) if "__file__" in globals() else os.getcwd()
model = PVDReader(FileName=os.path.join(here, "model.pvd"))
times = list(model.TimestepValues)
model.UpdatePipeline(times[-1] if times else 0.0)
view = GetActiveViewOrCreate("RenderView")
view.Background = [1.0, 1.0, 1.0]
view.OrientationAxesLabelColor = [0.2, 0.2, 0.2]
try:
    view.UseColorPaletteForBackground = 0
except AttributeError:  # before ParaView 5.10
    pass
GetAnimationScene().UpdateAnimationUsingDataTimeSteps()


def part(name):
    """A part of the model, or nothing if it has none of that name."""
    block = ExtractBlock(registrationName=name, Input=model, Selectors=["/Root/" + name])
    block.UpdatePipeline(times[-1] if times else 0.0)
    return block if block.GetDataInformation().GetNumberOfPoints() > 0 else None


def coloured(block, association, array, component="Magnitude", bar=True):
    display = Show(block, view)
    ColorBy(display, (association, array) if component is None else (association, array, component))
    display.RescaleTransferFunctionToDataRange(True)
    display.SetScalarBarVisibility(view, bar)
    return display


def arrows(block, array, colour, size):
    """Arrows whose longest is a fifth of the model, at the frame that is shown now."""
    bounds = block.GetDataInformation().GetPointDataInformation().GetArrayInformation(array)
    largest = bounds.GetComponentRange(-1)[1] if bounds else 0.0
    if largest <= 0.0:
        return
    glyphs = Glyph(registrationName=array + " of " + colour[0], Input=block, GlyphType="Arrow")
    glyphs.OrientationArray = ["POINTS", array]
    glyphs.ScaleArray = ["POINTS", array]
    glyphs.ScaleFactor = 0.2 * size / largest
    glyphs.GlyphMode = "All Points"
    display = Show(glyphs, view)
    display.ColorArrayName = ["POINTS", ""]
    display.AmbientColor = display.DiffuseColor = colour[1]


box = model.GetDataInformation().GetBounds()
size = max(box[1] - box[0], box[3] - box[2], box[5] - box[4], 1e-9)
bodies, joints, beams, contacts, mechanism = (part(n) for n in ("bodies", "joints", "beams", "contacts", "mechanism"))
if bodies:
    coloured(bodies, "CELLS", "body", None, bar=False).Opacity = 0.6
if beams:
    coloured(beams, "POINTS", "section_moment")
if mechanism:
    coloured(mechanism, "CELLS", "kind", None, bar=False).Opacity = 0.6
if joints:
    arrows(joints, "force", ("joints", [0.9, 0.5, 0.0]), size)
if contacts:
    arrows(contacts, "normal_force", ("contacts", [0.8, 0.1, 0.1]), size)
    arrows(contacts, "friction_force", ("contacts", [0.1, 0.6, 0.2]), size)
Hide(model, view)

if times:
    GetAnimationScene().AnimationTime = times[-1]
view.ResetCamera()
GetActiveCamera().Azimuth(30)
GetActiveCamera().Elevation(20)
view.ResetCamera()
Render()
if len(sys.argv) > 1 and sys.argv[-1].endswith(".png"):
    SaveScreenshot(sys.argv[-1], view, ImageResolution=[1200, 800])
)py";
}

}  // namespace freeplay
