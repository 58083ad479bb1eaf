import pg, { type ClientBase } from 'pg';
import { isPooled } from './pooled-client.ts';

/** A server that does not take the request within this time is not reachable. */
const TIMEOUT_MS = 10_000;

/** What the driver knows of an open connection, beside its types. */
interface Opened extends ClientBase {
  host: string;
  port: number;
  processID: number;
  secretKey: number;
  end(): Promise<void>;
}

/** The connection of the driver below its client. */
interface Request {
  connect(port: number | string, host?: string): void;
  cancel(processID: number, secretKey: number): void;
  stream: { setTimeout(ms: number, then: () => void): void; destroy(): void };
  once(event: 'connect' | 'end', then: () => void): void;
  on(event: 'error', then: () => void): void;
}

/**
 * Cancels what runs on a connection, by a request of the protocol on a connection of its own: the number of a session is not that
 * of the database if there is a pooler between. Resolves when the server has taken the request. A connection over a
 * pooler is closed then: while its statement waits for a session, the pooler ignores the request.
 */
export async function cancel(client: ClientBase): Promise<void> {
  const { host, port, processID, secretKey } = client as Opened;
  const request = new pg.Connection() as unknown as Request;
  await new Promise<void>((resolve) => {
    request.once('end', resolve);
    request.on('error', () => undefined); // its end follows
    request.once('connect', () => request.cancel(processID, secretKey));
    request.stream.setTimeout(TIMEOUT_MS, () => request.stream.destroy());
    if (host.startsWith('/')) request.connect(`${host}/.s.PGSQL.${port}`);
    else request.connect(port, host);
  });
  if (isPooled(client)) void (client as Opened).end();
}
