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

const ANSWER_TIMEOUT_MS = 90_000;
/** Errors after which a call may be repeated: no answer, a server error, or the first attempt still runs. */
const isPassing = (error: unknown) =>
  !(error instanceof ApiError) || error.status >= 500 || [409, 429].includes(error.status);

/**
 * A refused connection, or one that was reset with the port before it was accepted, is not a cut call. A
 * connection that had received data was accepted.
 */
function isCut(error: unknown): boolean {
  const { code, socket } = causeOf(error);
  return code === 'UND_ERR_SOCKET' && Boolean(socket?.bytesRead);
}
const causeOf = (error: unknown) =>
  ((error as Error).cause ?? {}) as { code?: string; socket?: { bytesRead?: number } };
const reasonOf = (error: unknown) => `${String(error)} ${causeOf(error).code ?? ''}`;

/** A customer's client: calls either API, and repeats the call until it has an answer. */
export class Customer {
  /** Calls that were repeated. */
  repeated = 0;
  /** Accepted calls that ended without an answer. */
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

  /** One attempt at one API. */
  once<E extends Endpoint>(endpoint: E, call: Call<E>): Promise<Output<E>> {
    const client = this.clients[Math.floor(Math.random() * this.clients.length)]!;
    return client<Endpoint>(endpoint, call) as Promise<Output<E>>;
  }

  /** Repeats until answered; after a failure `isDone` checks whether the first attempt had its effect. */
  async insist<E extends Endpoint>(
    endpoint: E,
    call: Call<E>,
    isDone: () => Promise<Output<E> | undefined> = () => Promise.resolve(undefined),
  ): Promise<Output<E>> {
    for (const end = Date.now() + ANSWER_TIMEOUT_MS; ;) {
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
