/** Tests of the files in deploy/ against the program. */
@NullMarked
package dev.gavel.app.deploy;

import org.jspecify.annotations.NullMarked;
