"""Stone Soup as a peer: Kalman filters over sensors' places, with GNN or multi-frame assignment (MHT).

Run by the bench in its own environment: JSON lines in, JSON lines out. A ramp's pulse starts a track, as does
every ball at rest; a pulse is a detection at its sensor's place. The model is nearly constant velocity, its
noise from the size of tiles and the speed of balls.
"""

import datetime as dt
import json
import sys
import time
import warnings
from typing import Any

import numpy as np
from stonesoup.dataassociator.mfa import MFADataAssociator
from stonesoup.dataassociator.neighbour import GNNWith2DAssignment
from stonesoup.hypothesiser.distance import DistanceHypothesiser
from stonesoup.hypothesiser.mfa import MFAHypothesiser
from stonesoup.hypothesiser.probability import PDAHypothesiser
from stonesoup.measures import Mahalanobis
from stonesoup.models.measurement.linear import LinearGaussian
from stonesoup.models.transition.linear import CombinedLinearGaussianTransitionModel, ConstantVelocity
from stonesoup.predictor.kalman import KalmanPredictor
from stonesoup.types.detection import Detection
from stonesoup.types.mixture import GaussianMixture
from stonesoup.types.numeric import Probability
from stonesoup.types.state import GaussianState, TaggedWeightedGaussianState
from stonesoup.types.track import Track
from stonesoup.updater.kalman import KalmanUpdater

START = dt.datetime(2026, 1, 1)  # noqa: DTZ001 - Stone Soup wants naive times
SENSOR_MM = 9.0
PUSH = 4.0e5
"""Spectral density of the acceleration, mm^2/s^3: gravity and walls turn a ball of 300 mm/s within a tile."""
GATE = 4.0
SEEN = 0.9
FALSE_PER_MM2 = 1e-5
WINDOW = 4

warnings.filterwarnings("ignore")


def when(at_us: Any) -> Any:
    """Return a moment as Stone Soup wants it."""
    return START + dt.timedelta(microseconds=at_us)


class Models:
    """What all of it shares."""

    def __init__(self) -> None:
        self.motion = CombinedLinearGaussianTransitionModel([ConstantVelocity(PUSH), ConstantVelocity(PUSH)])
        self.sight = LinearGaussian(4, (0, 2), np.diag([SENSOR_MM**2, SENSOR_MM**2]))
        self.predictor = KalmanPredictor(self.motion)
        self.updater = KalmanUpdater(self.sight)


def state_at(place: Any, at_us: Any, speed: Any) -> Any:
    """Return a ball there that may go anywhere at up to that speed."""
    spread = np.diag([SENSOR_MM**2, speed**2, SENSOR_MM**2, speed**2])
    return GaussianState(np.array([[place[0]], [0.0], [place[1]], [0.0]]), spread, timestamp=when(at_us))


def detections(places: Any, pulses: Any, models: Any) -> Any:
    """Return one detection a pulse, with its number."""
    return [
        Detection(
            np.array([[places[sensor][0]], [places[sensor][1]]]),
            timestamp=when(on_us),
            measurement_model=models.sight,
            metadata={"pulse": index},
        )
        for index, (sensor, on_us, _off_us) in enumerate(pulses)
    ]


def gnn(places: Any, balls: Any, pulses: Any) -> Any:
    """Global nearest neighbour, one pulse after the other."""
    models = Models()
    near = DistanceHypothesiser(models.predictor, models.updater, Mahalanobis(), missed_distance=GATE)
    associator = GNNWith2DAssignment(near)
    tracks = {ball: Track([state_at(place, 0, 50.0)]) for ball, place in balls.items()}
    ways: dict[int, list[int]] = {ball: [] for ball in balls}
    gone = set()
    for detection, (sensor, on_us, _off_us) in zip(detections(places, pulses, models), pulses, strict=True):
        index = detection.metadata["pulse"]
        if sensor.startswith("ramp."):
            ball = max(ways, default=0) + 1
            tracks[ball], ways[ball] = Track([state_at(places[sensor], on_us, 400.0)]), [index]
            continue
        live = {track: ball for ball, track in tracks.items() if ball not in gone}
        found = associator.associate(set(live), {detection}, detection.timestamp) if live else {}
        for track, hypothesis in found.items():
            if hypothesis:
                track.append(models.updater.update(hypothesis))
                ways[live[track]].append(index)
                if sensor.startswith(("drain.", "zone.")):
                    gone.add(live[track])
    return ways


def mht(places: Any, balls: Any, pulses: Any) -> Any:
    """Multi-frame assignment over a sliding window: Stone Soup's multiple hypothesis tracker.

    Each track carries a history of one number a frame, 1 where it took the pulse; a later track begins with
    as many noughts as there were frames.
    """
    models = Models()
    inner = PDAHypothesiser(
        models.predictor, models.updater, FALSE_PER_MM2, prob_gate=0.9999, prob_detect=SEEN
    )
    associator = MFADataAssociator(MFAHypothesiser(inner), slide_window=WINDOW)
    tracks = {ball: _tagged(state_at(place, 0, 50.0), [0]) for ball, place in balls.items()}
    ways: dict[int, list[int]] = {ball: [] for ball in balls}
    frames: list[Any] = []
    for detection, (sensor, on_us, _off_us) in zip(detections(places, pulses, models), pulses, strict=True):
        index = detection.metadata["pulse"]
        if sensor.startswith("ramp."):
            ball = max(ways, default=0) + 1
            ways[ball] = [index]
            tracks[ball] = _tagged(state_at(places[sensor], on_us, 400.0), [0] * (len(frames) + 1))
        elif tracks:
            frames.append(index)
            found = associator.associate(set(tracks.values()), {detection}, detection.timestamp)
            for track, hypotheses in found.items():
                parts = [_part(models, hypothesis) for hypothesis in hypotheses]
                track.append(GaussianMixture(parts))
    for ball, track in tracks.items():
        best = max(track[-1].components, key=lambda part: float(part.weight))
        ways[ball] += [index for index, took in zip(frames, best.tag[1:], strict=True) if took]
    return ways


def _tagged(state: Any, tag: Any) -> Any:
    one = TaggedWeightedGaussianState(
        state.state_vector, state.covar, timestamp=state.timestamp, weight=Probability(1.0), tag=tag
    )
    return Track([GaussianMixture([one])])


def _part(models: Any, hypothesis: Any) -> Any:
    """Return one component of a track after a frame: updated by the pulse, or only predicted."""
    state = models.updater.update(hypothesis) if hypothesis else hypothesis.prediction
    return TaggedWeightedGaussianState(
        state.state_vector,
        state.covar,
        timestamp=state.timestamp,
        weight=hypothesis.prediction.weight,
        tag=hypothesis.prediction.tag,
    )


METHODS = {"gnn": gnn, "mht": mht}


def main() -> None:
    """Answer each roll with ways and milliseconds."""
    method = METHODS[sys.argv[1]]
    places = json.loads(sys.stdin.readline())
    for line in sys.stdin:
        roll = json.loads(line)
        balls = {int(ball): places[f"slot {slot}"] for ball, slot in roll["balls"].items()}
        began = time.perf_counter()
        try:
            ways, wrong = method(places, balls, roll["pulses"]), ""
        except Exception as error:  # noqa: BLE001 - a peer that fails on a roll says so, and goes on
            ways, wrong = {ball: [] for ball in balls}, f"{type(error).__name__}: {error}"
        took_ms = (time.perf_counter() - began) * 1e3
        print(json.dumps({"ways": ways, "ms": took_ms, "wrong": wrong}), flush=True)


if __name__ == "__main__":
    main()
