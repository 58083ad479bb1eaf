import { expect, test } from 'vitest';
import { ContactInput } from './contacts.ts';
import { Payload } from './payload.ts';
import { TemplateInput } from './templates.ts';
import { ContactListInput } from './contact-lists.ts';

const TURNED = 'Tea\u202e\u200b';

test('names are kept without what nobody sees in them', () => {
  expect(ContactListInput.parse({ title: TURNED, type: 'regular' }).title).toBe('Tea');
  const ListId = crypto.randomUUID();
  expect(
    ContactInput.parse({
      ListId,
      phone: '+79161234567',
      firstName: TURNED,
      lastName: '\u2066',
      tags: [TURNED, '👩‍🍳'],
    }),
  ).toMatchObject({ firstName: 'Tea', lastName: '', tags: ['Tea', '👩‍🍳'] });
  expect(ContactListInput.safeParse({ title: '\u202e', type: 'regular' }).success).toBe(false);
  expect(TemplateInput.shape.title.safeParse(`${'a'.repeat(50)}\u200b`).success).toBe(false);
});

test('texts of messages are kept as they are written', () => {
  const text = 'שלום\u200f! \u2067Tea\u2069';
  const payload = {
    sender: TURNED,
    text,
    subject: text,
    buttons: [{ text, action: 'https://tea.example' }],
  };
  expect(Payload.parse(payload)).toEqual({ ...payload, sender: 'Tea' });
});
