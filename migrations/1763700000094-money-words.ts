import { ConcurrentIndexes } from './concurrently.ts';

/** What payments, manual entries of the ledger and visits are searched along. A charge of a message writes none of them. */
export class MoneyWords1763700000094 extends ConcurrentIndexes {
  protected readonly indexes = {
    payments_words:
      'on payments using gin (owner_id, card_number gin_trgm_ops, external_id gin_trgm_ops)',
    billings_words:
      'on billings using gin (owner_id, comment gin_trgm_ops) where source < 0 and comment is not null',
    visits_words: `on visits using gin (owner_id, ip gin_trgm_ops, useragent gin_trgm_ops,
      (data->>'country') gin_trgm_ops, (data->>'city') gin_trgm_ops)`,
  };
}
