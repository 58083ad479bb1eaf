import { beforeEach, describe, expect, it, vi } from 'vitest';
import { draftKey, saveDraft } from '../../../core/drafts.ts';
import { isAsBrought, loadDraft, packDraft, startValues } from './draft.ts';
import { withTemplate } from '../form/template-values.ts';
import { emptyFallback, emptyValues, NO_PAYLOAD, type SendValues } from '../form/send-values.ts';

const kept = new Map<string, string>();
const KEY = draftKey('anna', 'send');
const now = Date.now();
const keep = (key: string, values: SendValues, ago = 0) =>
  saveDraft(key, packDraft(values), { area: 'tab', now: now - ago });

const draft = { ...emptyValues('viber'), payload: { ...NO_PAYLOAD, text: 'Half a word' } };
const start = (query: string, hasTemplate = false) =>
  startValues({
    key: KEY,
    types: ['sms', 'viber'],
    params: new URLSearchParams(query),
    hasTemplate,
  });

beforeEach(() => {
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  kept.clear();
  keep(KEY, draft);
});

it('begins with what was left unfinished', () => {
  expect(start('step=send')).toEqual({ values: draft, restoredAt: now, waiting: null });
  kept.clear();
  expect(start('')).toEqual({ values: emptyValues('sms'), restoredAt: null, waiting: null });
});

it('begins with what the address asks for, and the draft waits', () => {
  const waiting = { values: draft, savedAt: now };
  expect(start('', true)).toEqual({ values: emptyValues('sms'), restoredAt: null, waiting });
  expect(start('type=viber')).toMatchObject({ values: { type: 'viber' }, waiting });
  expect(start('recipient=%2B79161234567')).toMatchObject({
    values: { type: 'sms', include: { typed: '+79161234567' }, payload: { text: '' } },
    waiting,
  });
});

it('answers under the name that was written to, on its channel only', () => {
  const sender = (query: string) => start(query).values.payload.sender;
  expect(sender('type=viber&recipient=%2B79161234567&sender=MIRTEA')).toBe('MIRTEA');
  expect(sender('type=telegram&recipient=%2B79161234567&sender=MIRTEA')).toBe('');
});

it('what came with the address, and the only name that there is, are no work of the visitor', () => {
  const empty = emptyValues('sms');
  const template = {
    type: 'viber' as const,
    payload: { text: 'Sale' },
    recipient: null,
    fallbacks: [{ type: 'sms' as const, payload: { text: 'Sale' }, options: {} }],
  };
  const brought = withTemplate(empty, template as never);
  const named = { ...brought, payload: { ...brought.payload, sender: 'MIRTEA' } };
  expect(isAsBrought(empty, empty, null)).toBe(true);
  expect(isAsBrought(named, empty, template as never)).toBe(true);
  expect(isAsBrought(named, empty, null)).toBe(false);
  const said = { ...named, payload: { ...named.payload, text: 'Sale!' } };
  expect(isAsBrought(said, empty, template as never)).toBe(false);
});

it('fallbacks of a draft have an id of their own, also of one that was kept without', () => {
  const fallbacks = [emptyFallback('sms'), emptyFallback('sms')];
  expect(fallbacks[0]!.id).not.toBe(fallbacks[1]!.id);
  const { id: _, ...old } = fallbacks[0]!;
  keep(KEY, { ...draft, fallbacks: [old as never] });
  expect(start('').values.fallbacks[0]!.id).toEqual(expect.any(String));
});

it.each([
  ['', undefined, 'sms'],
  ['', 'batchMailing:viber', 'viber'],
  ['type=sms', 'batchMailing:viber', 'sms'],
  ['type=nothing', 'dialog:viber', 'viber'],
  ['', 'integration:crm', 'sms'],
  ['', 'batchMailing:whatsapp', 'sms'],
] as const)('at ?%s who came for %s begins with %s', (search, survey, type) => {
  kept.clear();
  const params = new URLSearchParams(search);
  const { values } = startValues({
    key: KEY,
    types: ['sms', 'viber'],
    params,
    hasTemplate: false,
    survey,
  });
  expect(values.type).toBe(type);
});

describe('a draft', () => {
  const values = { ...emptyValues('viber'), payload: { ...NO_PAYLOAD, text: 'Hello' } };
  it('comes back as it was', () => {
    saveDraft('key', packDraft(values), { area: 'tab', now });
    expect(loadDraft('key')).toEqual({ values, savedAt: now });
  });
  it('is nothing where there is nothing, or nothing readable', () => {
    expect(packDraft(emptyValues('sms'))).toBeNull();
    expect(loadDraft('key')).toBeNull();
    for (const text of ['', '{', '{"version":0}', '{"version":1,"savedAt":1}']) {
      saveDraft('key', text, { area: 'tab', now });
      expect(loadDraft('key')).toBeNull();
    }
  });
});
