/** Topic pages: members, activity, chat, proposal lists and the history of a proposal. */
@NullMarked
package dev.gavel.web.console.topic;

import org.jspecify.annotations.NullMarked;
