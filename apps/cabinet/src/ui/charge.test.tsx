import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { createFormats } from '../core/formats.ts';
import { i18n } from '../core/i18n/i18n.ts';
import { Charge } from './charge.tsx';

const zero = () => createFormats(i18n.language, 'RUB').money(0);

test('names the package that was used instead of a sum of nothing', async () => {
  await draw(<Charge amount={0} of="A thousand" isRefunded={false} />);
  expect(screen.getByText(i18n.t('common:fromPackage', { title: 'A thousand' }))).toBeTruthy();
  expect(screen.queryByText(zero())).toBeNull();
});

test('says of a package, too, that its units were given back', async () => {
  await draw(<Charge amount={0} of="A thousand" isRefunded />);
  expect(screen.getByText(i18n.t('common:refunded'), { exact: false })).toBeTruthy();
});

test('a free message costs nothing', async () => {
  await draw(<Charge amount={0} isRefunded={false} />);
  expect(screen.getByText(zero())).toBeTruthy();
});
