/** Commands with which an admin lists and changes tokens, roles and the members of a topic. */
@NullMarked
package dev.gavel.cli.member;

import org.jspecify.annotations.NullMarked;
