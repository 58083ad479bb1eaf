import type { Contact } from '@heliograph/contract';
import { contactFields, parseGender } from '@heliograph/domain';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { savedFiles } from '../../../../test/saved-files.ts';
import { server } from '../../../../test/server.ts';
import { i18n } from '../../../core/i18n/i18n.ts';
import { ContactFile } from './contact-file.ts';
import { EDITED_FIELDS, TEXT_FIELDS } from './contact-values.ts';
import { ExportContacts } from './export-contacts.tsx';

afterEach(() => {
  vi.restoreAllMocks();
});

const ListId = '01930000-0000-7000-8000-000000000001';
const empty = Object.fromEntries(EDITED_FIELDS.map((field) => [field, null]));
const contactsOf = (length: number) =>
  Array.from({ length }, (_, n) => ({
    ...empty,
    id: `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    ListId,
    phone: `+7916${String(n).padStart(7, '0')}`,
    tags: ['vip'],
  })) as unknown as Contact[];

test('all that the filters find are saved, page after page', async () => {
  const all = contactsOf(501);
  const asked: string[] = [];
  server.use(
    http.get('*/api/contacts', ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(`${searchParams.get('tag')} ${searchParams.get('$search')}`);
      const from = all.findIndex(({ id }) => id === searchParams.get('cursor')) + 1;
      const data = all.slice(from, from + Number(searchParams.get('$limit')));
      return HttpResponse.json({ data, total: all.length, limit: 500, offset: 0 });
    }),
    http.get('*/api/contactFields', () =>
      HttpResponse.json({ OwnerId: ListId, fields: [{ field: 'custom01', title: 'City' }] }),
    ),
  );
  const saved = savedFiles();
  const { user } = await draw(
    <ExportContacts where={{ ListId, tag: 'vip', search: 'A' }} title="Friends" />,
    { namespaces: ['contactLists'], settings: { permissions: { 'contactLists.get': 'me' } } },
  );
  await user.click(
    await screen.findByRole('button', { name: i18n.t('contactLists:contact.export') }),
  );
  await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['Friends.csv']));
  expect(asked).toEqual(['vip A', 'vip A']);
  const lines = (await saved[0]!.blob.text()).trim().split('\r\n');
  expect(lines).toHaveLength(502);
  expect(lines[0]).toContain('"Tags"');
  expect(lines.at(-1)).toContain('"vip"');
});

interface Texts {
  field: Record<string, string>;
  gender: Record<'male' | 'female', string>;
  customField: string;
}

const LOCALES = import.meta.glob<Texts>('../../../locales/*/contactLists.json', {
  eager: true,
  import: 'default',
});

test.each(Object.entries(LOCALES))(
  'an import finds each column of a file in the words of %s again, and the genders',
  (_, { field: names, gender, customField }) => {
    const file = new ContactFile({
      nameOf: (field) => names[field] ?? customField.replace('{{number}}', `${+field.slice(6)}`),
      titleOf: () => undefined,
      genderOf: (one) => one,
    });
    const full = Object.fromEntries(EDITED_FIELDS.map((field) => [field, 'x']));
    file.add({ ...(full as unknown as Contact), tags: ['x'] });
    const [header] = file.text.slice(1).split('\r\n');
    const columns = contactFields(header!.slice(1, -1).split('";"'));
    expect(columns).toHaveLength(28);
    expect(new Set(columns)).toEqual(new Set([...TEXT_FIELDS, ...EDITED_FIELDS, 'tags']));
    expect([parseGender(gender.male), parseGender(gender.female)]).toEqual(['male', 'female']);
  },
);
