import {
  contactLists,
  storage,
  templates,
  type EventBody,
  type StoredFile,
} from '@heliograph/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../../../test/listen.ts';
import { serviceOf } from '../../../test/notified.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { TemplatesService } from './templates.service.ts';

let world: World;
let customer: Person;
let stranger: Person;

beforeAll(async () => {
  world = await World.start();
  customer = await world.person();
  stranger = await world.person();
});
afterAll(() => world.stop());

const fallback = {
  type: 'sms' as const,
  payload: { sender: 'MIRTEA', text: 'Hello' },
  options: { onStatus: ['failed' as const], onTimeout: { timeout: 120, except: [] } },
};
const body = {
  title: 'Greeting',
  type: 'viber' as const,
  payload: { sender: 'MIRTEA', text: 'Hello, {firstName|friend}' },
  fallbacks: [fallback],
};

test('a template is created, found, edited and removed', async () => {
  const created = await customer.api(templates.create, { body });
  expect(created).toMatchObject({ ...body, recipient: null, isActive: true, OwnerId: customer.id });
  const params = { id: created.id };
  const page = await customer.api(templates.find, {
    query: { search: 'friend', filter: { type: ['viber'], isActive: true } },
  });
  expect(page).toMatchObject({ total: 1, data: [{ id: created.id }] });
  const edited = await customer.api(templates.update, {
    params,
    body: { payload: { text: 'Only this' }, fallbacks: [], isActive: false },
  });
  // A payload is replaced, not merged.
  expect(edited.payload).toEqual({ text: 'Only this' });
  expect(edited).toMatchObject({ title: 'Greeting', fallbacks: [], isActive: false });
  await customer.api(templates.remove, { params });
  await expect(customer.api(templates.get, { params })).rejects.toMatchObject({ status: 404 });
});

test('applying a template returns the values of a sending, options under both names', async () => {
  const list = await customer.api(contactLists.create, {
    body: { title: 'Friends', type: 'regular' },
  });
  const recipient = { include: [list.id, '+79990000001'], exclude: ['+79990000002'] };
  const { id } = await customer.api(templates.create, { body: { ...body, recipient } });
  const draft = await customer.api(templates.apply, { params: { id } });
  const { title: _, ...expected } = body;
  expect(draft).toMatchObject({ ...expected, recipient });
  expect(draft.fallbacks[0]!.$options).toEqual(draft.fallbacks[0]!.options);
  // What was read can be written back.
  const again = await customer.api(templates.update, { params: { id }, body: draft as never });
  expect(again.fallbacks).toEqual(draft.fallbacks);
  expect(
    (await customer.api(templates.update, { params: { id }, body: { recipient: null } })).recipient,
  ).toBeNull();
});

test('lists and events have the number of recipients, a single template the recipients', async () => {
  const many = await world.person();
  const include = Array.from({ length: 3 }, (_, n) => `+7999000000${n}`);
  const recipient = { include, exclude: ['+79990000009'] };
  const heard = await listen<EventBody<'templates'>>(world, many, 'templates.updated');
  const made = await many.api(templates.create, { body: { ...body, recipient } });
  const plain = await many.api(templates.create, { body });
  expect(made).toMatchObject({ recipient, recipients: { include: 3, exclude: 1 } });
  expect(plain).toMatchObject({ recipient: null, recipients: null });
  const params = { id: made.id };
  const edited = await many.api(templates.update, {
    params,
    body: { recipient: { include: include.slice(1) } },
  });
  expect(edited).toMatchObject({
    recipient: { include: include.slice(1), exclude: [] },
    recipients: { include: 2, exclude: 0 },
  });
  expect(await many.api(templates.get, { params, query: {} })).toEqual(edited);
  const { data } = await many.api(templates.find);
  const { recipient: _, ...row } = edited;
  expect(data.find(({ id }) => id === made.id)).toEqual(row);
  expect(data.find(({ id }) => id === plain.id)).toMatchObject({ recipients: null });
  const itemsHeard = () => heard.flatMap((event) => ('items' in event ? event.items : []));
  // Events have the row as it was when they were sent, so an earlier one may have the former recipients.
  const isCurrent = ({ id, updatedAt }: { id: string; updatedAt: string }) =>
    id === made.id && updatedAt === edited.updatedAt;
  await until(async () => itemsHeard().some(isCurrent), 'the event');
  expect(itemsHeard().find(isCurrent)).toEqual(row);
});

test('a template whose list was removed can be put back as it was read, with another title', async () => {
  const list = await customer.api(contactLists.create, {
    body: { title: 'Guests', type: 'regular' },
  });
  const { id } = await customer.api(templates.create, {
    body: { ...body, recipient: { include: [list.id], exclude: [] } },
  });
  await customer.api(contactLists.remove, { params: { id: list.id } });
  const read = await customer.api(templates.get, { params: { id }, query: {} });
  const given = { ...read, title: 'Renamed' } as never;
  const changed = await customer.api(templates.update, { params: { id }, body: given });
  expect(changed).toMatchObject({ title: 'Renamed', recipient: read.recipient });
  const other = { recipient: { include: [list.id, '+79161110001'], exclude: [] } };
  await expect(
    customer.api(templates.update, { params: { id }, body: other }),
  ).rejects.toMatchObject({ status: 404 });
});

test("a template names its owner's lists only", async () => {
  const list = await stranger.api(contactLists.create, {
    body: { title: 'Theirs', type: 'regular' },
  });
  for (const recipient of [{ include: [list.id] }, { include: [], exclude: [list.id] }]) {
    await expect(
      customer.api(templates.create, { body: { ...body, recipient } }),
    ).rejects.toMatchObject({ status: 404 });
  }
  const { id } = await customer.api(templates.create, { body });
  await expect(
    customer.api(templates.update, {
      params: { id },
      body: { recipient: { include: [list.id] } },
    }),
  ).rejects.toMatchObject({ status: 404 });
});

test("a template names its owner's files only, in its payload and its fallbacks", async () => {
  const upload = async (who: Person) => {
    const form = new FormData();
    form.set('file', new Blob(['GIF89a']), 'tea.gif');
    const call = { body: form as never, query: {} };
    return ((await who.api(storage.create, call)) as StoredFile).id;
  };
  const [mine, theirs] = [await upload(customer), await upload(stranger)];
  const payload = { ...body.payload, image: mine };
  const { id } = await customer.api(templates.create, { body: { ...body, payload } });
  const fallbacks = [
    { ...fallback, type: 'voice' as const, payload: { ...fallback.payload, audio: theirs } },
  ];
  for (const wrong of [{ payload: { ...payload, image: theirs } }, { fallbacks }]) {
    await expect(
      customer.api(templates.create, { body: { ...body, ...wrong } }),
    ).rejects.toMatchObject({ status: 404 });
    await expect(
      customer.api(templates.update, { params: { id }, body: wrong }),
    ).rejects.toMatchObject({ status: 404 });
  }
});

test('a template says nothing that its channel cannot carry', async () => {
  const form = new FormData();
  form.set('file', new Blob(['%PDF-1.7']), 'tea.pdf');
  const { id: pdf } = (await customer.api(storage.create, {
    body: form as never,
    query: {},
  })) as StoredFile;
  const { id } = await customer.api(templates.create, {
    body: { ...body, payload: { ...body.payload, button: { text: 'Buy', url: 'https://t.ru' } } },
  });
  const wrong: [object, string][] = [
    [{ payload: { ...body.payload, file: pdf } }, 'payload.file'],
    [{ payload: { ...body.payload, image: pdf } }, 'payload.image'],
    [
      { fallbacks: [{ ...fallback, payload: { ...fallback.payload, subject: 'Tea' } }] },
      'fallbacks.0.payload.subject',
    ],
  ];
  for (const [changes, field] of wrong) {
    const refused = { status: 422, body: { data: [expect.objectContaining({ field })] } };
    await expect(
      customer.api(templates.create, { body: { ...body, ...changes } }),
    ).rejects.toMatchObject(refused);
    await expect(
      customer.api(templates.update, { params: { id }, body: changes }),
    ).rejects.toMatchObject(refused);
  }
  // Another type requires moderation again.
  await expect(
    customer.api(templates.update, { params: { id }, body: { type: 'sms' } }),
  ).rejects.toMatchObject({
    body: { data: [expect.objectContaining({ field: 'payload.button' })] },
  });
  await customer.api(templates.update, { params: { id }, body: { title: 'Renamed' } });
});

test('a title and a type are required', async () => {
  await expect(
    customer.api(templates.create, { body: { payload: {} } as never }),
  ).rejects.toMatchObject({
    status: 422,
    body: {
      data: [
        expect.objectContaining({ field: 'title' }),
        expect.objectContaining({ field: 'type' }),
      ],
    },
  });
});

test('a reseller moderates its customers’ templates, the owner is notified, a new text requires moderation again', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const owner = await world.person({ resellerId: reseller.id });
  const { id, ...created } = await owner.api(templates.create, { body });
  expect(created).toMatchObject({ moderation: 'pending', comment: null });
  const params = { id };
  const moderate = (who: Person, verdict: object) =>
    who.api(templates.moderate, { params, body: verdict as never });

  await expect(moderate(owner, { moderation: 'approved' })).rejects.toMatchObject({ status: 403 });
  await expect(moderate(stranger, { moderation: 'approved' })).rejects.toMatchObject({
    status: 403,
  });
  await moderate(reseller, { moderation: 'approved' });
  // A title is not what was moderated, a text is.
  const renamed = await owner.api(templates.update, { params, body: { title: 'Hello' } });
  expect(renamed.moderation).toBe('approved');
  await owner.api(templates.update, { params, body: { isActive: false } });
  await expect(owner.api(templates.apply, { params })).rejects.toMatchObject({ status: 409 });
  await owner.api(templates.update, { params, body: { isActive: true } });
  // Nor do unchanged texts or recipients.
  const { title: _, ...same } = body;
  const repeated = await owner.api(templates.update, {
    params,
    body: { ...same, recipient: { include: ['+79990000001'], exclude: [] } },
  });
  expect(repeated).toMatchObject({ moderation: 'approved', recipient: { exclude: [] } });
  const rewritten = await owner.api(templates.update, {
    params,
    body: { payload: { ...body.payload, text: 'You have won' } },
  });
  expect(rewritten.moderation).toBe('pending');
  await moderate(reseller, { moderation: 'rejected', comment: 'Looks like fraud' });
  expect(await owner.api(templates.get, { params })).toMatchObject({
    moderation: 'rejected',
    comment: 'Looks like fraud',
  });
  await expect(owner.api(templates.apply, { params })).rejects.toMatchObject({ status: 409 });
  await expect(moderate(reseller, { moderation: 'approved' })).rejects.toMatchObject({
    status: 409,
  });
  const page = await reseller.api(templates.find, {
    query: { filter: { moderation: ['rejected'] } },
  });
  expect(page.data).toMatchObject([{ id, Owner: { id: owner.id, username: owner.username } }]);
  const notified = await world.db.query(
    `select type, data->>'reason' as reason, data->>'id' as id from notifications where owner_id = $1 order by id`,
    [owner.id],
  );
  expect(notified).toEqual([
    { type: 'PatternApproved', reason: null, id },
    { type: 'PatternRejected', reason: 'Looks like fraud', id },
  ]);

  const own = await reseller.api(templates.create, { body });
  await expect(
    reseller.api(templates.moderate, { params: { id: own.id }, body: { moderation: 'approved' } }),
  ).rejects.toMatchObject({ status: 403 });
});

test('events have the owner of a template for resellers, not for the owner', async () => {
  type Body = EventBody<'templates'>;
  const reseller = await world.person({ level: 'reseller' });
  const owner = await world.person({ resellerId: reseller.id });
  const hear = (who: Person) => listen<Body>(world, who, 'templates.created');
  const [above, own] = [await hear(reseller), await hear(owner)];
  await owner.api(templates.create, { body });
  const templatesOf = (heard: Body[]) => heard.flatMap((one) => ('items' in one ? one.items : []));
  await until(async () => templatesOf(above).length && templatesOf(own).length, 'the events');
  expect(templatesOf(above)).toMatchObject([{ Owner: { id: owner.id, username: owner.username } }]);
  expect(templatesOf(own)[0]).not.toHaveProperty('Owner');
});

describe('versions', () => {
  const versionsOf = (who: Person, id: string) => who.api(templates.versions, { params: { id } });

  test('a changed message is a new one; its author, time and moderation stay with the former', async () => {
    const reseller = await world.person({ level: 'reseller' });
    const owner = await world.person({ resellerId: reseller.id });
    const made = await owner.api(templates.create, { body });
    expect(made).toMatchObject({ version: 1, translations: [] });
    const params = { id: made.id };
    const change = (who: Person, changes: object) =>
      who.api(templates.update, { params, body: changes });
    await reseller.api(templates.moderate, { params, body: { moderation: 'approved' } });
    for (const same of [
      { title: 'Other' },
      { isActive: true },
      { payload: body.payload },
      { group: 'service' as const },
    ])
      expect((await change(owner, same)).version).toBe(1);
    world.clock.forward(60);
    const said = { ...body.payload, text: 'Changed' };
    expect(await change(reseller, { payload: said })).toMatchObject({ version: 2 });
    const translations = [{ locale: 'de', payload: { text: 'Hallo' } }];
    const last = await change(owner, { translations });
    expect(last).toMatchObject({
      version: 3,
      moderation: 'pending',
      translations: [{ ...translations[0], fallbacks: [] }],
    });
    const all = await versionsOf(owner, made.id);
    const mine = { id: owner.id, username: owner.username };
    expect(all.map(({ version, payload, Author }) => [version, payload.text, Author])).toEqual([
      [3, 'Changed', mine],
      // Not of the account.
      [2, 'Changed', null],
      [1, body.payload.text, mine],
    ]);
    expect(all.map((one) => one.translations.length)).toEqual([1, 0, 0]);
    expect(Date.parse(all[1]!.writtenAt) - Date.parse(all[2]!.writtenAt)).toBeGreaterThanOrEqual(
      60_000,
    );
    // What was read can be put back, and is a new one again.
    const { type, payload, fallbacks } = all[2]!;
    const back = await change(owner, { type, payload, fallbacks, translations: [] } as never);
    expect(back).toMatchObject({ version: 4, payload: body.payload });
    await expect(versionsOf(stranger, made.id)).rejects.toMatchObject({ status: 404 });
  });

  test('the last fifty are kept, concurrent changes are all of them', async () => {
    const { id } = await customer.api(templates.create, { body });
    await world.db.query(`update templates set version = 60 where id = $1`, [id]);
    await world.db.query(
      `insert into template_versions (template_id, version, type, payload, fallbacks, translations, moderation, written_at)
       select id, n, type, payload, fallbacks, translations, moderation, now() from templates, generate_series(9, 59) n where id = $1`,
      [id],
    );
    await Promise.all(
      ['a', 'b', 'c'].map((text) =>
        customer.api(templates.update, {
          params: { id },
          body: { payload: { ...body.payload, text } },
        }),
      ),
    );
    const versions = (await versionsOf(customer, id)).map(({ version }) => version);
    expect(versions).toEqual(Array.from({ length: 51 }, (_, i) => 63 - i));
  });

  test('as far as they fit, and the last one in any case', async () => {
    const email = { title: 'Tea', type: 'email' as const, payload: { text: '1' } };
    const { id } = await customer.api(templates.create, { body: email });
    const rewrite = (text: string) =>
      customer.api(templates.update, { params: { id }, body: { payload: { text } } });
    const kept = async () => (await versionsOf(customer, id)).map(({ version }) => version);
    for (const text of ['2', 'x'.repeat(90_000), 'y'.repeat(90_000)]) await rewrite(text);
    expect(await kept()).toEqual([4, 3, 2, 1]);
    await rewrite('ы'.repeat(90_000));
    expect(await kept()).toEqual([5, 4, 3, 2, 1]);
    await rewrite('last');
    // 180 kB and 90 kB are more than fit.
    expect(await kept()).toEqual([6, 5]);
    const translations = ['de', 'fr', 'it'].map((locale) => ({
      locale,
      payload: { text: 'z'.repeat(65_000) },
    }));
    await customer.api(templates.update, { params: { id }, body: { translations } });
    await rewrite('more');
    await customer.api(templates.update, { params: { id }, body: { translations: [] } });
    await rewrite('end');
    expect((await kept()).slice(0, 3)).toEqual([10, 9, 8]);
    const long = translations.map((one) => ({ ...one, payload: { text: 'z'.repeat(67_000) } }));
    await expect(
      customer.api(templates.update, { params: { id }, body: { translations: long } }),
    ).rejects.toMatchObject({ body: { data: [{ field: 'translations', type: 'too_long' }] } });
  });
});

describe('translations', () => {
  const wrong: [object, string, string][] = [
    [{ locale: 'german', payload: {} }, 'translations.0.locale', 'invalid_format'],
    [{ locale: 'de', payload: { sender: 'TEA' } }, 'translations.0.payload', 'unknown_field'],
    [
      { locale: 'de', payload: { subject: 'Tea' } },
      'translations.0.payload.subject',
      'unsupported',
    ],
    [
      { locale: 'de', payload: {}, fallbacks: [{ subject: 'Tea' }] },
      'translations.0.fallbacks.0.subject',
      'unsupported',
    ],
  ];
  test.each(wrong)('%j is refused at %s', async (translation, field, type) => {
    const given = { ...body, translations: [translation] };
    const refused = { status: 422, body: { data: [expect.objectContaining({ type })] } };
    const create = customer.api(templates.create, { body: given as never });
    await expect(create).rejects.toMatchObject(refused);
    const error = await create.catch((e: { body: { data: { field: string }[] } }) => e);
    expect((error as { body: { data: { field: string }[] } }).body.data[0]!.field).toContain(field);
  });

  test('each language is listed once, ten at most', async () => {
    const de = { locale: 'de', payload: {} };
    await expect(
      customer.api(templates.create, { body: { ...body, translations: [de, de] } }),
    ).rejects.toMatchObject({
      body: { data: [{ field: 'translations.1.locale', type: 'unique' }] },
    });
    const languages = ['de', 'fr', 'it', 'es', 'pt', 'ru', 'uk', 'pl', 'cs', 'sk', 'tr'];
    const translations = languages.map((locale) => ({ locale, payload: {} }));
    await expect(
      customer.api(templates.create, { body: { ...body, translations } }),
    ).rejects.toMatchObject({ status: 422 });
  });

  test('another type must carry them; approved ones have the traffic group of their template', async () => {
    const writer = await world.person();
    const email = { title: 'Tea', type: 'email' as const, payload: { text: 'Tea' } };
    const translations = [{ locale: 'de', payload: { subject: 'Tee', text: 'Tee ist da' } }];
    const { id } = await writer.api(templates.create, {
      body: { ...email, group: 'service', translations },
    });
    await expect(
      writer.api(templates.update, { params: { id }, body: { type: 'sms' } }),
    ).rejects.toMatchObject({
      body: { data: [{ field: 'translations.0.payload.subject', type: 'unsupported' }] },
    });
    await world.db.query(`update templates set moderation = 'approved' where id = $1`, [id]);
    const { groupOf } = await serviceOf(world.api, TemplatesService).groupsOf(writer.id);
    const group = (text: string) => groupOf({ type: 'email', sender: 'TEA', text, mccmnc: null });
    expect([group('Tea'), group('Tee ist da'), group('Tee')]).toEqual([
      'service',
      'service',
      'advertising',
    ]);
  });
});
