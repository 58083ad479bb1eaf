import type { DriverContext, OpenContext } from '../src/channels/channel.ts';
import { Outbound } from '../src/core/http/outbound.ts';
import { NO_CHATS } from './peers/chats.ts';
import { NO_FILES } from './peers/message-files.ts';
import { NO_DEVICES } from './peers/push-devices.ts';

/** What a driver is opened with in its test: `given`, and nothing else that it could use. `allowed` are the addresses it may call. */
export const openContext = (
  given: Partial<OpenContext> = {},
  allowed = '127.0.0.0/8',
): OpenContext => ({
  channel: 'channel',
  outbound: new Outbound(allowed, 'CHANNEL_ALLOWED_HOSTS'),
  senders: { send: () => Promise.reject(new Error('no senders')) },
  files: NO_FILES,
  devices: NO_DEVICES,
  chats: NO_CHATS,
  inbox: { reports: () => Promise.resolve(), messages: () => Promise.resolve() },
  ...given,
});

/** Of a call that nothing interrupts. */
export const callContext = (now = new Date()): DriverContext => ({
  now,
  signal: new AbortController().signal,
  progress: () => undefined,
});

/** The id of the nth sending of a test. */
export const reference = (n: number): string =>
  `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** The error with which something is rejected; it fails if it is not. */
export const failure = <E extends Error = Error>(doing: Promise<unknown>): Promise<E> =>
  doing.then(
    () => {
      throw new Error('it succeeded');
    },
    (error: E) => error,
  );
