import { beforeEach, describe, expect, it, vi } from 'vitest';
import { saveDraft } from '../../../core/drafts.ts';
import { loadDraft, packDraft } from './draft.ts';
import { emptyValues, NO_PAYLOAD } from '../form/send-values.ts';

const kept = new Map<string, string>();
const now = Date.now();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});

describe('a draft', () => {
  const values = { ...emptyValues('viber'), payload: { ...NO_PAYLOAD, text: 'Hello' } };
  it('comes back as it was', () => {
    saveDraft('key', packDraft(values), { now });
    expect(loadDraft('key')).toEqual({ values, savedAt: now });
  });
  it('is nothing where there is nothing, or nothing readable', () => {
    expect(packDraft(emptyValues('sms'))).toBeNull();
    expect(loadDraft('key')).toBeNull();
    for (const text of ['', '{', '{"version":0}', '{"version":1,"savedAt":1}']) {
      saveDraft('key', text, { now });
      expect(loadDraft('key')).toBeNull();
    }
  });
});
