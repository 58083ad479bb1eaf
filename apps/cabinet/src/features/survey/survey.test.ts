import { Survey, type Settings } from '@heliograph/contract';
import { INTEGRATION_CATALOGUE, SENDING_TYPES } from '@heliograph/domain';
import { expect, it } from 'vitest';
import { progressOf, targetsOf, typesOf } from './survey.ts';

const settings = (brand: 'main' | 'alternate', types: readonly string[] = SENDING_TYPES) =>
  ({ frontend: { brand }, sendings: { types } }) as unknown as Settings;

it('the server takes every answer that can be given', () => {
  for (const brand of ['main', 'alternate'] as const) {
    for (const target of targetsOf({ integrations: brand === 'main', blog: null })) {
      const programs = INTEGRATION_CATALOGUE.map(({ key }) => key);
      const types = target === 'integration' ? programs : typesOf(target, settings(brand));
      expect(types.length).toBeGreaterThan(1);
      for (const type of types) Survey.parse({ survey: `${target}:${type}` });
    }
  }
});

it('no integrations are offered where there are none', () => {
  expect(targetsOf({ integrations: false, blog: null })).toEqual(['batchMailing', 'dialog']);
});

it('only channels that the account has are offered', () => {
  expect(typesOf('batchMailing', settings('main', ['sms', 'voice', 'hlr']))).toEqual([
    'sms',
    'voice',
  ]);
  expect(typesOf('dialog', settings('main'))).toContain('vk');
  expect(typesOf('dialog', settings('main', ['telegram', 'ok']))).toEqual(['telegram', 'ok']);
});

it.each([
  [null, { step: 1, target: 'batchMailing' }],
  ['nonsense', { step: 1, target: 'batchMailing' }],
  ['{"step":2,"target":"dialog"}', { step: 2, target: 'dialog' }],
  ['{"step":7,"target":"dialog"}', { step: 1, target: 'dialog' }],
  ['{"step":2,"target":"integration"}', { step: 1, target: 'batchMailing' }],
])('%s goes on at %j', (text, progress) => {
  expect(progressOf(text, targetsOf({ integrations: false, blog: null }))).toEqual(progress);
});
