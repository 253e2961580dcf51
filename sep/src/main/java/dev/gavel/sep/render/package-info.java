/** Documents as pages show them. A document is anybody's: nothing in it may reach whoever reads the page but its words. */
@NullMarked
package dev.gavel.sep.render;

import org.jspecify.annotations.NullMarked;
