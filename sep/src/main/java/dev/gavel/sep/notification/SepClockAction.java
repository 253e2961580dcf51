package dev.gavel.sep.notification;

import dev.gavel.lifecycle.ClockAction;

/** Something a clock says it is time for, of one proposal. Immutable. */
public record SepClockAction(int number, String title, ClockAction clockAction) {}
