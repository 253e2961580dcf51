/** What the build wrote down about itself. */
@NullMarked
package dev.gavel.app.build;

import org.jspecify.annotations.NullMarked;
