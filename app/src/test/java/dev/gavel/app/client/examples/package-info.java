/** The programs in docs/client.md, identical except for their package. */
@NullMarked
package dev.gavel.app.client.examples;

import org.jspecify.annotations.NullMarked;
