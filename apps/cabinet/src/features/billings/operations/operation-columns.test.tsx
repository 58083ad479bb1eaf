import type { OperationFile } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { i18n } from '../../../core/i18n/i18n.ts';
import { OperationColumnsStep } from './operation-columns.tsx';
import { mappingOf, toColumns } from './operation-mapping.ts';

const FILE: OperationFile = {
  columns: [
    { name: 'Login', field: 'account' },
    { name: 'Amount', field: 'amount' },
    { name: 'Total', field: 'amount' },
    { name: 'Note', field: 'comment' },
    { name: '', field: 'comment' },
  ],
  hasHeader: true,
  rows: [],
  sheets: [],
  sheet: null,
};

function Step() {
  const [mapping, setMapping] = useState(mappingOf(FILE));
  return (
    <>
      <OperationColumnsStep
        file={FILE}
        mapping={mapping}
        hasHeader
        disabled={false}
        onMapping={setMapping}
        onHeader={() => undefined}
        onSheet={() => undefined}
      />
      <output>{JSON.stringify(toColumns(mapping))}</output>
    </>
  );
}

test('names the columns of which one must be chosen', async () => {
  const { user } = await draw(<Step />, { namespaces: ['operations'] });
  const text = (columns: string) => i18n.t('operations:several', { columns });
  const choose = (field: string, option: string) =>
    user.selectOptions(
      screen.getByRole('combobox', { name: new RegExp(i18n.t(`operations:column.${field}`)) }),
      option,
    );
  screen.getByText(text('“Amount” and “Total”'));
  screen.getByText(text(`“Note” and “${i18n.t('operations:column.number', { number: 5 })}”`));
  expect(screen.getByRole('status').textContent).toBe('null');
  await choose('amount', 'Total');
  await choose('comment', i18n.t('operations:column.none'));
  expect(screen.queryByText(text('“Amount” and “Total”'))).toBeNull();
  const chosen = JSON.stringify({ account: 0, amount: 2, comment: null });
  expect(screen.getByRole('status').textContent).toBe(chosen);
});
