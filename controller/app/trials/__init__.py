"""Trials of the tracker: labelled rolls made, followed, judged and drawn."""
