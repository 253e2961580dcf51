/**
 * Commands that run or maintain a server on this machine: serve, demo, config, ledger and sep board. {@link
 * dev.gavel.app.command.GavelCommands} lists all commands of the program.
 */
@NullMarked
package dev.gavel.app.command;

import org.jspecify.annotations.NullMarked;
