import { SendingInput, type Sending, type SendingType } from '@heliograph/contract';
import { failureAdvice } from '@heliograph/domain';
import type { SendingDraftInput } from './sendings.api.ts';

export interface ResendValues {
  type: SendingType;
  sender: string;
  text: string;
}

/** Another channel where the failure asks for one, else the same again; the text is carried over. */
export function firstChoice(sending: Sending, types: readonly SendingType[]): ResendValues {
  const { type, payload, state } = sending;
  const wantsOther = !!state.code && failureAdvice(state.code) === 'other_channel';
  const others = types.filter((other) => other !== type);
  const chosen = (wantsOther && others[0]) || (types.includes(type) ? type : (types[0] ?? type));
  return {
    type: chosen,
    sender: chosen === type ? payload.sender : '',
    text: payload.text ?? '',
  };
}

/** A new single sending. What is attached goes along on its own channel only: another may not carry it. */
export function resendInput(
  sending: Sending,
  { type, sender, text }: ResendValues,
  ownerId: string,
): SendingDraftInput {
  const attached = sending.type === type ? sending.payload : {};
  return {
    type,
    recipient: sending.recipient,
    payload: { ...attached, sender: sender.trim(), text },
    ...(sending.OwnerId !== ownerId && { OwnerId: sending.OwnerId }),
  };
}

/** The same call as a program would make it: this attempt and what would follow it. */
export function sameAgain({ type, recipient, payload, attempt, fallbacks = [] }: Sending): object {
  const items = fallbacks
    .slice(attempt)
    .map(({ $options: _, audioSeconds: _seconds, ...item }) => item);
  return { type, recipient, payload, ...(items.length && { fallbacks: items }) };
}

/** Broken rules by path of the contract; empty when it can be sent. */
export function brokenResend(input: SendingDraftInput): Record<string, string> {
  const broken: Record<string, string> = {};
  for (const issue of SendingInput.safeParse(input).error?.issues ?? []) {
    const rule = issue.code === 'custom' ? (issue.params?.rule as string) : issue.code;
    broken[issue.path.join('.')] ??= rule ?? 'other';
  }
  return broken;
}
