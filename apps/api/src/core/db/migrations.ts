import { readdirSync } from 'node:fs';

const folder = new URL('../../../../../migrations/', import.meta.url);

/**
 * All files of the top-level folder `migrations`, by name. New migrations need no registration. In the build this module is the list of
 * imports that it finds (apps/api/bundle.mjs).
 */
export const MIGRATIONS: Function[] = (
  await Promise.all(
    readdirSync(folder)
      .filter((file) => /^\d+-[\w-]+\.(ts|js)$/.test(file))
      .sort()
      .map((file) => import(new URL(file, folder).href) as Promise<Record<string, Function>>),
  )
).flatMap((module) => Object.values(module));
