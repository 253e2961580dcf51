@NullMarked
package dev.gavel.web.sep;

import org.jspecify.annotations.NullMarked;
