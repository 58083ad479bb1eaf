import type { PushKind } from '@heliograph/contract';
import type { SendingErrorCode } from '@heliograph/domain';

import {
  ChannelDown,
  type DriverContext,
  type OutgoingMessage,
  type PushDevice,
  type PushDevices,
  type SubmitResult,
} from './channel.ts';

/** Messages of one call. */
export const PUSH_BATCH = 100;
/** Calls at a time, if there are connections for them. */
const MAX_CALLS = 4;
/** The store of the devices is away. */
const STORE_RETRY_MS = 10_000;

/** What became of a message at one of the devices. */
export type DeviceResult =
  | { result: 'accepted' }
  /** The app or the subscription does not exist any more. */
  | { result: 'gone'; carrierCode: string | number }
  | { result: 'rejected'; code: SendingErrorCode; carrierCode?: string | number; text?: string }
  | { result: 'throttled'; retryAfter: number };

type Outcome = DeviceResult | { result: 'unsent' | 'unknown' };

/** How the connections of a channel are shared by its calls. */
export const callsOf = (connections: number): { calls: number; width: number } => {
  const calls = Math.min(MAX_CALLS, connections);
  return { calls, width: Math.floor(connections / calls) };
};

interface Push {
  kind: PushKind;
  devices: PushDevices;
  /** Requests at a time. */
  width: number;
  /** Throws ChannelDown when nothing more can leave, UnknownOutcome when it is not known what became of the message. */
  deliver(message: OutgoingMessage, device: PushDevice): Promise<DeviceResult>;
}

/**
 * Submits each message to all devices of its recipient. It is accepted if one of them was. Devices that do not exist any more are
 * removed; a recipient without any is `not_a_user`. Throws ChannelDown if nothing has left.
 */
export async function pushToDevices(
  batch: readonly OutgoingMessage[],
  { signal, progress }: DriverContext,
  { kind, devices, width, deliver }: Push,
): Promise<SubmitResult[]> {
  const references = batch.map(({ reference }) => reference);
  const found = await devices.of(references, kind).catch((cause: unknown) => {
    throw new ChannelDown('the devices cannot be read', STORE_RETRY_MS, { cause });
  });
  const outcomes = new Map<string, Outcome[]>(references.map((reference) => [reference, []]));
  const gone: string[] = [];
  let down: ChannelDown | undefined;
  const pairs = batch
    .flatMap((message) =>
      (found.get(message.reference) ?? []).map((device) => ({ message, device })),
    )
    .values();
  const work = async () => {
    for (const { message, device } of pairs) {
      let outcome: Outcome = { result: 'unsent' };
      if (!down && !signal.aborted)
        try {
          outcome = await deliver(message, device);
        } catch (error) {
          if (error instanceof ChannelDown) down ??= error;
          else outcome = { result: 'unknown' };
        }
      if (outcome.result === 'gone') gone.push(device.id);
      outcomes.get(message.reference)!.push(outcome);
      progress();
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  // Those that stay by accident are found gone again.
  if (gone.length) await devices.remove(gone).catch(() => undefined);
  const results = references.flatMap((reference) => resultOf(reference, outcomes.get(reference)!));
  if (down && results.length === batch.length && results.every((one) => one.result === 'unsent'))
    throw down;
  return results;
}

/** The best that became of a message; nothing if that is not known. */
function resultOf(reference: string, outcomes: Outcome[]): SubmitResult[] {
  const of = <R extends Outcome['result']>(result: R) =>
    outcomes.filter((one): one is Extract<Outcome, { result: R }> => one.result === result);
  if (of('accepted').length) return [{ reference, result: 'accepted' }];
  if (of('unknown').length) return [];
  const [throttled] = of('throttled').toSorted((a, b) => b.retryAfter - a.retryAfter);
  if (throttled) return [{ reference, ...throttled }];
  if (of('unsent').length) return [{ reference, result: 'unsent' }];
  const [rejected] = of('rejected');
  if (rejected) return [{ reference, ...rejected }];
  const [gone] = of('gone');
  return [
    {
      reference,
      result: 'rejected',
      code: 'not_a_user',
      ...(gone && { carrierCode: gone.carrierCode }),
    },
  ];
}

/** The first link of a text, which a click on the notification opens; undefined without one. */
export function linkIn(text: string): string | undefined {
  const [link] = /https?:\/\/[^\s<>"'«»]+/i.exec(text) ?? [];
  if (!link) return undefined;
  let end = link.length;
  while (ENDS_OF_SENTENCES.includes(link[end - 1]!)) end--;
  return URL.canParse(link.slice(0, end)) ? link.slice(0, end) : undefined;
}
const ENDS_OF_SENTENCES = '.,;:!?)]}…';

/** Pushes of a message without a validity wait as long as the services keep them at most. */
const MAX_TTL_SECONDS = 2_419_200;
export const ttlOf = ({ validity }: OutgoingMessage): number =>
  Math.min(validity?.seconds ?? MAX_TTL_SECONDS, MAX_TTL_SECONDS);
