import { senderNameErrors, type SenderNameError } from './senders.ts';
import { senderKey } from './sending-rules.ts';
import type { SendingType } from './types.ts';

/** Sender names that are registered at a channel, by `senderKey`, with the time since which, in milliseconds. */
export type RegisteredNames = ReadonlyMap<string, number>;

/** The names of the channels that need a registration, by channel. */
export type RegisteredAt = ReadonlyMap<string, RegisteredNames>;

/**
 * Whether a channel carries messages of a sender. A channel that is not in `registered` carries any. A message without a sender name needs
 * no registration, nor does one of an own WhatsApp instance, whose sender is its phone.
 */
export function carriesSender(
  registered: RegisteredAt,
  channel: string,
  { type, sender }: { type: SendingType; sender: string },
  now: Date,
): boolean {
  const names = registered.get(channel);
  if (!names || type === 'wapi' || sender.trim() === '') return true;
  const since = names.get(senderKey(type, sender));
  return since !== undefined && since <= now.getTime();
}

/**
 * The rules that a name violates which a carrier has registered; [] if it is valid. Names for calls are digits, as those of accounts are.
 * Others may be any: what a carrier registers is its decision.
 */
export const registeredNameErrors = (type: 'sms' | 'voice', name: string): SenderNameError[] =>
  senderNameErrors(type === 'voice' ? type : 'other', name);
