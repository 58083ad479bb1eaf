import { accountCountry, normalizeEmail, normalizePhone } from '@heliograph/domain';
import { randomBytes } from 'node:crypto';
import { Audit } from '../../../core/audit/audit.ts';
import type { Db } from '../../../core/db/db.ts';
import { invalid } from '../../../core/errors.ts';
import { PersonsStore, type ErasedContacts, type Erasure } from './persons.store.ts';

const MAX_ADDRESS_LENGTH = 320;
/** Chains of one transaction. */
const CHAIN_BATCH_SIZE = 500;

export interface Erased {
  contacts: ErasedContacts[];
  /** The id of the conversation with the person. */
  conversation: string | null;
  incoming: number;
  messages: number;
  /** Messages that are not finished: workers erase them later. */
  underWay: number;
}

/** Stores the request. A repeated request starts the erasure again, with the same word. */
export async function requestErasure(
  db: Db,
  { OwnerId, address }: { OwnerId: string; address: string },
): Promise<Erasure> {
  const store = new PersonsStore(db);
  const text = address.slice(0, MAX_ADDRESS_LENGTH);
  const normalized = text.includes('@')
    ? normalizeEmail(text)
    : normalizePhone(text, accountCountry(await store.phoneOfAccount(OwnerId)));
  if (!normalized)
    throw invalid('address', 'address', 'This is neither a phone number nor an e-mail.');
  return db.transaction(async () => {
    const erasure = await store.request(
      { OwnerId, address: normalized },
      `erased-${randomBytes(8).toString('hex')}`,
    );
    await new Audit(db).record({
      action: 'persons.erase',
      OwnerId,
      target: ['persons', erasure.word],
    });
    return erasure;
  });
}

/**
 * Erases a person whom an account knows by an address: contacts, the texts of messages to and from the person, and the address
 * itself, which is replaced by a random word so that counts and the ledger stay right. Blacklists keep the address; without it
 * the person would receive messages again. Repeatable, also after an interruption. Messages under way are erased once finished.
 */
export async function erasePerson(db: Db, erasure: Erasure): Promise<Erased> {
  const store = new PersonsStore(db);
  const { contacts, conversation, incoming } = erasure.isBegun
    ? { contacts: [], conversation: null, incoming: 0 }
    : await db.transaction(() => begin(store, erasure));
  let messages = 0;
  for (let chains = CHAIN_BATCH_SIZE; chains === CHAIN_BATCH_SIZE;) {
    const erased = await db.transaction(() => store.eraseMessages(erasure, CHAIN_BATCH_SIZE));
    messages += erased.messages;
    chains = erased.chains;
  }
  const underWay = await store.countMessages(erasure);
  // After the messages: one that was under way may have been a look-up.
  await store.eraseFoundNetwork(erasure);
  await (underWay ? store.postpone(erasure.id) : store.finish(erasure.id));
  return { contacts, conversation, incoming, messages, underWay };
}

async function begin(
  store: PersonsStore,
  erasure: Erasure,
): Promise<Pick<Erased, 'contacts' | 'conversation' | 'incoming'>> {
  const contacts = await store.eraseContacts(erasure);
  await store.eraseTypedAddresses(erasure);
  await store.eraseSessions(erasure);
  await store.eraseOptOut(erasure);
  await store.eraseSignups(erasure);
  await store.eraseDevices(erasure);
  await store.eraseFrequency(erasure);
  const conversation = await store.eraseConversation(erasure);
  const incoming = await store.eraseIncoming(erasure);
  await store.markBegun(erasure.id);
  return { contacts, conversation, incoming };
}
