/** Tests of bridges in a running gateway. */
@NullMarked
package dev.gavel.app.bridge;

import org.jspecify.annotations.NullMarked;
