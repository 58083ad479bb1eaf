import {
  ApiError,
  createClient,
  type Call,
  type Client,
  type Endpoint,
} from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';

type Output<E extends Endpoint> = z.output<E['response']>;

const PATIENCE_MS = 90_000;
/** Answers on which a call may be repeated: nobody answered, nothing could be done, the first try still runs. */
const isPassing = (error: unknown) =>
  !(error instanceof ApiError) || error.status >= 500 || [409, 429].includes(error.status);

/**
 * Where nobody listened, or a connection that nobody had accepted yet was reset with the port, the call was never there. A
 * connection over which something had come was accepted.
 */
function isCut(error: unknown): boolean {
  const { code, socket } = causeOf(error);
  return code === 'UND_ERR_SOCKET' && Boolean(socket?.bytesRead);
}
const causeOf = (error: unknown) =>
  ((error as Error).cause ?? {}) as { code?: string; socket?: { bytesRead?: number } };
const reasonOf = (error: unknown) => `${String(error)} ${causeOf(error).code ?? ''}`;

/** A program of a customer: it asks either API, and asks again until it has an answer. */
export class Customer {
  /** Calls that were repeated. */
  repeated = 0;
  /** Calls that were taken and broke off without an answer. */
  readonly cut: string[] = [];
  readonly token: string;
  private readonly clients: Client[];

  constructor(apis: string[], token: string) {
    this.token = token;
    const withTimeout: typeof fetch = (url, init) =>
      fetch(url, { ...init, signal: AbortSignal.timeout(8000) });
    this.clients = apis.map((base) =>
      createClient({ base: `${base}/api`, token: () => token, fetch: withTimeout }),
    );
  }

  /** One try at one API. */
  once<E extends Endpoint>(endpoint: E, call: Call<E>): Promise<Output<E>> {
    const client = this.clients[Math.floor(Math.random() * this.clients.length)]!;
    return client<Endpoint>(endpoint, call) as Promise<Output<E>>;
  }

  /** Until it is answered; `isDone` is asked after a failure whether the first try had its effect after all. */
  async insist<E extends Endpoint>(
    endpoint: E,
    call: Call<E>,
    isDone: () => Promise<Output<E> | undefined> = () => Promise.resolve(undefined),
  ): Promise<Output<E>> {
    for (const end = Date.now() + PATIENCE_MS; ;) {
      try {
        return await this.once(endpoint, call);
      } catch (error) {
        if (!isPassing(error) || Date.now() > end) throw error;
        this.repeated++;
        if (isCut(error)) this.cut.push(`${endpoint.method} ${endpoint.path}: ${reasonOf(error)}`);
        await sleep(200);
        const done = await isDone().catch(() => undefined);
        if (done) return done;
      }
    }
  }

  /** With a key, so that repeats have one effect. */
  insistOnce<E extends Endpoint>(endpoint: E, call: Call<E>): Promise<Output<E>> {
    return this.insist(endpoint, { ...call, headers: { 'Idempotency-Key': randomUUID() } });
  }
}
