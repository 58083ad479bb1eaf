/** What a compiler knows of messages and events by their type: each expected error is one. */
import type { SendingInput } from './sdk/types.gen.js';
import type { components, webhooks } from './schema.js';

const recipient = '+79990000000';
export const sms: SendingInput = { type: 'sms', recipient, payload: { sender: 'M', text: 'Hi' } };
export const email: SendingInput = {
  type: 'email',
  recipient: 'a@example.com',
  payload: { sender: 'M', subject: 'Hi', text: 'Hi' },
};
export const wrong: SendingInput = {
  type: 'sms',
  recipient,
  // @ts-expect-error only an e-mail has a subject
  payload: { sender: 'M', subject: 'Hi', text: 'Hi' },
};
// @ts-expect-error an SMS has a text
export const empty: SendingInput = { type: 'sms', recipient, payload: { sender: 'M' } };

type Event<Name extends keyof webhooks> =
  webhooks[Name]['post']['requestBody']['content']['application/json'];
/** A receiver of several events, which tells them apart by their type. */
export function read(event: Event<'sendings.status'> | Event<'tasks.state'>): string {
  if (event.type === 'tasks.state')
    return Array.isArray(event.data) ? event.data[0]!.timestamp : event.data.state;
  const [one] = [event.data].flat();
  // @ts-expect-error messages have no title
  void one!.title;
  return one!.status;
}
export type Viber = components['schemas']['ViberPayload']['button'];
