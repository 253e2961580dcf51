/** Gavel together with clients and servers that others wrote, installed in the folder {@code interop}. */
@NullMarked
package dev.gavel.app.interop;

import org.jspecify.annotations.NullMarked;
