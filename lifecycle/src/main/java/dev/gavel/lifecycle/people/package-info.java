/** Who a process is about: persons, the roles they bring, and groups named by a role. */
@NullMarked
package dev.gavel.lifecycle.people;

import org.jspecify.annotations.NullMarked;
