"""One contact, debounced: the first edge counts at once, what follows is bounce until it has been quiet.

Pure: levels and times go in, changes come out. A press so costs no waiting, and a level that changed within the bounce
is found when it is looked at again.
"""

from __future__ import annotations

QUIET_S = 0.020
"""Without an edge for so long, a contact has settled; key contacts bounce for 5 ms, worn ones for 10."""


class Debounce:
    """*level* is True while the key is down, as it is known at first."""

    def __init__(self, level: bool = False, quiet_s: float = QUIET_S) -> None:
        self.level = level
        """As reported last."""
        self.due: float | None = None
        """When to ``sample`` next; None while the contact is still."""
        self._quiet_s = quiet_s

    def edge(self, level: bool, at: float) -> bool | None:
        """The contact went to *level* at *at* (seconds, never falling); gives the level to report, if any."""
        settling = self.due is not None
        self.due = at + self._quiet_s
        if settling or level == self.level:
            return None
        self.level = level
        return level

    def sample(self, level: bool, at: float) -> bool | None:
        """Look at the contact when ``due`` has come; gives the level to report, if any."""
        if self.due is None or at < self.due:
            return None
        if level == self.level:
            self.due = None
            return None
        self.level = level
        self.due = at + self._quiet_s
        return level
