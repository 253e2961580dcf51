/** The fan-out benchmark ({@code bench/fanout}): one topic and many receivers, Gavel compared with the raw relay. */
@NullMarked
package dev.gavel.bench.fanout;

import org.jspecify.annotations.NullMarked;
