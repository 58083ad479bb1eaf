import { InboundRuleInput } from '@heliograph/contract';
import { expect, test } from 'vitest';
import { bodyOf, initialValues, keywordsOf } from './inbound-rule-values.ts';

test('keywords are separated by lines and commas, each once', () => {
  expect(keywordsOf(' price,cost\n\nhow much ; price')).toEqual(['price', 'cost', 'how much']);
});

test('fields of actions that are not chosen are not sent', () => {
  const values = {
    ...initialValues(null),
    title: ' Club ',
    keywords: 'club',
    replyText: '{broken',
  };
  const body = bodyOf({ ...values, actions: ['task'], replyMinutes: null, ListId: 'nothing' });
  expect(body).toMatchObject({ title: 'Club', replyText: null, replyMinutes: 60, ListId: null });
  expect(InboundRuleInput.safeParse(body).success).toBe(true);
  const reply = bodyOf({ ...values, replyMinutes: null });
  expect(InboundRuleInput.safeParse(reply).error?.issues[0]?.path).toEqual(['replyMinutes']);
});

test('a rule for every message has no keywords', () => {
  expect(bodyOf({ ...initialValues(null), mode: 'any', keywords: 'old' }).keywords).toEqual([]);
});
