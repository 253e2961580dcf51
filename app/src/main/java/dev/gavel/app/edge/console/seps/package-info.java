/** Where people read about SEPs in the console; what they do to them is another package's. */
@NullMarked
package dev.gavel.app.edge.console.seps;

import org.jspecify.annotations.NullMarked;
