/** Charts as SVG: small, without script, readable in light and dark and by those who do not see them. Pure. */
@NullMarked
package dev.gavel.sep.chart;

import org.jspecify.annotations.NullMarked;
