import { contacts, persons, type Contact, type ContactsWhere } from '@heliograph/contract';
import { api } from '../../../core/api.ts';
import { useMutationOnce } from '../../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, text } from '../../../list/state/list-spec.ts';
import type { ContactChanges } from './contact-values.ts';

export const contactSpec = listSpec(contacts.find, {
  order: ['createdAt', 'phone', 'lastName', 'updatedAt'],
  search: true,
  filters: { tag: text },
  ...ACCOUNT_SIZES,
});

/** A list knows how many contacts it holds. */
const CHANGED = ['contacts', 'contactLists'] as const;

/** Adds a contact to the list, or changes the one with the id. */
export const useSaveContact = (ListId: string, id?: string) =>
  useMutationOnce({
    mutationFn: (body: ContactChanges) =>
      id
        ? api(contacts.update, { params: { id }, body })
        : api(contacts.create, { body: { ...body, ListId } }),
    meta: { invalidates: CHANGED, showsErrors: true },
  });

/** Of one call; more may be selected across pages. */
const MAX_IDS = 1000;

export const useRemoveContacts = () =>
  useMutationOnce({
    async mutationFn(ids: string[]) {
      let removed = 0;
      for (let at = 0; at < ids.length; at += MAX_IDS) {
        const body = { ids: ids.slice(at, at + MAX_IDS) };
        removed += (await api(contacts.removeMany, { body })).removed;
      }
      return { removed };
    },
    meta: { invalidates: CHANGED, isInSteps: true },
  });

/** What a filter finds in a list. */
export type FoundContacts = Required<Pick<ContactsWhere, 'ListId'>> &
  Pick<ContactsWhere, 'search' | 'tag'>;

const PAGE_SIZE = 500;

/** All that a filter finds, in the order in which they were added, page after page. */
export async function* allContacts({
  search,
  ...filter
}: FoundContacts): AsyncGenerator<Contact[]> {
  let cursor: string | undefined;
  do {
    const { data } = await api(contacts.find, {
      query: {
        search,
        filter: { ...filter, cursor },
        limit: PAGE_SIZE,
        order: [{ field: 'createdAt', direction: 'asc' }],
      },
    });
    yield data;
    cursor = data.length === PAGE_SIZE ? data.at(-1)?.id : undefined;
  } while (cursor);
}

/** Chosen contacts, or all that a filter finds in a list. */
export type ChosenContacts =
  | { ids: string[] }
  | { where: Required<Pick<ContactsWhere, 'ListId'>> & ContactsWhere };

type Step = ChosenContacts & { after?: string };

/** In the steps that the server takes, each of which answers where the next one begins. */
async function inSteps(
  of: ChosenContacts,
  take: (step: Step) => Promise<string | null>,
): Promise<void> {
  if ('where' in of) {
    let after = await take(of);
    while (after) after = await take({ ...of, after });
  } else
    for (let at = 0; at < of.ids.length; at += MAX_IDS)
      await take({ ids: of.ids.slice(at, at + MAX_IDS) });
}

/** All that a filter finds, in steps. `onStep` is told how many have been removed so far. */
export const useRemoveFound = (onStep: (removed: number) => void) =>
  useMutationOnce({
    async mutationFn(where: FoundContacts) {
      let removed = 0;
      let after: string | undefined;
      do {
        const step = await api(contacts.removeMany, { body: { where, after } });
        removed += step.removed;
        after = step.next ?? undefined;
        onStep(removed);
      } while (after);
      return { removed };
    },
    meta: { invalidates: CHANGED, isInSteps: true },
  });

interface Tagging {
  of: ChosenContacts;
  add: string[];
  remove: string[];
}

/** `onStep` is told how many have been changed so far. */
export const useTagContacts = (onStep: (changed: number) => void) =>
  useMutationOnce({
    async mutationFn({ of, ...tags }: Tagging) {
      const done = { changed: 0, full: 0 };
      await inSteps(of, async (step) => {
        const { changed, full, next } = await api(contacts.tag, { body: { ...step, ...tags } });
        done.changed += changed;
        done.full += full;
        onStep(done.changed);
        return next;
      });
      return done;
    },
    meta: { invalidates: ['contacts'], isInSteps: true, showsErrors: true },
  });

interface Moving {
  of: ChosenContacts;
  to: string;
  copy: boolean;
}

/** `onStep` is told how many the list got so far. */
export const useMoveContacts = (onStep: (added: number) => void) =>
  useMutationOnce({
    async mutationFn({ of, ...target }: Moving) {
      const done = { added: 0, existing: 0 };
      await inSteps(of, async (step) => {
        const { added, existing, next } = await api(contacts.move, {
          body: { ...step, ...target },
        });
        done.added += added;
        done.existing += existing;
        onStep(done.added);
        return next;
      });
      return done;
    },
    meta: { invalidates: CHANGED, isInSteps: true, showsErrors: true },
  });

/** Erases by each address; a worker does it and sends events. */
export const useErasePerson = () =>
  useMutationOnce({
    mutationFn: ({ addresses, OwnerId }: { addresses: string[]; OwnerId?: string }) =>
      Promise.all(addresses.map((address) => api(persons.erase, { body: { address, OwnerId } }))),
  });
