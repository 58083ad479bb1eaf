import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { i18n } from '../../core/i18n/i18n.ts';
import type { Rule } from './catalogue.api.ts';
import { RuleDialog } from './rule-dialog.tsx';

const CALL: Rule = {
  action: 'increase',
  price: [1, 0.5],
  conditions: [],
  priority: 0,
  byLength: { first: 60, interval: 1 },
};

test.each([
  ['manager', false],
  ['reseller', true],
] as const)('a %s is told whose steps count: %s', async (level, isTold) => {
  await draw(
    <RuleDialog
      opened
      rule={CALL}
      isNew={false}
      source="voice"
      onSave={() => {}}
      onClose={() => {}}
    />,
    { namespaces: ['tariffCatalogue', 'tariffs'], settings: { session: { level } } },
  );
  await screen.findByRole('group', { name: i18n.t('tariffCatalogue:byLength') });
  expect(!!screen.queryByText(i18n.t('tariffCatalogue:byLengthOfReseller'))).toBe(isTold);
});
