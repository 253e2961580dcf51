/**
 * Runs fault tests on a gateway cluster, one seed after the other, as programs with the same options and reports. The
 * tests themselves are in other packages.
 */
@NullMarked
package dev.gavel.faults.cluster;

import org.jspecify.annotations.NullMarked;
