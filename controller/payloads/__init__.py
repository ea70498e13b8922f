"""Every payload between controller and phones, as types, and the JSON Schema and AsyncAPI made from them.

A table fills these types, ``phones`` sends them.
"""
