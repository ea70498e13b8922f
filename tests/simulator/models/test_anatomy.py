"""What is found in models made in code: mouths, joined channels, dead ends, notches and holes, in all turns."""

import math
import zipfile

import numpy as np
import pytest
from helpers import printed
from helpers.tiers import first_by_day, nightly
from hextraction.board.grid import edge_middle_mm, turned
from hextraction.board.routes import Ending
from hextraction.simulator.models.anatomy import read_anatomy
from hextraction.simulator.models.mesh import ModelError, flipped, read_model, ways_up
from hextraction.simulator.models.space import Space, solid_cells
from hextraction.simulator.models.study import study_model

pytestmark = pytest.mark.slow

ALL = (1, 2, 3, 4, 5, 6)


def anatomy_of(model):
    """Return what a model read from a file is made of."""
    solid, low, _ = solid_cells(model.triangles)
    return read_anatomy(Space.around(model.triangles, solid, low, ALL), solid, low)


@pytest.fixture
def found_in(tmp_path):
    """Return a function that writes a mesh to a file and finds what is in it."""

    def find(mesh, ending="stl"):
        path = tmp_path / f"tile.{ending}"
        mesh.export(path)
        return anatomy_of(read_model(path))

    return find


def odd_tile():
    """Return a tile with no symmetry: a curve, a dead end, a hole beside the middle, three notches."""
    lines = [printed.arc(1, 3), printed.dead_end(5)]
    return printed.tile(lines, notches=(1, 2, 4), holes=[(6.7, -3.9, 6.25)])


def prism_at(x, y, *, high_mm):
    """Return a block of 8 mm by 8 mm from the underside of the body to a height."""
    block = printed.block(1.0)
    block.apply_scale([8.0, 8.0, high_mm])
    block.apply_translation([x, y, high_mm / 2])
    return block


def by_angle(mesh, turns):
    """Return a mesh turned clockwise by sixths, y up the page."""
    angle = -np.radians(60 * turns)
    cos, sin = np.cos(angle), np.sin(angle)
    made = mesh.copy()
    made.apply_transform([[cos, -sin, 0, 0], [sin, cos, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    return made


@pytest.mark.parametrize("turns", first_by_day((1, 4, 0, 2, 3, 5), "a studied model each", by_day=2))
def test_everything_turns_with_the_model(found_in, turns):
    """In all six turns; as STL and as GLB by turns."""
    found = found_in(by_angle(odd_tile(), turns), "glb" if turns % 2 else "stl")
    assert found.mouths == tuple(sorted(turned(edge, turns) for edge in (1, 3, 5)))
    assert set(found.joins) == {tuple(sorted((turned(1, turns), turned(3, turns)))), (turned(5, turns),)}
    assert [end.edge for end in found.dead_ends] == [turned(5, turns)]
    assert found.dead_ends[0].middle_mm == pytest.approx(18.5, abs=0.4)
    assert set(found.notches) == {turned(edge, turns) for edge in (1, 2, 4)}
    ((x_mm, y_mm, radius_mm),) = found.holes
    angle = np.radians(60 * turns)
    assert x_mm == pytest.approx(6.7 * np.cos(angle) + 3.9 * np.sin(angle), abs=0.3)
    assert y_mm == pytest.approx(6.7 * np.sin(angle) - 3.9 * np.cos(angle), abs=0.3)
    assert radius_mm == pytest.approx(6.25, abs=0.1)
    assert found.floors_mm == pytest.approx(dict.fromkeys(found.mouths, 0.6), abs=0.15)
    assert found.warnings() == []


@nightly("a studied model", meanwhile="test_everything_turns_with_the_model")
def test_a_mirrored_model_is_found_mirrored(found_in):
    """Left and right change places, and nothing is taken for inside out."""
    mesh = odd_tile()
    mesh.apply_transform(np.diag([-1.0, 1.0, 1.0, 1.0]))
    found = found_in(mesh)
    assert found.mouths == (1, 3, 5)
    assert set(found.joins) == {(1, 5), (3,)}
    assert set(found.notches) == {1, 4, 6}
    assert found.holes[0][:2] == pytest.approx((-6.7, -3.9), abs=0.3)


@pytest.mark.parametrize(
    ("lines", "more", "joins", "dead", "holes"),
    first_by_day([
        ([printed.straight(1, 4), printed.arc(2, 3), printed.arc(5, 6)], {}, {(1, 4), (2, 3), (5, 6)}, 0, 0),
        ([printed.straight(1, 4), printed.straight(2, 5)], {}, {(1, 2, 4, 5)}, 0, 0),
        ([printed.arc(1, 5), printed.arc(4, 6)], {}, {(1, 4, 5, 6)}, 0, 0),
        ([printed.dead_end(edge) for edge in ALL], {}, {(edge,) for edge in ALL}, 6, 0),
        (
            [printed.arc(2, 3), printed.arc(5, 6)], {"holes": [(13, 0, 6.25), (-13, 0, 6.25)]},
            {(2, 3), (5, 6)}, 0, 2,
        ),
        ([printed.arc(1, 3)], {"roofed": [printed.arc(4, 6)]}, {(1, 3), (4, 6)}, 0, 0),
    ], "a studied model each"),
    ids=["DIC", "X", "two crossing arcs", "six dead ends", "side holes", "a roofed tunnel"],
)  # fmt: skip
def test_each_kind_of_channel_is_told_from_the_others(found_in, lines, more, joins, dead, holes):
    """Which edges are joined, where a channel ends, where a ball falls."""
    found = found_in(printed.tile(lines, **more))
    assert set(found.joins) == joins
    assert (len(found.dead_ends), len(found.holes)) == (dead, holes)
    assert found.notches == (1, 4)


@nightly("a studied model", meanwhile="test_a_closed_tile_with_a_figure_on_it_is_not_turned_over")
def test_a_model_upside_down_has_no_mouths_until_it_is_turned_over(tmp_path):
    """Its channels are open below then, and a ball finds no floor."""
    mesh = odd_tile()
    mesh.apply_transform(np.diag([1.0, -1.0, -1.0, 1.0]))
    mesh.export(tmp_path / "tile.stl")
    model = read_model(tmp_path / "tile.stl")
    assert anatomy_of(model).mouths != (1, 3, 5)
    assert anatomy_of(flipped(model)).mouths == (1, 3, 5)


@nightly("a studied model", meanwhile="test_everything_turns_with_the_model")
def test_a_mouth_at_another_height_and_a_lost_base_are_told(found_in):
    """A tile without its base is 10 mm tall and fits no slot; a raised channel makes a step."""
    lifted = [(x, y) for x, y in printed.straight(1, 4)]
    body = printed.tile([], base=False, notches=())
    found = found_in(printed.tile([lifted], base=False, notches=()))
    assert found.notches is None
    assert "no base" in " ".join(found.warnings())
    raised = printed.tile([printed.straight(1, 4)], axis_mm=7.6)
    assert "floor at +2.1 mm" in " ".join(found_in(raised).warnings())
    assert found_in(body).mouths == ()


@pytest.mark.parametrize(
    ("points", "line"),
    first_by_day(
        [
            ([printed.mouth(4), (0.0, -12.0)], (4, (0.0, -11.8))),
            (printed.arc(1, 3)[:12], (1, (9.1, 1.2))),
        ],
        "a studied model each",
    ),
    ids=["past the middle", "round a bend"],
)
def test_a_dead_end_is_drafted_to_where_it_ends(tmp_path, points, line):
    """Not straight to the middle: past it, or round a bend, within half a millimetre."""
    printed.tile([points]).export(tmp_path / "tile.stl")
    (drafted,) = study_model(tmp_path / "tile.stl", balls=1).lines
    assert drafted[0] == line[0]
    assert drafted[-1] == pytest.approx(points[-1], abs=0.8)
    assert drafted[-1] == pytest.approx(line[-1], abs=0.5)


@nightly("a studied model", meanwhile="test_a_dead_end_is_drafted_to_where_it_ends")
def test_a_ball_before_a_step_goes_over_it_or_comes_back(tmp_path):
    """It fell through the plastic once; out over such a mouth it only drops onto its neighbour's floor."""
    printed.tile([printed.straight(1, 4)], axis_mm=8.6).export(tmp_path / "tile.stl")
    study = study_model(tmp_path / "tile.stl", balls=30)
    assert study.anatomy.steps == (1, 4)
    rows = study.ways.table.rows.values()
    assert {passage.ending for row in rows for passage in row.passages} <= {
        Ending.OUT, Ending.SHUT, Ending.RESTS,
    }  # fmt: skip
    above, below = study.ways.table.row(0, 1), study.ways.table.row(0, 4)
    assert above.share(Ending.OUT, 4) + above.share(Ending.SHUT) == 1.0
    assert below.share(Ending.SHUT) > 0.5


class TestFiles:
    """What can be read."""

    def test_a_surface_with_a_gap_is_refused(self, tmp_path):
        """In a sentence that says what to do."""
        mesh = odd_tile()
        largest = mesh.area_faces.argmax()
        mesh.update_faces([face != largest for face in range(len(mesh.faces))])
        mesh.export(tmp_path / "tile.stl")
        with pytest.raises(ModelError, match=r"gaps or folds.*repair it"):
            read_model(tmp_path / "tile.stl")

    @pytest.mark.parametrize(
        ("name", "text", "said"),
        [
            ("tile.step", "", "export the tile as STL or GLB"),
            ("tile.txt", "", "want a model as STL or GLB, found .txt"),
            ("tile.stl", "solid nothing\nendsolid nothing\n", "tile.stl: "),
            ("tile.glb", "glTF", "is no GLB file"),
        ],
    )
    def test_what_is_no_model_is_a_sentence(self, tmp_path, name, text, said):
        """The file's name stands before it."""
        (tmp_path / name).write_text(text)
        with pytest.raises(ModelError, match=said):
            read_model(tmp_path / name)

    @pytest.mark.parametrize(("scale", "unit"), [(0.001, "metres"), (1 / 25.4, "inches")])
    def test_other_units_are_known_by_the_size(self, tmp_path, scale, unit):
        """And said."""
        mesh = printed.tile([printed.straight(1, 4)])
        mesh.apply_scale(scale)
        mesh.export(tmp_path / "tile.stl")
        model = read_model(tmp_path / "tile.stl")
        assert np.ptp(model.triangles[..., 0]) == pytest.approx(56.5, abs=0.01)
        assert unit in model.warnings[0]

    def test_a_wrong_size_and_several_parts_are_told(self, tmp_path):
        """A model that is a tenth too large, with a loose ball on it."""
        mesh = printed.tile([printed.straight(1, 4)])
        mesh.apply_scale([1.1, 1.1, 1.0])
        mesh.export(tmp_path / "tile.stl")
        assert "62.2 x 55.0 mm" in read_model(tmp_path / "tile.stl").warnings[0]
        loose = printed.tile([printed.straight(1, 4)]) + printed.block(3.0, at=(20.0, 0.0, 15.0))
        loose.export(tmp_path / "tile.stl")
        assert "2 separate parts" in read_model(tmp_path / "tile.stl").warnings[0]

    @pytest.mark.parametrize(
        ("scale", "said"),
        [
            ([10.0, 10.0, 10.0], r"its size is 565 x 500 x 150, a tile's footprint is 56.5 x 50 mm"),
            ([0.8, 0.8, 0.8], "its size is 45.2 x 40 x 12"),
            ([2.0, 2.0, 2.0], "its size is 113 x 100 x 30"),
        ],
    )
    def test_what_cannot_be_a_tile_by_its_size_is_refused_at_once(self, tmp_path, scale, said):
        """Ten times as large it took all memory, twice as large it was read as something else."""
        mesh = printed.tile([printed.straight(1, 4)])
        mesh.apply_scale(scale)
        mesh.export(tmp_path / "tile.stl")
        with pytest.raises(ModelError, match=f"tile.stl: {said}"):
            read_model(tmp_path / "tile.stl")

    def test_what_lies_beside_a_tile_is_not_taken_for_a_part_of_it(self, tmp_path):
        """Two things on one plate have no middle that says where the tile's is."""
        plate = printed.tile([printed.straight(1, 4)]) + printed.block(8.0, at=(60.0, 0.0, 0.0))
        plate.export(tmp_path / "plate.stl")
        with pytest.raises(ModelError, match="save it without what lies beside it"):
            read_model(tmp_path / "plate.stl")

    def test_a_model_on_its_side_is_told_so_by_name(self, tmp_path):
        """No axis is up that a file of its kind may have."""
        mesh = printed.tile([printed.straight(1, 4)])
        mesh.apply_transform([[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1]])
        mesh.export(tmp_path / "tile.stl")
        with pytest.raises(ModelError, match=r"tile\.stl: the model stands on its side"):
            read_model(tmp_path / "tile.stl")

    def test_a_corner_far_off_is_refused(self, tmp_path):
        """One broken number of a file is no reason to look at that much space."""
        mesh = printed.tile([printed.straight(1, 4)])
        mesh.vertices[0] = [1e30, 0.0, 0.0]
        mesh.export(tmp_path / "tile.stl")
        with pytest.raises(ModelError, match="some of its corners are nowhere"):
            read_model(tmp_path / "tile.stl")

    def test_half_a_file_is_refused_in_words_of_ours(self, tmp_path):
        """What the reading library lacked or stumbled over helps no designer."""
        printed.tile([printed.straight(1, 4)]).export(tmp_path / "tile.stl")
        whole = (tmp_path / "tile.stl").read_bytes()
        (tmp_path / "tile.stl").write_bytes(whole[: len(whole) // 2])
        with pytest.raises(ModelError, match=r"is no STL file that can be read; export .* GLB$"):
            read_model(tmp_path / "tile.stl")

    @nightly("a studied model", meanwhile="test_a_model_is_placed_by_its_base_however_tall_it_is")
    def test_a_tile_taller_than_wide_is_not_laid_down(self, tmp_path):
        """Which way is up is told by the footprint, not by what is thinnest."""
        tower = prism_at(14.0, 0.0, high_mm=55.0)
        (printed.tile([printed.straight(1, 4)]) + tower).export(tmp_path / "tile.stl")
        model = read_model(tmp_path / "tile.stl")
        assert np.ptp(model.triangles[..., 2]) == pytest.approx(60.0, abs=0.01)
        assert anatomy_of(model).joins == ((1, 4),)

    @nightly(
        "a studied model",
        meanwhile="tests/simulator/models/test_anatomy.py::TestFiles::test_what_lies_beside_a_tile_is_not_taken_for_a_part_of_it",
    )
    def test_bodies_that_reach_into_each_other_are_one_tile(self, tmp_path):
        """A peg drawn down into the plastic has its plastic twice, and no gap."""
        tile = printed.tile([printed.straight(1, 4)])
        for x in (-16.0, 16.0):
            tile += prism_at(x, 0.0, high_mm=12.0)
        tile.export(tmp_path / "tile.stl")
        assert anatomy_of(read_model(tmp_path / "tile.stl")).joins == ((1, 4),)

    @nightly(
        "a studied model",
        meanwhile="tests/simulator/models/test_anatomy.py::TestFiles::test_a_part_is_put_where_it_is_said_to_lie",
    )
    def test_a_part_as_glb_is_in_metres_with_y_up(self, tmp_path):
        """So is glTF, and the size of a part tells nothing; as STL it is in millimetres."""
        printed.tile([printed.straight(1, 4)]).export(tmp_path / "tile.stl")
        plug = printed.block(11.5)
        plug.apply_transform([[0.001, 0, 0, 0], [0, 0, 0.001, 0], [0, -0.001, 0, 0], [0, 0, 0, 1]])
        plug.export(tmp_path / "plug.glb")
        whole = anatomy_of(read_model(tmp_path / "tile.stl", ((tmp_path / "plug.glb", 5.0),)))
        assert set(whole.joins) == {(1,), (4,)}

    def test_a_part_is_put_where_it_is_said_to_lie(self, tmp_path):
        """A block in a straight channel, 5 mm above the underside, makes two dead ends of it."""
        printed.tile([printed.straight(1, 4)]).export(tmp_path / "tile.stl")
        printed.block(11.5).export(tmp_path / "plug.stl")
        whole = anatomy_of(read_model(tmp_path / "tile.stl", ((tmp_path / "plug.stl", 5.0),)))
        assert set(whole.joins) == {(1,), (4,)}

    def test_an_edge_is_where_the_board_says(self):
        """The helper's mouths lie on the edges' middles."""
        assert printed.mouth(1, 0.0) == edge_middle_mm(1, 50.0)


def stood_on(tile, *, high_mm=12.0, wide_mm=18.0):
    """Return a tile with a figure on its middle."""
    figure = printed.trimesh.creation.box((wide_mm, wide_mm, high_mm + 1))
    figure.apply_translation((0, 0, tile.bounds[1][2] + high_mm / 2 - 1))
    return printed.trimesh.boolean.union([tile, figure], engine="manifold")


def cut_at(mesh, high_mm):
    """Return what is left of a tile below a height above its base: its lower half, the rest is another part."""
    low = mesh.bounds[0][2]
    room = printed.trimesh.creation.box((80, 80, high_mm))
    room.apply_translation((0, 0, low + high_mm / 2))
    return printed.trimesh.boolean.intersection([mesh, room], engine="manifold")


PLACED = {
    "as it is": lambda tile: tile,
    "lower half, 11 mm": lambda tile: cut_at(tile, 11.1),
    "lower half, 13 mm": lambda tile: cut_at(tile, 13.0),
}


@pytest.mark.parametrize("kind", first_by_day(reversed(PLACED), "a studied model each"))
def test_a_model_is_placed_by_its_base_however_tall_it_is(found_in, kind):
    """Its channels and notches lie where they lie on the whole tile."""
    whole = printed.tile([printed.arc(1, 5)], notches=(2, 3))
    found = found_in(PLACED[kind](whole))
    assert (found.joins, found.notches, found.steps) == (((1, 5),), (2, 3), ())


@pytest.mark.parametrize("high_mm", first_by_day([5.0, 3.0, 12.0, 20.0], "a studied model each"))
@pytest.mark.parametrize("wide_mm", first_by_day([18.0, 30.0], "a studied model each"))
def test_a_closed_tile_with_a_figure_on_it_is_not_turned_over(tmp_path, high_mm, wide_mm):
    """No ball gets in, and that is what is told; a figure is no base, whatever its height."""
    path = tmp_path / "closed.stl"
    stood_on(printed.tile([], notches=(1,)), high_mm=high_mm, wide_mm=wide_mm).export(path)
    with pytest.raises(ModelError, match="no edge lets a ball in"):
        study_model(path, balls=1)


def test_a_model_that_is_upside_down_is_turned_by_its_base_also_as_a_lower_half(tmp_path):
    """Its base is on top: that says more than its height."""
    for high_mm in (11.1, 15.0):
        mesh = cut_at(printed.tile([printed.arc(1, 5)], notches=(2, 3)), high_mm)
        mesh.apply_transform(printed.trimesh.transformations.rotation_matrix(math.pi, (1, 0, 0)))
        path = tmp_path / f"over-{high_mm:g}.stl"
        mesh.export(path)
        (first, warnings), *_rest = ways_up(read_model(path))
        assert "it is drawn upside down; turned over" in warnings
        assert first.triangles[..., 2].min() == pytest.approx(-5.0)


@pytest.mark.parametrize("name", ["Geh\xe4use", "\xc4\xd6\xdc", "t\xfbile"])
def test_a_name_in_latin_1_inside_a_file_is_no_reason_to_refuse_it(tmp_path, name):
    """As older programs write it; the surface is the same."""
    mesh = printed.tile([printed.arc(1, 5)])
    path = tmp_path / "tile.stl"
    text = printed.trimesh.exchange.stl.export_stl_ascii(mesh)
    path.write_bytes(f"solid {name}\n".encode("latin-1") + text.partition("\n")[2].encode())
    assert len(read_model(path).triangles) == len(mesh.faces)


THREE_MF = {
    "[Content_Types].xml": '<?xml version="1.0" encoding="UTF-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>',
    "_rels/.rels": '<?xml version="1.0" encoding="UTF-8"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="/3D/3dmodel.model" Id="rel-1" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>',
    "3D/3dmodel.model": '<?xml version="1.0" encoding="UTF-8"?>\n<model unit="millimeter" xml:lang="de" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><metadata name="Title">Gehäuse</metadata><resources><object id="2" type="model"><mesh><vertices>{corners}</vertices><triangles>{faces}</triangles></mesh></object></resources><build><item objectid="2" transform="1 0 0 0 1 0 0 0 1 125 105 5"/></build></model>',
}
"""What a slicer puts into its archive; the build has the tile in the middle of a printer's bed."""


@nightly("a studied model", meanwhile="test_a_name_in_latin_1_inside_a_file_is_no_reason_to_refuse_it")
def test_a_3mf_from_a_slicer_is_read_as_the_same_tile(tmp_path, found_in):
    """Its corners, and where the build puts them, are those of the STL."""
    mesh = odd_tile()
    corners = "".join(f'<vertex x="{x:.9f}" y="{y:.9f}" z="{z:.9f}"/>' for x, y, z in mesh.vertices)
    faces = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in mesh.faces)
    path = tmp_path / "slicer.3mf"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in THREE_MF.items():
            archive.writestr(name, text.replace("{corners}", corners).replace("{faces}", faces))
    model = read_model(path)
    assert len(model.triangles) == len(mesh.faces)
    read, wanted = anatomy_of(model), found_in(mesh)
    assert (read.mouths, read.joins, read.notches) == (wanted.mouths, wanted.joins, wanted.notches)
    assert len(read.holes) == len(wanted.holes) == 1


@pytest.mark.parametrize("name", ["Geh\xe4use", "\xc4\xd6\xdc"])
def test_a_comment_in_latin_1_is_no_reason_to_refuse_an_obj(tmp_path, name):
    """Files of text hold names, too, as the program wrote them."""
    mesh = printed.tile([printed.arc(1, 5)])
    path = tmp_path / "tile.obj"
    text = printed.trimesh.exchange.obj.export_obj(mesh)
    path.write_bytes(f"# {name}\no {name}\n".encode("latin-1") + text.encode())
    assert len(read_model(path).triangles) == len(mesh.faces)


def test_a_library_that_is_missing_is_told_with_what_to_install(tmp_path, monkeypatch):
    """It is not the file's fault."""
    path = tmp_path / "tile.3mf"
    path.write_bytes(b"PK")

    def lacking(*_args, **_kinds):
        raise ModuleNotFoundError("No module named 'networkx'", name="networkx")

    monkeypatch.setattr(printed.trimesh, "load_mesh", lacking)
    with pytest.raises(ModelError, match=r"reading 3MF needs networkx; pip install 'hextraction\[models\]'"):
        read_model(path)


ENDLESS = {
    "equal": lambda rng, many: np.repeat(rng.uniform(-25, 25, (1, 3, 3)), many, axis=0),
    "a few over and over": lambda rng, many: np.tile(rng.uniform(-25, 25, (90, 3, 3)), (many // 90, 1, 1)),
    "needles from side to side": lambda rng, many: (
        rng.uniform(-1, 1, (many, 3, 3)) + np.array([[-27, -24, 0], [27, 24, 8], [27, 24, 8.1]])
    ),
}


@pytest.mark.parametrize("many", [90_000, 399_960])
@pytest.mark.parametrize("kind", ENDLESS)
def test_a_surface_without_end_is_refused_before_it_is_studied(tmp_path, kind, many):
    """Triangles many times over, or more of them than plastic could have."""
    triangles = ENDLESS[kind](np.random.default_rng(1), many)
    mesh = printed.trimesh.Trimesh(
        triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3), process=False
    )
    path = tmp_path / "endless.stl"
    mesh.export(path)
    with pytest.raises(ModelError, match=r"differ; repair|would cover it|export it coarser"):
        read_model(path)
