/**
 * Who is signed in, and what comes from them: sessions, the door, and how pages and forms are guarded and answered.
 */
@NullMarked
package dev.gavel.app.edge.console.session;

import org.jspecify.annotations.NullMarked;
