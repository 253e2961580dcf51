package dev.gavel.sep.notification;

import dev.gavel.lifecycle.ClockAction;

/** A reminder, escalation or automatic move that is due for one SEP. Immutable. */
public record SepClockAction(int number, String title, ClockAction clockAction) {}
