/** The persons, role groups and actors that commands, events and guidance refer to. */
@NullMarked
package dev.gavel.lifecycle.actor;

import org.jspecify.annotations.NullMarked;
