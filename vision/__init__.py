"""From a camera frame to what lies where on the table."""
