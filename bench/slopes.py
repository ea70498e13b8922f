"""Numbers that know how they change with the tracker's figures (forward differentiation).

:func:`learn_slopes` has to be called before anything imports the tracker. From then on each figure in its
modules is a :class:`Slope`, and so is every cost that is computed from some. It is as large as the plain
number; where the tracker compares, rounds or cuts off, the slope is that of what it chose.
"""

import ast
import importlib.machinery
import importlib.util
import math
import sys
from collections.abc import Mapping, Sequence
from types import CodeType, ModuleType
from typing import Final, Self

__all__ = ["FIGURES", "MOVED", "Slope", "exp", "figure", "learn_slopes", "log", "sqrt"]

FIGURES: Final[dict[str, float]] = {}
"""The value of each figure that has been met, by module, name and number: ``costs._LENGTHS#3``."""

MOVED: Final[dict[str, float]] = {}
"""By how much each figure is moved from what the code says; to be filled before :func:`learn_slopes`."""

_PACKAGE: Final = "hextraction.controller.tracking."
_MODULES: Final = ("costs", "odds", "ends", "stays", "finder", "teller", "covered")
_FIXED: Final = (
    "_NEVER",
    "LIMIT",
    "BELOW_BEST",
    "_HOPELESS",
    "_NO_CLIMB",
    "_RARELY",
    "REAL",
    "GHOST_AT_ONCE",
)
"""What bounds a search, or is about what is shown at once, changes no cost of a whole account."""
_PLAIN: Final = (0.5, 1.0, 2.0, 1e6, 2e6)
"""In functions such numbers are arithmetic."""

By = Mapping[str, float]


class Slope(float):
    """A number, and by how much it changes with each figure (``by``)."""

    __slots__ = ("by",)
    by: By

    def __new__(cls, value: float, by: By) -> Self:
        """Return a number with its slopes."""
        made = super().__new__(cls, value)
        made.by = by
        return made

    def __reduce__(self) -> tuple[type["Slope"], tuple[float, By]]:
        """Return how to make it again in another process."""
        return Slope, (float(self), self.by)

    def __hash__(self) -> int:
        """Return the hash of the plain number."""
        return hash(float(self))

    def __eq__(self, other: object) -> bool:
        """Whether the plain numbers are the same."""
        return float(self) == other

    def __neg__(self) -> "Slope":
        """Return it with the other sign."""
        return _scaled(self, -float(self), -1.0)

    def __add__(self, other: float) -> "Slope":
        """Add a number."""
        return _both(float(self) + float(other), self, 1.0, other, 1.0)

    __radd__ = __add__

    def __sub__(self, other: float) -> "Slope":
        """Subtract a number."""
        return _both(float(self) - float(other), self, 1.0, other, -1.0)

    def __rsub__(self, other: float) -> "Slope":
        """Subtract it from a number."""
        return _scaled(self, float(other) - float(self), -1.0)

    def __mul__(self, other: float) -> "Slope":
        """Multiply by a number."""
        return _both(float(self) * float(other), self, float(other), other, float(self))

    __rmul__ = __mul__

    def __truediv__(self, other: float) -> "Slope":
        """Divide by a number."""
        value = float(self) / float(other)
        return _both(value, self, 1.0 / float(other), other, -value / float(other))

    def __rtruediv__(self, other: float) -> "Slope":
        """Divide a number by it."""
        value = float(other) / float(self)
        return _scaled(self, value, -value / float(self))

    def __pow__(self, other: float, modulo: None = None) -> "Slope":
        """Return a power of it."""
        power = float(other)
        value = float(self) ** power
        steep = power * float(self) ** (power - 1.0)
        return _both(value, self, steep, other, value * math.log(max(float(self), 1e-300)))

    def __rpow__(self, other: float, modulo: None = None) -> "Slope":
        """Return a number to the power of it."""
        value = float(other) ** float(self)
        return _scaled(self, value, value * math.log(float(other)))


def _scaled(one: Slope, value: float, times: float) -> Slope:
    return Slope(value, {name: times * slope for name, slope in one.by.items()})


def _both(value: float, one: Slope, times: float, other: float, times_other: float) -> Slope:
    by = {name: times * slope for name, slope in one.by.items()}
    if isinstance(other, Slope):
        for name, slope in other.by.items():
            by[name] = by.get(name, 0.0) + times_other * slope
    return Slope(value, by)


def log(number: float) -> float:
    """Return the natural logarithm."""
    if isinstance(number, Slope):
        return _scaled(number, math.log(float(number)), 1.0 / float(number))
    return math.log(number)


def exp(number: float) -> float:
    """Return e to the power of a number."""
    value = math.exp(float(number))
    return _scaled(number, value, value) if isinstance(number, Slope) else value


def sqrt(number: float) -> float:
    """Return the square root."""
    value = math.sqrt(float(number))
    return _scaled(number, value, 0.5 / value) if isinstance(number, Slope) else value


def figure(name: str, value: float) -> Slope:
    """Return a figure of the tracker as a number that knows its name."""
    FIGURES[name] = value = value + MOVED.get(name, 0.0)
    return Slope(value, {name: 1.0})


class _Figures(ast.NodeTransformer):
    """Makes a call of :func:`figure` of each figure in a module."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._within = ""
        self._top = True
        self._met: dict[str, int] = {}

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Name the figures of a constant."""
        if self._top and isinstance(node.target, ast.Name) and node.value is not None:
            self._within = node.target.id
            node.value = self.visit(node.value)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Name the figures of a function."""
        self._within, before, self._top = node.name, self._top, False
        node.body = [self.visit(part) for part in node.body]
        self._top = before
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Pass over the defaults of fields."""
        node.body = [self.visit(part) if isinstance(part, ast.FunctionDef) else part for part in node.body]
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        """Take the functions that know slopes."""
        names = [one for one in node.names if node.module == "math" and one.name in {"log", "exp", "sqrt"}]
        others = [one for one in node.names if one not in names]
        found = [ast.ImportFrom(node.module, others, node.level)] if others else []
        return ast.Module([*found, *([ast.ImportFrom(__name__, names, 0)] if names else [])], [])

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Make a figure of a number with a point."""
        value = node.value
        if not isinstance(value, float) or not value or self._within in _FIXED:
            return node
        if not self._top and value in _PLAIN:
            return node
        key = f"{self._module}.{self._within}"
        number = self._met[key] = self._met.get(key, -1) + 1
        FIGURES[f"{key}#{number}"] = value + MOVED.get(f"{key}#{number}", 0.0)
        called: list[ast.expr] = [ast.Constant(f"{key}#{number}"), node]
        return ast.copy_location(ast.Call(ast.Name("_figure", ast.Load()), called, []), node)


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles a module of the tracker with slopes; what Python has compiled before is not used."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the module."""
        tree = _Figures(fullname.rpartition(".")[2]).visit(ast.parse(self.get_data(self.path)))
        flat: list[ast.stmt] = []
        for part in tree.body:
            flat += part.body if isinstance(part, ast.Module) else [part]
        tree.body = flat
        return compile(ast.fix_missing_locations(tree), self.path, "exec")

    def exec_module(self, module: ModuleType) -> None:
        """Run the module."""
        vars(module)["_figure"] = figure
        super().exec_module(module)


class _Finder:
    """Finds the modules of the tracker that have figures."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return how to load one of these modules, None for any other."""
        if not name.startswith(_PACKAGE) or name.removeprefix(_PACKAGE) not in _MODULES:
            return None
        found = importlib.machinery.PathFinder.find_spec(name, path, target)
        if found is None or found.origin is None:
            return None
        return importlib.util.spec_from_file_location(name, found.origin, loader=_Loader(name, found.origin))


def learn_slopes() -> None:
    """Let the tracker count slopes, in this process and those that it starts by forking.

    Raises:
        RuntimeError: the tracker has been imported already.
    """
    if f"{_PACKAGE}costs" in sys.modules:
        raise RuntimeError("the tracker was imported before learn_slopes() was called")
    sys.meta_path.insert(0, _Finder())
