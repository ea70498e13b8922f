"""The settings that follow from what was chosen. Pure.

A file of its own because its text is for the table, while that of the choices is for people, and translated.
"""

from hextraction.controller.workshop.first_page.choices import BUILDS, Choices

__all__ = ["settings_text"]


def settings_text(choices: Choices, *, journal: str, port: int) -> str:
    """Return the text of ``hextraction.toml`` for these choices. ``journal`` is where games are kept."""
    wiring = 'wiring = "wiring.toml"\n' if BUILDS[choices.build].wired else ""
    code = f'code = "{choices.code}"\n' if choices.code else ""
    return f"""\
# The board's configuration, as chosen on its first page; every key is described in docs/config.md.
# After a change: hextraction check FILE, and start the table again.

[table]
id = "{choices.name}"
journal = "{journal}"
{wiring}
[page]
port = {port}
{code}
[log]
level = "info"
"""
