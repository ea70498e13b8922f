"""Models of tiles made in code: a hexagon of plastic minus tubes along centre lines.

An environment from before the lock file knew what this needs skips the tests that use it.
"""

import itertools
import math

import numpy as np
import pytest
from hextraction.board.grid import edge_middle_mm

trimesh = pytest.importorskip("trimesh", reason="pip install -r requirements/dev.lock")
manifold3d = pytest.importorskip("manifold3d", reason="pip install -r requirements/dev.lock")
Manifold = manifold3d.Manifold

AXIS_MM = 6.1
HALF_MM = 5.5
PIECES = 48


def hexagon(flats_mm):
    """Return the corners of a hexagon with a flat top."""
    far = flats_mm / math.sqrt(3)
    return [(far * math.cos(math.radians(60 * k)), far * math.sin(math.radians(60 * k))) for k in range(6)]


def prism(corners, low_mm, high_mm):
    """Return an upright prism."""
    return Manifold.extrude(manifold3d.CrossSection([corners]), high_mm - low_mm).translate((0, 0, low_mm))


def block(side_mm, at=(0.0, 0.0, 0.0)):
    """Return a cube around a point."""
    return mesh_of(Manifold.cube((side_mm, side_mm, side_mm), True).translate(at))


def tube(points, radius_mm=HALF_MM, *, roof=False, flat=False, axis_mm=AXIS_MM):
    """Return the room of a channel along points (board coordinates): half a tube, open above unless roofed."""
    room = Manifold()
    ball = Manifold.sphere(radius_mm, PIECES)
    for (ax, ay), (bx, by) in itertools.pairwise(points):
        ends = []
        for x, y in ((ax, -ay), (bx, -by)):
            if flat:
                end = Manifold.cylinder(30, radius_mm, radius_mm, PIECES).translate((x, y, axis_mm - HALF_MM))
            elif roof:
                end = ball.translate((x, y, axis_mm))
            else:
                shaft = Manifold.cylinder(30, radius_mm, radius_mm, PIECES).translate((x, y, axis_mm))
                end = Manifold.batch_hull([ball.translate((x, y, axis_mm)), shaft])
            ends.append(end)
        room += Manifold.batch_hull(ends)
    return room


def mouth(edge, beyond_mm=3.0):
    """Return a point outside an edge."""
    return edge_middle_mm(edge, 50.0 + 2 * beyond_mm)


def arc(first, second):
    """Return the arc that leaves two edges at right angles."""
    (ax, ay), (bx, by) = edge_middle_mm(first, 50.0), edge_middle_mm(second, 50.0)
    apart = (second - first) % 6
    stretch = 1 / math.cos(math.radians(30 * apart)) ** 2
    about = (ax + bx) / 2 * stretch, (ay + by) / 2 * stretch
    begin, end = (math.atan2(y - about[1], x - about[0]) for x, y in ((ax, ay), (bx, by)))
    swing = (end - begin + math.pi) % (2 * math.pi) - math.pi
    radius = math.dist(about, (ax, ay))
    steps = [begin + swing * step / 16 for step in range(17)]
    middle = [(about[0] + radius * math.cos(a), about[1] + radius * math.sin(a)) for a in steps]
    return [mouth(first), *middle, mouth(second)]


def straight(first, second):
    """Return a line across the tile."""
    return [mouth(first), mouth(second)]


def dead_end(edge, middle_mm=19.0):
    """Return a line that ends soon."""
    return [mouth(edge), edge_middle_mm(edge, 2 * middle_mm)]


def tile(lines=(), *, notches=(1, 4), holes=(), roofed=(), flat=False, base=True, axis_mm=AXIS_MM):
    """Return the mesh of a tile in CAD coordinates (y up the page), bottom at -5, top at 10."""
    body = prism(hexagon(50.0), 0.0, 10.0) ^ prism([(x, y) for x, y in _rounded()], -6, 11)
    if base:
        body += prism(hexagon(46.0), -5.0, 0.0)
    for line in lines:
        body -= tube(line, flat=flat, axis_mm=axis_mm)
    for line in roofed:
        body -= tube(line, roof=True)
    for edge in notches:
        x, y = edge_middle_mm(edge, 2.0)
        angle = math.degrees(math.atan2(-y, x))
        key = Manifold.cube((10.0, 12.8, 3.0), True).translate((23.0, 0, -3.5)).rotate((0, 0, angle))
        body -= key
    for x, y, radius in holes:
        body -= Manifold.cylinder(40, radius, radius, PIECES).translate((x, -y, -20))
    return mesh_of(body)


def _rounded():
    return [(28.25 * math.cos(a), 28.25 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 97)[:-1]]


def mesh_of(body):
    """Return a mesh of a body."""
    found = body.to_mesh()
    return trimesh.Trimesh(found.vert_properties[:, :3], found.tri_verts, process=False)


def channel(length_mm, *, flat=False):
    """Return a block with a straight channel along y, downhill, that begins at y = 0."""
    bed = Manifold.cube((16.0, length_mm + 20.0, 15.0), True).translate((0, -length_mm / 2, 2.5))
    return mesh_of(bed - tube([(0.0, -30.0), (0.0, length_mm + 30.0)], flat=flat))
