import { afterEach, expect, test, vi } from 'vitest';
import { saveText } from './save-text.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('the address of a saved text lives until the browser has read it', () => {
  vi.useFakeTimers();
  const link = { click: vi.fn<() => void>() };
  vi.stubGlobal('document', { createElement: () => link });
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:codes');
  const revoke = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  saveText('codes.txt', '12345678');
  expect(link).toMatchObject({ href: 'blob:codes', download: 'codes.txt' });
  expect(link.click).toHaveBeenCalledOnce();
  expect(revoke).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(revoke).toHaveBeenCalledExactlyOnceWith('blob:codes');
});
