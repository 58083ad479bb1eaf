import type { Bulk, Template } from '@heliograph/contract';
import { describe, expect, it } from 'vitest';
import { changesTo, copyOf, templateOf, withTemplate } from './template-values.ts';
import { emptyFallback, emptyValues } from './send-values.ts';

const LIST = '01930000-0000-7000-8000-000000000001';
const template = {
  type: 'viber',
  payload: {
    sender: 'TEA',
    text: 'Hello',
    button: { text: 'Buy', url: 'https://tea.example' },
  },
  fallbacks: [
    {
      type: 'sms',
      payload: { sender: 'TEA', text: 'Hi' },
      // As it comes from the server: both names, nulls where nothing was said.
      options: { onStatus: ['failed'], onTimeout: null, onIncomingPayload: null },
      $options: { onStatus: ['failed'], onTimeout: null, onIncomingPayload: null },
    },
  ],
  recipient: { include: [LIST, '+79990000001'], exclude: [] },
} as unknown as Template;
const same = withTemplate(emptyValues('sms'), template);

describe('what is saved to the template that a message began with', () => {
  it('is nothing while it says the same', () => {
    expect(changesTo(template, same, true)).toEqual({});
  });

  it('is its button or its file, with the whole payload', () => {
    const payload = { ...same.payload, button: { text: 'Order', url: 'https://tea.example' } };
    expect(changesTo(template, { ...same, payload }, true)).toEqual({
      type: 'viber',
      payload: { ...template.payload, button: payload.button },
    });
  });

  it('is its fallbacks alone', () => {
    const fallbacks = [...same.fallbacks, emptyFallback('voice')];
    const changes = changesTo(template, { ...same, fallbacks }, true);
    expect(Object.keys(changes)).toEqual(['fallbacks']);
    expect(changes.fallbacks).toHaveLength(2);
    expect(changesTo(template, { ...same, fallbacks: [] }, true)).toEqual({ fallbacks: [] });
  });

  it('is its recipients alone, or their absence', () => {
    const include = { lists: [LIST], typed: '' };
    expect(changesTo(template, { ...same, include }, true)).toEqual({
      recipient: { include: [LIST], exclude: [] },
    });
    expect(changesTo(template, same, false)).toEqual({ recipient: null });
  });

  it('is not the sender that a template left to the sending', () => {
    const open = { ...template, payload: { text: 'Hello' } } as Template;
    const values = withTemplate(same, open);
    const chosen = { ...values, payload: { ...values.payload, sender: 'BEANBAR' } };
    expect(changesTo(open, chosen, true)).toEqual({});
  });
});

it('keeps no recipients when there are none', () => {
  expect(templateOf({ ...same, include: { lists: [], typed: '' } }, true).recipient).toBeNull();
});

it('a bulk is copied with its recipients, but for typed ones of which it names only the first', () => {
  const sending = { type: 'viber', payload: { sender: 'TEA', text: 'Tea' }, fallbacks: [] };
  const task = { data: { sending } } as unknown as Bulk;
  const some = { lists: ['l1'], recipients: ['+79990000000'], count: 1 };
  const none = { lists: [] };
  expect(copyOf(task, { include: some, exclude: none })).toEqual({
    ...sending,
    recipient: { include: ['l1', '+79990000000'], exclude: [] },
  });
  const many = { ...some, count: 2 };
  expect(copyOf(task, { include: many, exclude: some }).recipient).toEqual({
    include: ['l1'],
    exclude: ['l1', '+79990000000'],
  });
});
