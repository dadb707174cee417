"""Source: functions read as trees, and core programs written as Python."""
