"""Judging the tracker: labelled rolls followed, compared with the truth, told and drawn as charts."""
