"""What a command prints with ``--json``, read as strictly as its type is written."""

import importlib

import msgspec
from hextraction.controller.workshop import documents


def type_of(command):
    """Return the type of a command's document."""
    module, _, name = documents.DOCUMENTS[command].rpartition(":")
    return getattr(importlib.import_module(module) if module else documents, name)


def read(command, text):
    """Return the one document that a command printed; anything else in its output is an error."""
    return msgspec.json.decode(text, type=type_of(command))
