import {
  accountChanges,
  ADMINISTRATOR_GRANTS,
  MAX_FILE_ACCOUNTS,
  spendCaps,
  storage,
  tariffs,
  users,
  type AccountChangesPreview,
  type ApiError,
} from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { upload } from '../../../test/scene.ts';
import { type Person, World } from '../../../test/world.ts';

let world: World;
let administrator: Person;
let manager: Person;
let reseller: Person;
let sibling: Person;
let first: Person;
let second: Person;
let foreign: Person;
let n = 0;

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  manager = await world.person({ level: 'manager' });
});
beforeEach(async () => {
  reseller = await world.person({ level: 'reseller' });
  sibling = await world.person({ level: 'reseller' });
  const kept = { resellerId: reseller.id, managerId: manager.id };
  first = await world.person(kept);
  second = await world.person(kept);
  foreign = await world.person({ resellerId: sibling.id });
});
afterAll(() => world.stop());

async function preview(by: Person, text: string, timeZone?: string) {
  const { id: key } = await by.api(storage.create, { body: upload(text) });
  return by.api(accountChanges.preview, { body: { from: { key }, timeZone } });
}
const lines = (...rows: string[][]) => rows.map((row) => row.join(';')).join('\n') + '\n';
const refusals = ({ rows }: AccountChangesPreview) =>
  rows.map(({ errors }) => errors.map(({ field, reason }) => `${field} ${reason}`));
const changesOf = ({ rows }: AccountChangesPreview) =>
  rows.flatMap(({ change }) => (change ? [change] : []));
const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    (error: ApiError) => error.code,
  );
const stateOf = ({ id }: Person) =>
  administrator.api(users.get, { params: { id }, query: { $scope: ['full'] } });
const usernameOf = async (person: Person) => (await stateOf(person)).username;

/** A tariff of the installation, or of a reseller, with a title of its own. */
async function tariff(by = administrator, title = `File ${++n}`) {
  const { id } = await by.api(tariffs.create, {
    body: {
      title,
      source: 'standard',
      isDefault: false,
      rules: [{ action: 'increase', price: 2, conditions: [], priority: 0 }],
    },
  });
  return { id, title };
}

test('a file of an administrator says what changes in each account, and changes nothing itself', async () => {
  const { id, title } = await tariff();
  const before = await stateOf(first);
  const head = 'Логин;Тариф;Овердрафт;Типы сообщений;Менеджер;Тест;Лимит в день;Причина;Оборот';
  const shown = await preview(
    administrator,
    `Our customers\n${head}\n` +
      lines(
        [
          await usernameOf(first),
          title.toUpperCase(),
          '1 500,50',
          'SMS, звонок',
          await usernameOf(administrator),
          'да',
          '100',
          'No payment',
          '9',
        ],
        [second.id.toUpperCase(), '', '', '', '', '', '', '', ''],
      ),
    'Europe/Berlin',
  );
  expect(shown.columns.toSorted()).toEqual([
    'account',
    'day',
    'isTest',
    'manager',
    'overdraft',
    'suspension',
    'tariff',
    'types',
  ]);
  expect(shown.unread).toEqual(['Оборот']);
  const [one, two] = shown.rows;
  expect(one).toMatchObject({
    row: 3,
    Owner: { id: first.id },
    errors: [],
    change: {
      id: first.id,
      settings: {
        overdraft: 1500.5,
        types: ['sms', 'voice'],
        ManagerId: administrator.id,
        isTest: true,
      },
      tariffs: [{ id, priority: 0 }],
      caps: { day: 100, month: null, timeZone: 'Europe/Berlin' },
      suspend: { reason: 'No payment' },
    },
  });
  expect(one!.changes).toEqual([
    { field: 'tariff', before: before.Tariffs!.map((held) => held.title), after: [title] },
    { field: 'overdraft', before: 0, after: 1500.5 },
    { field: 'types', before: null, after: ['sms', 'voice'] },
    { field: 'isTest', before: false, after: true },
    {
      field: 'manager',
      before: await usernameOf(manager),
      after: await usernameOf(administrator),
    },
    { field: 'day', before: null, after: 100 },
    { field: 'timeZone', before: null, after: 'Europe/Berlin' },
    { field: 'suspension', before: null, after: 'No payment' },
  ]);
  // Nothing is named: nothing changes.
  expect(two).toMatchObject({ Owner: { id: second.id }, change: null, changes: [], errors: [] });
  expect(await stateOf(first)).toEqual(before);
  expect(
    await world.db.query(`select 1 from audit_log where target_id = any($1)`, [
      [first.id, second.id],
    ]),
  ).toEqual([]);
});

test('what is shown is what the changes make, one by one or together, and a second file changes nothing', async () => {
  const { title } = await tariff();
  const file =
    'account,tariff,overdraft,types,day,month,time zone,suspension\n' +
    `${first.id},${title},50,"sms,viber",10,,Europe/Moscow,\n` +
    `${second.id},${title},50,"sms,viber",10,,Europe/Moscow,Late\n`;
  const shown = await preview(administrator, file);
  const [one, two] = changesOf(shown);
  await administrator.api(users.configure, {
    params: { id: first.id },
    body: one!.settings!,
  });
  await administrator.api(tariffs.assign, {
    params: { id: first.id },
    body: { tariffs: one!.tariffs! },
  });
  await administrator.api(spendCaps.set, { body: { ...one!.caps!, OwnerId: first.id } });
  const { data } = await administrator.api(accountChanges.apply, { body: { changes: [two!] } });
  expect(data).toEqual([{ id: second.id, error: null }]);
  const ofState = async (person: Person) => {
    const { overdraft, settings, Tariffs, isTest } = await stateOf(person);
    const caps = await administrator.api(spendCaps.find, { query: { OwnerId: person.id } });
    return {
      overdraft,
      settings,
      isTest,
      tariffs: Tariffs!.map(({ title, priority }) => ({ title, priority })),
      caps: caps.data.map(({ period, limit, timeZone }) => ({ period, limit, timeZone })),
    };
  };
  expect(await ofState(second)).toEqual(await ofState(first));
  expect((await stateOf(second)).suspension).toMatchObject({ reason: 'Late' });
  const again = await preview(administrator, file);
  expect(again.rows.map(({ change, changes, errors }) => ({ change, changes, errors }))).toEqual([
    { change: null, changes: [], errors: [] },
    { change: null, changes: [], errors: [] },
  ]);
  // What can be cleared is, and one cap stays when the other one is named.
  const cleared = await preview(
    administrator,
    lines(
      ['id', 'tariff', 'types', 'day', 'month', 'suspension'],
      [second.id, '-', '-', '', '90', '-'],
    ),
  );
  expect(changesOf(cleared)).toEqual([
    {
      id: second.id,
      tariffs: [],
      settings: { types: null },
      caps: { day: 10, month: 90, timeZone: 'Europe/Moscow' },
      resume: true,
    },
  ]);
  expect(cleared.rows[0]!.changes).toContainEqual({
    field: 'suspension',
    before: 'Late',
    after: null,
  });
  await administrator.api(accountChanges.apply, { body: { changes: changesOf(cleared) } });
  expect(await stateOf(second)).toMatchObject({ isActive: true, Tariffs: [] });
});

test('an account out of reach, and one that does not exist, are told alike', async () => {
  const nobody = '01930000-0000-7000-8000-0000000000ff';
  const head = ['account', 'overdraft'];
  const rows = [
    [await usernameOf(foreign), '0'],
    [foreign.id, '0'],
    ['nobody@tea.example', '0'],
    [nobody, '0'],
    [(await world.member(first, 'sender')).id, '0'],
  ];
  for (const by of [reseller, manager]) {
    const shown = await preview(by, lines(head, ...rows));
    expect(shown.rows.map(({ row: _, account: __, ...row }) => row)).toEqual(
      rows.map(() => ({
        Owner: null,
        change: null,
        changes: [],
        errors: [{ field: 'account', reason: 'unknown_account' }],
      })),
    );
  }
  const own = await preview(reseller, lines(head, [reseller.id, '0'], [first.id, '0']));
  expect(refusals(own)).toEqual([['account forbidden'], []]);
  expect(await codeOf(preview(first, lines(head, [first.id, '0'])))).toBe('forbidden');
  // The file of another account.
  const { id: key } = await sibling.api(storage.create, {
    body: upload(lines(head, [foreign.id, '0'])),
  });
  const stolen = reseller.api(accountChanges.preview, { body: { from: { key } } });
  expect(await codeOf(stolen)).toBe('not_found');
});

test('a reseller is told what it may not give, and that other tariffs are none of its own', async () => {
  await administrator.api(users.configure, {
    params: { id: reseller.id },
    body: { maxCustomerOverdraft: 100, types: ['sms'] },
  });
  const ofInstallation = await tariff();
  const ofSibling = await tariff(sibling);
  const own = await tariff(reseller);
  const head = ['account', 'overdraft', 'types', 'manager', 'tariff', 'lookup days'];
  const shown = await preview(
    reseller,
    lines(
      head,
      [first.id, '101', 'viber', manager.id, ofInstallation.title, '3'],
      [second.id, '100', 'sms', '', own.title, ''],
    ),
  );
  expect(refusals(shown)).toEqual([
    [
      'tariff unknown_tariff',
      'overdraft too_big',
      'types not_granted',
      'lookupDays forbidden',
      'manager forbidden',
    ],
    [],
  ]);
  const { data } = await reseller.api(accountChanges.apply, {
    body: { changes: changesOf(shown) },
  });
  expect(data).toEqual([{ id: second.id, error: null }]);
  const other = await preview(
    reseller,
    lines(['account', 'tariff'], [first.id, ofSibling.title], [second.id, ofSibling.id]),
  );
  expect(refusals(other)).toEqual([['tariff unknown_tariff'], ['tariff unknown_tariff']]);
  // An administrator gives a customer those of its own reseller, too, but of no other one.
  const all = await preview(
    administrator,
    lines(['account', 'tariff'], [first.id, own.title], [foreign.id, own.title]),
  );
  expect(refusals(all)).toEqual([[], ['tariff unknown_tariff']]);
});

test('errors are named by row and column, and keep no other row back', async () => {
  const { title } = await tariff();
  await tariff(administrator, title);
  await administrator.api(users.configure, { params: { id: second.id }, body: { overdraft: 50 } });
  await world.db.query(`update balances set balance = -40 where owner_id = $1`, [second.id]);
  const third = await world.person();
  const shown = await preview(
    administrator,
    lines(
      ['account', 'tariff', 'overdraft', 'manager', 'suspension'],
      [first.id, title, '5', '', ''],
      [second.id, '', '30', '', ''],
      [third.id, 'No such', 'much', await usernameOf(first), '=HYPERLINK(1)'],
      ['', '', '5', '', ''],
      [manager.id, '', '5', '', "'+49 does not answer"],
      [foreign.id, '', '5', '', ''],
      [await usernameOf(foreign), '', '6', '', ''],
    ),
  );
  expect(refusals(shown)).toEqual([
    ['tariff ambiguous_tariff'],
    ['overdraft overdraft_used'],
    ['overdraft number', 'suspension formula', 'tariff unknown_tariff', 'manager unknown_manager'],
    ['account no_account'],
    [],
    ['account repeated_account'],
    ['account repeated_account'],
  ]);
  expect(changesOf(shown)).toEqual([
    { id: manager.id, settings: { overdraft: 5 }, suspend: { reason: '+49 does not answer' } },
  ]);
});

test('parts without a permission are refused in their columns', async () => {
  const bare = await world.person({
    level: 'manager',
    grants: { remove: ['users.suspend', 'spendCaps.update'] },
  });
  await world.db.query(`update users set manager_id = $2 where id = $1`, [first.id, bare.id]);
  const shown = await preview(
    bare,
    lines(
      ['account', 'tariff', 'day', 'suspension', 'manager', 'overdraft'],
      [first.id, 'Base', '5', 'Late', bare.id, '5'],
    ),
  );
  expect(refusals(shown)).toEqual([
    ['tariff forbidden', 'manager forbidden', 'day forbidden', 'suspension forbidden'],
  ]);
});

test('files without the columns, without rows that end, and other files are refused', async () => {
  expect(await codeOf(preview(reseller, 'name,price\nTea,5\n'))).toBe('unreadable_file');
  expect(await codeOf(preview(reseller, 'account\nTea\n'))).toBe('unreadable_file');
  expect(await codeOf(preview(reseller, 'PK\u0003\u0004 no workbook'))).toBe('unreadable_file');
  const rows = (count: number) =>
    lines(['account', 'overdraft'], ...Array.from({ length: count }, (_, i) => [`a${i}`, '1']));
  expect(await codeOf(preview(reseller, rows(MAX_FILE_ACCOUNTS + 1)))).toBe('too_large');
  const most = await preview(reseller, rows(MAX_FILE_ACCOUNTS));
  expect(most.rows).toHaveLength(MAX_FILE_ACCOUNTS);
  const empty = await preview(reseller, lines(['account', 'overdraft']));
  expect(empty.rows).toEqual([]);
});
