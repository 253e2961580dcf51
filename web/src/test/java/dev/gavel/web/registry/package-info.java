/** Tests the rules for changing identities at run time, without a server. */
@NullMarked
package dev.gavel.web.registry;

import org.jspecify.annotations.NullMarked;
