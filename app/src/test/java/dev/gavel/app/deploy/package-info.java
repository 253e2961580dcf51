/** The files in deploy/, held against the program they are for. */
@NullMarked
package dev.gavel.app.deploy;

import org.jspecify.annotations.NullMarked;
