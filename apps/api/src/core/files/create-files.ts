import type { Config } from '../config.ts';
import { DiskFiles } from './disk-files.ts';
import type { Files } from './files.ts';

/** The store of `FILES_DRIVER`. The AWS SDK takes 60 MB and half a second, so it is loaded only for S3. */
export async function createFiles(config: Config): Promise<Files> {
  if (config.FILES_DRIVER === 'disk') return new DiskFiles(config.FILES_DIR);
  const { S3Files } = await import('./s3-files.ts');
  return new S3Files(config);
}
