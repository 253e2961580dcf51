/**
 * Statistics of a process, computed from the histories of SEPs: times, throughput, first response, load. Pure; the time
 * is an argument.
 */
@NullMarked
package dev.gavel.sep.stats;

import org.jspecify.annotations.NullMarked;
