import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { createFiles } from './create-files.ts';

const FOLDERS = 256;
const DRIVERS = ['disk', 's3'] as const;
type Driver = (typeof DRIVERS)[number];
const isDriver = (name?: string): name is Driver => DRIVERS.includes(name as Driver);

/** Copies the contents that the other store lacks. Returns how many it copied. */
export async function copyFiles(config: Config, [from, to]: string[]): Promise<number> {
  if (!isDriver(from) || !isDriver(to) || from === to || !config.S3_BUCKET)
    throw new AppError(
      'validation',
      'Usage: cli files:copy disk s3, or s3 disk, with S3_BUCKET and the other settings of S3',
    );
  const [source, target] = await Promise.all(
    [from, to].map((FILES_DRIVER) =>
      createFiles(Object.assign(Object.create(config) as Config, { FILES_DRIVER })),
    ),
  );
  let copied = 0;
  for (let folder = 0; folder < FOLDERS; folder++) {
    const present = new Set(await target!.storedIn(folder));
    for (const id of await source!.storedIn(folder)) {
      if (present.has(id)) continue;
      await target!.write(id, await source!.read(id));
      copied++;
    }
  }
  return copied;
}
