import { ConcurrentIndexes } from './concurrently.ts';

/**
 * Messages to an address in their order, of one account or of any: the account is the last column of the key, so that entries of
 * others are passed over without their rows.
 */
export class MessagesByAddress1763700000240 extends ConcurrentIndexes {
  protected readonly indexes = { sendings_address: 'on sendings (phone, id, owner_id)' };
  protected override readonly replaced = {
    sendings_person: 'on sendings (owner_id, phone, id)',
    sendings_phone: 'on sendings (phone, id)',
  };
}
