import { ConcurrentIndexes } from './concurrently.ts';

/** An incoming message finds what it replies to by the phone alone: its account is not known before. */
export class MessagesByPhone1763700000179 extends ConcurrentIndexes {
  protected readonly indexes = { sendings_phone: 'on sendings (phone, id)' };
}
