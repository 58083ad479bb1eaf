import {
  contactLists,
  contacts,
  links,
  segments,
  sendernames,
  sendings,
  sendingsIncoming,
  storage,
  telemetry,
  templates,
  type SendingReceipt,
  type SendingTask,
} from '@heliograph/contract';
import type { z } from 'zod';
import { createChannel } from './channel.ts';
import type { Person, World } from './world.ts';

/** An account with its reseller, and the parent rows that calls need. */
export interface Scene {
  world: World;
  owner: Person;
  reseller: Person;
  list(): Promise<string>;
  contact(ListId: string): Promise<string>;
  segment(): Promise<string>;
  file(): Promise<string>;
  sendername(): Promise<string>;
  template(): Promise<string>;
  pattern(): Promise<string>;
  /** Groups that the account is in. */
  route(): Promise<string>;
  routingGroup(): Promise<string>;
  ruleGroup(): Promise<string>;
  link(): Promise<string>;
  sending(): Promise<string>;
  /** A single message that waits for its time. */
  laterSending(): Promise<string>;
  task(): Promise<z.infer<typeof SendingTask>>;
  incoming(): Promise<string>;
  visit(): Promise<string>;
  tariff(): Promise<string>;
  notification(): Promise<string>;
  /** A new channel with signed reports. */
  channel(): ReturnType<typeof createChannel>;
}

/** A message that needs no registered sender name. */
export const MESSAGE = { type: 'viber' as const, payload: { sender: 'TEA', text: 'Tea is ready' } };
export const PHONE = '+79001234567';
/** A test number whose messages are delivered, so that nothing is given back. */
export const DELIVERED = '+79990000000';

export async function scene(world: World, ownReseller?: Person): Promise<Scene> {
  const reseller = ownReseller ?? (await world.person({ level: 'reseller' }));
  const owner = await world.person({ resellerId: reseller.id });
  const { api } = owner;
  let n = 0;
  const idOf = async (row: Promise<{ id: string }>) => (await row).id;
  const list = () =>
    idOf(api(contactLists.create, { body: { title: 'Tea lovers', type: 'regular' } }));
  const contact = (ListId: string) =>
    idOf(api(contacts.create, { body: { ListId, phone: `+7900000${1000 + n++}` } }));
  const group = async (table: string, column: string, value: object) => {
    const [row] = await world.db.query<{ id: string }>(
      `with g as (insert into ${table} (title, ${column}) values ('Tea houses', $2) returning id)
       insert into users_${table} (owner_id, group_id, position) select $1, id, 1 from g returning group_id as id`,
      [owner.id, JSON.stringify(value)],
    );
    return row!.id;
  };
  return {
    world,
    owner,
    reseller,
    list,
    contact,
    segment: () =>
      idOf(api(segments.create, { body: { title: 'Regulars', where: { tag: 'regular' } } })),
    file: () => idOf(api(storage.create, { body: upload('phone\n+79001230001\n') })),
    sendername: () =>
      idOf(
        api(sendernames.create, {
          body: {
            name: `TEA-${1000 + n++}`,
            type: 'sms',
            comment: 'Tea House LLC, INN 7700000009',
          },
        }),
      ),
    template: () => idOf(api(templates.create, { body: { title: 'Sale', ...MESSAGE } })),
    async route() {
      const [row] = await world.db.query<{ id: string }>(
        `insert into routes (title, types, countries, operators, senders, owner_ids, group_ids, kinds, channels)
         values ('Codes', '{hlr}', '{}', '{}', '{}', '{}', '{}', '{code}', '[{"ChannelId": "simulator", "weight": 1}]') returning id`,
      );
      return row!.id;
    },
    routingGroup: () =>
      group('routing_groups', 'routes', [{ type: 'viber', ChannelId: 'simulator' }]),
    ruleGroup: () => group('message_rule_groups', 'rules', {}),
    async pattern() {
      const [row] = await world.db.query<{ id: string }>(
        `insert into patterns (owner_id, title, type, text, "group") values ($1, 'Codes', 'sms', 'Code %d{4}', 'service') returning id`,
        [owner.id],
      );
      return row!.id;
    },
    link: () => idOf(api(links.create, { body: { url: 'https://tea.example/sale' } })),
    sending: () =>
      idOf(
        api(sendings.create, { body: { ...MESSAGE, recipient: PHONE } }) as Promise<SendingReceipt>,
      ),
    laterSending() {
      const sendAt = new Date(world.clock.now().getTime() + 86_400_000).toISOString();
      const body = { ...MESSAGE, recipient: PHONE, sendAt };
      return idOf(api(sendings.create, { body }) as Promise<SendingReceipt>);
    },
    async task() {
      const ListId = await list();
      await contact(ListId);
      const recipient = { include: [ListId] };
      const schedule = { delay: new Date(world.clock.now().getTime() + 86_400_000).toISOString() };
      const task = await api(sendings.create, { body: { ...MESSAGE, recipient, schedule } });
      return task as z.infer<typeof SendingTask>;
    },
    incoming: () =>
      idOf(
        api(sendingsIncoming.create, {
          body: { type: 'sms', from: PHONE, to: 'TEA', payload: { text: 'Yes' } },
        }),
      ),
    visit: () => idOf(api(telemetry.create, { body: {} })),
    async tariff() {
      const [row] = await world.db.query<{ id: string }>(
        `with t as (insert into tariffs (title, source) values ('Special', 'viber') returning id)
         insert into users_tariffs (owner_id, tariff_id) select $1, id from t returning tariff_id as id`,
        [owner.id],
      );
      return row!.id;
    },
    async notification() {
      const [row] = await world.db.query<{ id: string }>(
        `insert into notifications (user_id, owner_id, type) values ($1, $1, 'SystemPlatformIssues') returning id`,
        [owner.id],
      );
      return row!.id;
    },
    channel: () => createChannel(world),
  };
}

export function upload(text: string): FormData {
  const form = new FormData();
  form.set('file', new Blob([text], { type: 'text/csv' }), 'contacts.csv');
  return form;
}

/** A file with the first bytes of a PNG. */
export function picture(bytes = 64): FormData {
  const form = new FormData();
  const head = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  form.set('file', new Blob([head, new Uint8Array(bytes - head.length)]), 'tea.png');
  return form;
}
