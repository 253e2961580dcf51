/** Tests of what requests are answered that stand alone. */
@NullMarked
package dev.gavel.mcp.facade.stateless;

import org.jspecify.annotations.NullMarked;
