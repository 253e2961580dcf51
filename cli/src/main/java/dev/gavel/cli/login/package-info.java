/** The commands {@code gavel login} and {@code gavel logout}. */
@NullMarked
package dev.gavel.cli.login;

import org.jspecify.annotations.NullMarked;
