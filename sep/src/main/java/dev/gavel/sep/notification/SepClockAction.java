package dev.gavel.sep.notification;

import dev.gavel.lifecycle.ClockAction;

/** A clock action, such as a reminder or an automatic move, that is due for one SEP. Immutable. */
public record SepClockAction(int number, String title, ClockAction clockAction) {}
