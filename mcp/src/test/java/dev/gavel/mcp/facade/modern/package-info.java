/** Tests of what requests are answered that stand alone. */
@NullMarked
package dev.gavel.mcp.facade.modern;

import org.jspecify.annotations.NullMarked;
