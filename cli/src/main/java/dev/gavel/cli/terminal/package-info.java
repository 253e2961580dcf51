/** Low-level terminal access: window size, raw mode, key decoding and full-screen drawing. Knows nothing of Gavel. */
@NullMarked
package dev.gavel.cli.terminal;

import org.jspecify.annotations.NullMarked;
