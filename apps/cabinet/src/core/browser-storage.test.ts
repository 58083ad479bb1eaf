import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';

class Area implements Partial<Storage> {
  [key: string]: unknown;
}

/** As a browser does it: the keys of the object are those of the storage. */
function areaOf(room = Infinity): Storage {
  const area = new Area();
  const methods = {
    getItem: (key: string) => (Object.hasOwn(area, key) ? area[key] : null),
    removeItem: (key: string) => void delete area[key],
    setItem(key: string, value: string) {
      if (value.length > room) throw new DOMException('', 'QuotaExceededError');
      area[key] = value;
    },
  };
  Object.setPrototypeOf(area, methods);
  return area as unknown as Storage;
}

const load = () => import('./browser-storage.ts');

beforeEach(() => void vi.resetModules());
afterEach(() => void vi.unstubAllGlobals());
afterAll(() => vi.resetModules());

it('keeps what the browser takes', async () => {
  vi.stubGlobal('localStorage', areaOf());
  const { browserStorage } = await load();
  expect(browserStorage.set('a.1', 'one')).toBe(true);
  expect(browserStorage.set('b', 'two')).toBe(true);
  expect(browserStorage.get('a.1')).toBe('one');
  expect(browserStorage.names('a.')).toEqual(['a.1']);
  expect(browserStorage.set('a.1', null)).toBe(true);
  expect(browserStorage.get('a.1')).toBeNull();
});

it('keeps in memory what a full storage does not take, and leaves no older value behind', async () => {
  const area = areaOf(5);
  vi.stubGlobal('localStorage', area);
  const { browserStorage } = await load();
  browserStorage.set('key', 'short');
  expect(browserStorage.set('key', 'too long')).toBe(false);
  expect(browserStorage.get('key')).toBe('too long');
  expect(browserStorage.names('k')).toEqual(['key']);
  expect(area.getItem('key')).toBeNull();
  expect(browserStorage.set('key', 'again')).toBe(true);
  expect(area.getItem('key')).toBe('again');
});

it('works where storage is forbidden', async () => {
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get() {
        throw new DOMException('', 'SecurityError');
      },
    });
  try {
    const { browserStorage, tabStorage } = await load();
    for (const storage of [browserStorage, tabStorage]) {
      expect(storage.get('key')).toBeNull();
      expect(storage.names('')).toEqual([]);
      expect(storage.set('key', 'value')).toBe(false);
      expect(storage.get('key')).toBe('value');
      expect(storage.names('')).toEqual(['key']);
      storage.set('key', null);
      expect(storage.get('key')).toBeNull();
      expect(storage.names('')).toEqual([]);
    }
  } finally {
    for (const name of ['localStorage', 'sessionStorage']) Reflect.deleteProperty(globalThis, name);
  }
});

it('follows another tab that writes what this page has in memory', async () => {
  const area = areaOf(5);
  vi.stubGlobal('localStorage', area);
  let tell!: (event: { key: string | null }) => void;
  vi.stubGlobal('addEventListener', (_: string, listener: typeof tell) => void (tell = listener));
  const { browserStorage } = await load();
  browserStorage.set('key', 'too long');
  area.setItem('key', 'other');
  tell({ key: 'key' });
  expect(browserStorage.get('key')).toBe('other');
});
