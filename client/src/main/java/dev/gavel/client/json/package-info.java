/** JSON values that keep the letters they were written with. */
@NullMarked
package dev.gavel.client.json;

import org.jspecify.annotations.NullMarked;
