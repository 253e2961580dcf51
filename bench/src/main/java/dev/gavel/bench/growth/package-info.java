/** Growth: what a delivery, a commit and somebody's presence cost with one, two and three gateways. */
@NullMarked
package dev.gavel.bench.growth;

import org.jspecify.annotations.NullMarked;
