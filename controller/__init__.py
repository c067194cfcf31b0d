"""The app: devices in, events to the referee, view out."""
