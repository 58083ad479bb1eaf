import type { Agent, WebSocket } from 'undici';
import { z } from 'zod';

import { openWebSocket } from '../../core/http/outbound.ts';
import { ChannelDown, type DriverContext } from '../channel.ts';
import {
  callCarrier,
  documentIn,
  type HttpAnswer,
  isSuccess,
  refuseByStatus,
} from '../http-call.ts';
import type { AriOptions } from './options.ts';

export const Leg = z.object({
  id: z.string().max(150),
  state: z.string().catch(''),
  dialplan: z.object({ app_name: z.string() }).optional().catch(undefined),
});
/** A call as Asterisk shows it. */
export type Leg = z.output<typeof Leg>;

const AriEvent = z.object({
  type: z.string(),
  timestamp: z.string().optional().catch(undefined),
  channel: Leg.optional().catch(undefined),
  playback: z.object({ target_uri: z.string(), state: z.string() }).optional().catch(undefined),
  digit: z.string().max(1).optional().catch(undefined),
  cause: z.int().optional().catch(undefined),
  cause_txt: z.string().optional().catch(undefined),
});
export type AriEvent = z.output<typeof AriEvent>;

const RETRY_MS = 5_000;

interface Reply {
  status: number;
  document: unknown;
}

/** The REST interface of Asterisk, and its events. */
export class AriClient {
  private readonly headers;

  constructor(
    private readonly options: AriOptions,
    private readonly agent: Agent,
  ) {
    const { username, password } = options;
    const login = Buffer.from(`${username}:${password}`).toString('base64');
    this.headers = { authorization: `Basic ${login}` };
  }

  /**
   * Calls a method of the interface; `expected` are statuses beside those of success that mean something. Throws ChannelDown, or
   * UnknownOutcome if the call may have had its effect.
   */
  async call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { signal, trace }: Pick<DriverContext, 'signal' | 'trace'>,
    { body, shown, expected = [] }: { body?: object; shown?: object; expected?: number[] } = {},
  ): Promise<Reply> {
    const url = this.address(path);
    trace?.(() => ({ request: `${method} ${url}${shown ? `\n${JSON.stringify(shown)}` : ''}` }));
    const callOf = () => ({
      url,
      method,
      headers: { ...this.headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await callCarrier(
      this.agent,
      callOf,
      this.options.timeoutMs,
      signal,
      () => true,
    );
    trace?.(() => ({ answer: `${answer.status}\n${answer.body}` }));
    const { status } = answer;
    if (!isSuccess(status) && !expected.includes(status)) refuse(answer);
    return { status, document: documentIn(answer.body) };
  }

  /** The calls that there are. Throws ChannelDown. */
  async legs(signal: AbortSignal): Promise<Leg[]> {
    const { document } = await this.call('GET', 'channels', { signal }).catch((error: Error) => {
      if (error instanceof ChannelDown) throw error;
      // Nothing was changed by it.
      throw new ChannelDown(error.message, RETRY_MS, { cause: error });
    });
    const { data } = z.array(Leg).safeParse(document);
    if (!data) throw new ChannelDown('the list of channels is unreadable', RETRY_MS);
    return data;
  }

  /** Takes the events of the application, away from the one that has had them. Throws ChannelDown. */
  listen(
    signal: AbortSignal,
    on: { event: (event: AriEvent) => void; end: () => void },
  ): Promise<WebSocket> {
    const query = new URLSearchParams({ app: this.options.app, subscribeAll: 'false' });
    const url = this.address(`events?${query}`).replace(/^http/, 'ws');
    const socket = openWebSocket(this.agent, url, this.headers);
    const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
    const fail = () => {
      socket.close();
      reject(new ChannelDown('the events of the application cannot be read', RETRY_MS));
    };
    signal.addEventListener('abort', fail);
    socket.addEventListener('error', fail);
    socket.addEventListener('open', () => {
      signal.removeEventListener('abort', fail);
      resolve(socket);
    });
    socket.addEventListener('close', () => {
      fail();
      on.end();
    });
    socket.addEventListener('message', ({ data }) => {
      const { data: event } = AriEvent.safeParse(
        typeof data === 'string' ? documentIn(data) : undefined,
      );
      if (event) on.event(event);
    });
    return promise;
  }

  private address(path: string): string {
    return `${this.options.url}/${path}`;
  }
}

/** A trunk that is not registered has dialled nobody: Asterisk says so with 500. */
function refuse(answer: HttpAnswer): never {
  const said = z.object({ message: z.string() }).safeParse(documentIn(answer.body)).data?.message;
  if (answer.status === 500 && said === 'Allocation failed')
    throw new ChannelDown('the endpoint cannot be dialled: Allocation failed', RETRY_MS);
  refuseByStatus(answer);
  throw new ChannelDown(`answered ${answer.status}`, RETRY_MS);
}

/** Asterisk writes the zone as +0000. */
export function timeOf({ timestamp = '' }: AriEvent, now: Date): Date {
  const at = new Date(timestamp.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(at.getTime()) ? now : at;
}
