"""What a printed part's mesh says by itself: walls, overhangs, and whether two bodies meet. No build123d."""

import math

import manifold3d
import numpy as np
import trimesh

__all__ = ["covered_share", "overhang_mm2", "shared_mm3", "solid", "thin_walls_mm", "upright"]


def upright(mesh: trimesh.Trimesh, turn: str) -> trimesh.Trimesh:
    """Return a part as it lies on the plate: ``up``, or turned over (``down``) or onto its side about x (``side``)."""
    angle = {"up": 0.0, "down": math.pi, "side": math.pi / 2}[turn]
    turned = mesh.copy()
    turned.apply_transform(trimesh.transformations.rotation_matrix(angle, (1, 0, 0)))
    turned.apply_translation((0, 0, -turned.bounds[0][2]))
    return turned


def overhang_mm2(mesh: trimesh.Trimesh, from_upright_deg: float) -> float:
    """Return the area of faces that lean over further than so, those on the plate left out."""
    down = -mesh.face_normals[:, 2]
    lying = mesh.triangles[:, :, 2].max(axis=1) < 0.01
    leaning = down > math.sin(math.radians(from_upright_deg)) + 1e-3
    return float(mesh.area_faces[leaning & ~lying].sum())


def thin_walls_mm(mesh: trimesh.Trimesh, count: int, seed: int = 7) -> np.ndarray:
    """Return how thick the body is below points of its surface, by rays straight inward.

    A ray that leaves where the surface is turned away by more than 45 degrees crosses an edge, not a wall: it is left out.
    """
    points, faces = trimesh.sample.sample_surface(mesh, count, seed=seed)
    normals = mesh.face_normals[faces]
    found = []
    for point, normal in zip(points, normals, strict=True):
        hit, other = _first_hit(mesh, point - normal * 1e-4, -normal)
        if hit is not None and float(mesh.face_normals[other] @ -normal) > math.cos(math.pi / 4):
            found.append(hit)
    return np.array(found)


def _first_hit(mesh: trimesh.Trimesh, start: np.ndarray, way: np.ndarray) -> tuple[float | None, int]:
    """Return how far a ray goes to the first face that it leaves by, and which that is."""
    corner = mesh.triangles[:, 0]
    one, two = mesh.triangles[:, 1] - corner, mesh.triangles[:, 2] - corner
    across = np.cross(way, two)
    det = np.einsum("ij,ij->i", one, across)
    with np.errstate(all="ignore"):  # a ray along a face divides by nothing
        off = start - corner
        u = np.einsum("ij,ij->i", off, across) / det
        turned = np.cross(off, one)
        v = turned @ way / det
        far = np.einsum("ij,ij->i", two, turned) / det
        good = (np.abs(det) > 1e-12) & (u >= 0) & (v >= 0) & (u + v <= 1) & (far > 1e-4)
    if not good.any():
        return None, -1
    index = int(np.flatnonzero(good)[far[good].argmin()])
    return float(far[index]), index


def shared_mm3(one: trimesh.Trimesh, other: trimesh.Trimesh) -> float:
    """Return how much room two bodies both claim, by manifold3d."""
    if (one.bounds[1] < other.bounds[0]).any() or (other.bounds[1] < one.bounds[0]).any():
        return 0.0
    common = trimesh.boolean.intersection([one, other], engine="manifold")
    corners = common.triangles
    return float(abs(np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6))


def covered_share(light: trimesh.Trimesh, part: trimesh.Trimesh) -> float:
    """Return how much of an upright column, as seen from above, a part covers: a thin roof as much as a thick one."""
    column = solid(light)
    return float((column ^ solid(part)).project().area() / column.project().area())


def solid(mesh: trimesh.Trimesh) -> manifold3d.Manifold:
    """Return a mesh as manifold3d takes it."""
    corners, faces = np.asarray(mesh.vertices, np.float32), np.asarray(mesh.faces, np.uint32)
    return manifold3d.Manifold(manifold3d.Mesh(vert_properties=corners, tri_verts=faces))
