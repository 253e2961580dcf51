/** Live updates: publishes changes to open console pages as server-sent events. */
@NullMarked
package dev.gavel.web.console.live;

import org.jspecify.annotations.NullMarked;
