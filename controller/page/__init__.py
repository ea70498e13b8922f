"""The phone page: plain files that the gate serves as they are (see ``docs/page.md``). No build step."""
