/** The programs that docs/client.md shows, as they stand there but for their package. */
@NullMarked
package dev.gavel.app.client.examples;

import org.jspecify.annotations.NullMarked;
