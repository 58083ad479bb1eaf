import type { Redis } from 'ioredis';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../log.ts';

type Listener = (...args: unknown[]) => unknown;

/**
 * Node removes its error listener from a connection that requests an upgrade, and engine.io adds its own later, or never
 * for other paths. A connection reset in between would be an uncaught exception.
 */
export function ignoreUpgradeErrors(server: Server): void {
  server.prependListener('upgrade', (_request: unknown, socket: Duplex) => {
    socket.on('error', () => undefined);
  });
}

/**
 * The socket.io adapter parses messages from Redis without a check. An unreadable message is dropped; otherwise it would
 * throw inside the Redis connection.
 */
export function dropUnreadableMessages(subscriber: Redis, log: Log): void {
  for (const event of ['pmessageBuffer', 'messageBuffer']) {
    for (const listener of subscriber.listeners(event) as Listener[]) {
      subscriber.off(event, listener);
      subscriber.on(event, async (...args: unknown[]) => {
        try {
          await listener(...args);
        } catch (error) {
          log.warn({ err: error }, 'dropped an unreadable message of the socket.io adapter');
        }
      });
    }
  }
}

/**
 * The socket.io adapter does not await its commands, so commands on a closed connection would be unhandled rejections.
 * Callers that await a command still receive its error.
 */
export function ignoreUnawaitedErrors(connection: Redis): void {
  const send = connection.sendCommand.bind(connection);
  connection.sendCommand = (...args) => {
    const answer = send(...args);
    if (answer instanceof Promise) answer.catch(() => undefined);
    return answer;
  };
}
