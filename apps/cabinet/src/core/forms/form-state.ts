import { useCallback, useRef, useState, type ReactNode } from 'react';
import { isSame } from '../same-values.ts';

export type FormErrors = Record<string, ReactNode>;

/** What a form passes to an input: a change is the event of an input or the value itself. */
export interface BoundField {
  name: string;
  'data-path': string;
  value?: any;
  checked?: boolean;
  error: ReactNode;
  onChange: (input: any) => void;
  onBlur?: () => void;
}

/** Values and errors of a form by dotted paths: `payload.text`, `routes.0.type`. The sign-in pages have it too: it is small. */
export function useFormState<V extends object>(initial: V) {
  const [first] = useState(initial);
  const [values, drawValues] = useState(first);
  const [errors, setErrors] = useState<FormErrors>({});
  // Read by events that come before the next rendering, such as a submit right after a change.
  const current = useRef(first);
  const saved = useRef(first);

  const setValues = (next: V) => {
    current.current = next;
    drawValues(next);
  };
  const clearErrors = (isCleared: (path: string) => boolean) =>
    setErrors((all) =>
      Object.fromEntries(Object.entries(all).filter(([path]) => !isCleared(path))),
    );

  return {
    values,
    errors,
    setErrors,
    valueOf: (path: string): unknown => valueAt(current.current, path),
    getValues: useCallback(() => current.current, []),
    isDirty: useCallback(() => !isSame(current.current, saved.current), []),
    clearErrors: (...paths: string[]) => clearErrors((marked) => paths.includes(marked)),
    /** Changes fields together; their errors are cleared. Those of a row that is only moved move with it. */
    patch(changes: Partial<V>): void {
      const before = current.current;
      setValues({ ...before, ...changes });
      setErrors((all) =>
        Object.fromEntries(
          Object.entries(all).flatMap(([path, error]) => {
            const next = movedPath(path, before, changes);
            return next === null ? [] : [[next, error]];
          }),
        ),
      );
    },
    /** These values are no longer unsaved changes. */
    markSaved(values: V): void {
      saved.current = values;
    },
    reset(): void {
      saved.current = first;
      setValues(first);
      setErrors({});
    },
    field(path: string, type: 'input' | 'checkbox'): BoundField {
      const value = valueAt(values, path);
      return {
        name: path,
        'data-path': path,
        ...(type === 'checkbox' ? { checked: !!value } : { value }),
        error: errors[path],
        onChange(input) {
          setValues(withValue(current.current, path.split('.'), readInput(input)) as V);
          clearErrors((marked) => marked === path || marked.startsWith(`${path}.`));
        },
      };
    },
  };
}

const valueAt = (values: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], values);

/** Where the field of an error is after changes; null if its value is another one. */
function movedPath(path: string, before: object, changes: object): string | null {
  const [name, at, ...rest] = path.split('.') as [string, ...string[]];
  if (!(name in changes)) return path;
  if (!rest.length) return null;
  const row = valueAt(before, `${name}.${at}`);
  const rows = valueAt(changes, name);
  const to = Array.isArray(rows) ? rows.indexOf(row) : -1;
  return to < 0 ? null : [name, to, ...rest].join('.');
}

/** A copy in which one value differs; what is beside the path is shared with the original. */
function withValue(target: unknown, [key, ...rest]: string[], value: unknown): unknown {
  const copy = (
    Array.isArray(target) ? [...(target as unknown[])] : { ...(target as object) }
  ) as Record<string, unknown>;
  copy[key!] = rest.length ? withValue(copy[key!], rest, value) : value;
  return copy;
}

function readInput(input: unknown): unknown {
  if (!input || typeof input !== 'object' || !('nativeEvent' in input)) return input;
  const { currentTarget } = input as unknown as { currentTarget: HTMLInputElement };
  return currentTarget.type === 'checkbox' ? currentTarget.checked : currentTarget.value;
}
