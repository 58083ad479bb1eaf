import { fireEvent } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { WidgetPreview } from './widget-preview.tsx';

const script = () => document.querySelector('script[src="/otp/widget.js"]');

afterEach(() => script()?.remove());

test('the next preview loads the script that could not be loaded', async () => {
  const { router } = await draw(<WidgetPreview styles={{}} />, { namespaces: ['widgets'] });
  fireEvent.error(script()!);
  expect(script()).toBeNull();
  await router.navigate('/there');
  await draw(<WidgetPreview styles={{}} />, { namespaces: ['widgets'] });
  expect(script()).not.toBeNull();
});
