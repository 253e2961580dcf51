/** Draws accessible SVG charts without script. Pure. */
@NullMarked
package dev.gavel.sep.chart;

import org.jspecify.annotations.NullMarked;
