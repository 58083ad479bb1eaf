import type { Redis } from 'ioredis';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../log.ts';

type Listener = (...args: unknown[]) => unknown;

/**
 * Node takes its error listener off a connection that asks for an upgrade, and engine.io adds its own only later, or never
 * for a path of another: without one a reset in between is an uncaught exception.
 */
export function ignoreUpgradeErrors(server: Server): void {
  server.prependListener('upgrade', (_request: unknown, socket: Duplex) => {
    socket.on('error', () => undefined);
  });
}

/**
 * The socket.io adapter reads what arrives over Redis without a check. A message that it cannot read is dropped: it would
 * throw into the connection to Redis otherwise.
 */
export function dropUnreadableMessages(subscriber: Redis, log: Log): void {
  for (const event of ['pmessageBuffer', 'messageBuffer']) {
    for (const listener of subscriber.listeners(event) as Listener[]) {
      subscriber.off(event, listener);
      subscriber.on(event, async (...args: unknown[]) => {
        try {
          await listener(...args);
        } catch (error) {
          log.warn(
            { err: error },
            'a message of the socket channel cannot be read, it was dropped',
          );
        }
      });
    }
  }
}

/**
 * The socket.io adapter awaits none of its commands: those that a closed connection leaves unanswered would be unhandled
 * rejections. Who does await a command still gets its error.
 */
export function ignoreUnawaitedErrors(connection: Redis): void {
  const send = connection.sendCommand.bind(connection);
  connection.sendCommand = (...args) => {
    const answer = send(...args);
    if (answer instanceof Promise) answer.catch(() => undefined);
    return answer;
  };
}
