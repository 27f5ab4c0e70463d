#!/usr/bin/env python3
"""Makes the pictures of the documentation from results directories.

Debian packages: python3-vtk9 python3-matplotlib xvfb xauth

    tools/run input/iftomm/bricard.yaml -o results/bricard
    tools/run input/heavy_top.yaml -o results/heavy_top
    tools/run input/first_model.yaml -o results/first_model
    tools/run input/twisted_strip.yaml -o results/twisted_strip
    xvfb-run -a /usr/bin/python3 doc/images/make_pictures.py [RESULTS]

RESULTS is the directory that holds these results directories (default: results). The PNG files are written beside
this script.
"""

import csv
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import matplotlib.ticker
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

HERE = pathlib.Path(__file__).resolve().parent
# Okabe and Ito: distinguishable also with a colour-vision deficiency.
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9"]
INK = "#333333"


def read_history(directory):
    """The columns of history.csv by name, without their units."""
    with open(directory / "history.csv", newline="") as file:
        header, *rows = csv.reader(file)
    values = np.array(rows, dtype=float)
    return {name.split(" [")[0]: values[:, k] for k, name in enumerate(header)}


def read_series(directory, part):
    """Times and files of one part ("bodies" or "joints") of model.pvd."""
    entries = ElementTree.parse(directory / "model.pvd").iter("DataSet")
    return [(float(e.get("timestep")), directory / e.get("file")) for e in entries if e.get("name") == part]


def read_grid(file):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(file))
    reader.Update()
    return reader.GetOutput()


def output_of(algorithm):
    algorithm.Update()
    return algorithm.GetOutput()


def rgb(colour):
    return matplotlib.colors.to_rgb(colour)


def smooth(grid):
    """The surface of a grid with smooth shading."""
    surface = vtk.vtkDataSetSurfaceFilter()
    surface.SetInputData(grid)
    normals = vtk.vtkPolyDataNormals()
    normals.SetInputConnection(surface.GetOutputPort())
    normals.SetFeatureAngle(40.0)
    return output_of(normals)


def one_body(grid, number):
    """The surface of one body."""
    threshold = vtk.vtkThreshold()
    threshold.SetInputData(grid)
    threshold.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_CELLS, "body")
    threshold.SetLowerThreshold(number - 0.5)
    threshold.SetUpperThreshold(number + 0.5)
    return smooth(output_of(threshold))


def actor(surface, colour):
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(surface)
    mapper.ScalarVisibilityOff()
    result = vtk.vtkActor()
    result.SetMapper(mapper)
    look = result.GetProperty()
    look.SetColor(*rgb(colour))
    look.SetAmbient(0.55)
    look.SetDiffuse(0.45)
    look.SetSpecular(0.15)
    look.SetSpecularPower(25.0)
    return result


def faded(colour, strength):
    """Mixed with white: unlike transparency this looks the same with every graphics driver."""
    return tuple(strength * np.array(rgb(colour)) + (1.0 - strength))


def add_bodies(renderer, grid, strength):
    for number in range(grid.GetFieldData().GetAbstractArray("body_names").GetNumberOfValues()):
        renderer.AddActor(actor(one_body(grid, number), faded(COLOURS[number % len(COLOURS)], strength)))


def add_path(renderer, points, colour, radius):
    polyline = vtk.vtkPolyLineSource()
    polyline.SetNumberOfPoints(len(points))
    for k, point in enumerate(points):
        polyline.SetPoint(k, *point)
    tube = vtk.vtkTubeFilter()
    tube.SetInputConnection(polyline.GetOutputPort())
    tube.SetRadius(radius)
    tube.SetNumberOfSides(12)
    renderer.AddActor(actor(output_of(tube), colour))


def add_balls(renderer, grid, colour, radius):
    """A ball at every joint."""
    for point in vtk_to_numpy(grid.GetPoints().GetData()):
        ball = vtk.vtkSphereSource()
        ball.SetCenter(*point)
        ball.SetRadius(radius)
        ball.SetThetaResolution(24)
        ball.SetPhiResolution(24)
        renderer.AddActor(actor(output_of(ball), colour))


def cropped(picture, border):
    """Without white margins."""
    used = (picture < 1.0).any(axis=2)
    rows, columns = np.flatnonzero(used.any(axis=1)), np.flatnonzero(used.any(axis=0))
    top, left = max(0, rows[0] - border), max(0, columns[0] - border)
    return picture[top : rows[-1] + border, left : columns[-1] + border]


def render(renderer, file, width, height):
    oversampling = 3  # instead of the multisampling that software renderers lack
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(oversampling * width, oversampling * height)
    renderer.SetBackground(1.0, 1.0, 1.0)
    window.AddRenderer(renderer)
    window.Render()
    grab = vtk.vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    image = output_of(grab)
    columns, rows, _ = image.GetDimensions()
    pixels = vtk_to_numpy(image.GetPointData().GetScalars()).reshape(rows, columns, -1)[::-1, :, :3] / 255.0
    pixels = pixels.reshape(height, oversampling, width, oversampling, 3).mean(axis=(1, 3))
    plt.imsave(file, cropped(pixels, 12), pil_kwargs={"optimize": True})


def nearest(series, time):
    return min(series, key=lambda entry: abs(entry[0] - time))[1]


def draw_bricard(directory, file):
    """The Bricard mechanism: one position of its first swing in full colours, others faded, and paths of corners."""
    bodies, joints = read_series(directory, "bodies"), read_series(directory, "joints")
    history = read_history(directory)
    renderer = vtk.vtkRenderer()
    shown_time, others, end = 0.75, [0.0, 1.15, 1.6, 2.45], 2.45
    for time in others:
        add_bodies(renderer, read_grid(nearest(bodies, time)), 0.22)
        add_balls(renderer, read_grid(nearest(joints, time)), faded(INK, 0.22), 0.026)
    add_bodies(renderer, read_grid(nearest(bodies, shown_time)), 1.0)
    places = read_grid(nearest(joints, shown_time))
    add_balls(renderer, places, INK, 0.034)
    # Ground holds the first and the last hinge.
    add_path(renderer, [places.GetPoint(0), places.GetPoint(places.GetNumberOfPoints() - 1)], "#888888", 0.02)
    shown = history["time"] <= end + 1e-9
    for point, colour in (("rod2.P2", COLOURS[0]), ("rod3.P3", COLOURS[2]), ("rod4.P4", COLOURS[3])):
        path = np.column_stack([history[f"{point}.position.{axis}"][shown] for axis in "xyz"])
        add_path(renderer, path, colour, 0.005)
    camera = renderer.GetActiveCamera()
    camera.SetFocalPoint(0.0, -0.8, 0.1)
    camera.SetPosition(2.6, 1.1, 6.0)
    camera.SetViewUp(0.0, 1.0, 0.0)
    camera.SetViewAngle(24.0)
    renderer.ResetCameraClippingRange()
    render(renderer, file, 900, 760)


def lookup_table(name):
    table = vtk.vtkLookupTable()
    table.SetNumberOfTableValues(256)
    for k, colour in enumerate(matplotlib.colormaps[name](np.linspace(0.0, 1.0, 256))):
        table.SetTableValue(k, *colour)
    return table


def add_triads(renderer, curve, stations, length):
    """Arrows along the section axes of a beam: 1 orange, 2 green, 3 blue."""
    arrays = [vtk_to_numpy(curve.GetPointData().GetArray(f"axis{k}")) for k in (1, 2, 3)]
    for station in stations:
        start = np.array(curve.GetPoint(station))
        for axis, colour in zip(arrays, (COLOURS[4], COLOURS[2], COLOURS[0])):
            add_path(renderer, [start, start + length * axis[station]], colour, 0.03 * length)


def draw_twisted_strip(directory, file):
    """A strip twisted and bent, coloured by its torsional moment, with the axes of some sections."""
    grid = read_grid(read_series(directory, "beams")[-1][1])
    curve = read_grid(read_series(directory, "curves")[-1][1])
    moment = vtk_to_numpy(grid.GetPointData().GetArray("section_moment"))[:, 2]
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(smooth(grid))
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray("section_moment")
    table = lookup_table("viridis")
    table.SetVectorModeToComponent()
    table.SetVectorComponent(2)
    mapper.SetLookupTable(table)
    mapper.SetScalarRange(moment.min(), moment.max())
    strip = vtk.vtkActor()
    strip.SetMapper(mapper)
    strip.GetProperty().SetAmbient(0.45)
    strip.GetProperty().SetDiffuse(0.55)
    renderer = vtk.vtkRenderer()
    renderer.AddActor(strip)
    last = curve.GetNumberOfPoints() - 1
    add_triads(renderer, curve, [0, last // 4, last // 2, 3 * last // 4, last], 0.12)
    bar = vtk.vtkScalarBarActor()
    bar.SetLookupTable(table)
    bar.SetTitle("torsional moment [N m]")
    bar.SetNumberOfLabels(3)
    bar.SetLabelFormat("%.0f")
    bar.SetOrientationToHorizontal()
    bar.SetTextPositionToPrecedeScalarBar()
    bar.SetVerticalTitleSeparation(24)
    bar.SetPosition(0.05, 0.3)
    bar.SetWidth(0.4)
    bar.SetHeight(0.13)
    bar.SetUnconstrainedFontSize(True)
    for text in (bar.GetTitleTextProperty(), bar.GetLabelTextProperty()):
        text.SetColor(*rgb(INK))
        text.SetFontSize(48)  # of the oversampled picture
        text.SetBold(False)
        text.SetItalic(False)
        text.SetShadow(False)
    renderer.AddActor2D(bar)
    camera = renderer.GetActiveCamera()
    camera.SetFocalPoint(0.42, 0.12, -0.22)
    camera.SetPosition(0.2, -1.9, 1.5)
    camera.SetViewUp(0.0, 0.0, 1.0)
    camera.SetViewAngle(20.0)
    renderer.ResetCameraClippingRange()
    render(renderer, file, 900, 560)


def style(axes):
    axes.grid(True, color="#dddddd", linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def draw_heavy_top(directory, file):
    """Path of the centre of mass, the energies, and how well the ledger closes."""
    h = read_history(directory)
    figure = plt.figure(figsize=(9.6, 4.4), dpi=100)
    path = figure.add_axes([0.0, 0.0, 0.46, 1.0], projection="3d")
    x, y, z = (h[f"top.position.{axis}"] for axis in "xyz")
    path.plot(x, y, z, color=COLOURS[0], linewidth=1.4)
    path.plot([0.0, x[0]], [0.0, y[0]], [0.0, z[0]], color=COLOURS[1], linewidth=2.0)
    path.scatter([0.0], [0.0], [0.0], color=INK, s=18, depthshade=False)
    path.scatter(x[:1], y[:1], z[:1], color=COLOURS[1], s=30, depthshade=False)
    path.set(xlim=(-1, 1), ylim=(-1, 1), zlim=(-1.2, 0.2), xlabel="x [m]", ylabel="y [m]", zlabel="z [m]")
    for axis in (path.xaxis, path.yaxis, path.zaxis):
        axis.set_major_locator(matplotlib.ticker.MultipleLocator(0.5))
    path.tick_params(labelsize=8)
    path.set_box_aspect((2.0, 2.0, 1.4))
    path.view_init(elev=24, azim=-50)
    path.set_title("path of the centre of mass", fontsize=10, y=0.96)

    energies = figure.add_axes([0.55, 0.57, 0.42, 0.35])
    change = {name: h[f"energy.{name}"] - h[f"energy.{name}"][0] for name in ("kinetic", "gravity")}
    energies.plot(h["time"], change["kinetic"], color=COLOURS[0], label="kinetic")
    energies.plot(h["time"], change["gravity"], color=COLOURS[1], label="gravity")
    energies.plot(h["time"], sum(change.values()), color=INK, linewidth=1.2, linestyle="--", label="sum")
    energies.set(ylabel="[J]", xlim=(0, h["time"][-1]), ylim=(-170, 260))
    energies.set_title("energies, change since the start", fontsize=10)
    energies.legend(fontsize=8, ncol=3, loc="upper right", frameon=False)
    style(energies)

    ledger = figure.add_axes([0.55, 0.11, 0.42, 0.3])
    ledger.plot(h["time"], h["ledger.residual"] / 1e-9, color=COLOURS[2], linewidth=1.0)
    ledger.set(xlabel="time [s]", ylabel="[nJ]", xlim=(0, h["time"][-1]))
    ledger.set_title(f"ledger.residual, beside {h['energy.kinetic'].max():.0f} J of kinetic energy", fontsize=10)
    style(ledger)
    figure.savefig(file, pil_kwargs={"optimize": True})
    plt.close(figure)


def draw_first_model(directory, file):
    """Where the energy of the first model goes."""
    h = read_history(directory)
    figure, axes = plt.subplots(figsize=(8.0, 3.0), dpi=110)
    layers = ["energy.kinetic", "energy.elastic", "loss.damping"]
    gravity = h["energy.gravity"] - h["energy.gravity"].min()
    axes.stackplot(h["time"], *(h[name] for name in layers), gravity, labels=layers + ["energy.gravity"],
                   colors=[COLOURS[0], COLOURS[1], COLOURS[2], COLOURS[3]])
    axes.set(xlabel="time [s]", ylabel="energy [J]", xlim=(0, h["time"][-1]), ylim=(0, None))
    axes.legend(fontsize=8, loc="center right", framealpha=0.9)
    axes.set_axisbelow(True)
    style(axes)
    figure.savefig(file, bbox_inches="tight", pil_kwargs={"optimize": True})
    plt.close(figure)


def main():
    results = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "results")
    draw_bricard(results / "bricard", HERE / "bricard.png")
    draw_heavy_top(results / "heavy_top", HERE / "heavy_top.png")
    draw_first_model(results / "first_model", HERE / "first_model.png")
    draw_twisted_strip(results / "twisted_strip", HERE / "twisted_strip.png")


if __name__ == "__main__":
    main()
