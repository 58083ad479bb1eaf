import { useSearchParams } from 'react-router';

/** Dialogs of the page are in its URL: `?action=create`, `?import=<id>`. Closing leaves the rest of the URL alone. */
export function useDialogs() {
  const [params, setParams] = useSearchParams();
  const put = (name: string, value: string | null) =>
    setParams((now) => {
      const next = new URLSearchParams(now);
      if (value === null) next.delete(name);
      else next.set(name, value);
      return next;
    });
  return {
    creating: params.get('action') === 'create',
    importInto: params.get('import'),
    openCreate: () => put('action', 'create'),
    closeCreate: () => put('action', null),
    openImport: (id: string) => put('import', id),
    closeImport: () => put('import', null),
  };
}
