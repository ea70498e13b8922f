"""Every payload between controller and phones, as types, and the JSON Schema and AsyncAPI made from them.

The one part of ``phones`` that a table knows, too: it fills these types, ``phones`` sends them.
"""
