/** Reads the version that the build wrote into the program. */
@NullMarked
package dev.gavel.cli.build;

import org.jspecify.annotations.NullMarked;
