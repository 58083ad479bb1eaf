import { describe, expect, it } from 'vitest';
import { packDraft, unpackDraft } from './draft.ts';
import { emptyValues, NO_PAYLOAD } from '../form/send-values.ts';

describe('a draft', () => {
  const values = { ...emptyValues('viber'), payload: { ...NO_PAYLOAD, text: 'Hello' } };
  it('comes back as it was', () => {
    expect(unpackDraft(packDraft(values, 5))).toEqual({ values, savedAt: 5 });
  });
  it('is nothing where there is nothing, or nothing readable', () => {
    expect(packDraft(emptyValues('sms'), 5)).toBeNull();
    for (const text of [null, '', '{', '{"version":0}', '{"version":1,"savedAt":1}'])
      expect(unpackDraft(text)).toBeNull();
  });
});
