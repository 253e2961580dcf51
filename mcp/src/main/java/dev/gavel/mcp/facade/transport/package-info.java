/** Types that the facade and the HTTP layer in front of it exchange. */
@NullMarked
package dev.gavel.mcp.facade.transport;

import org.jspecify.annotations.NullMarked;
