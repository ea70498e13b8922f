"""Waiting, in tests, for what another program or thread does."""

import asyncio

__all__ = ["happens"]


async def happens(condition, within_s=60.0):
    """Wait until something holds that nobody tells us about; fail when it takes longer than on any busy machine."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110  # it happens in another program
            await asyncio.sleep(0.01)
