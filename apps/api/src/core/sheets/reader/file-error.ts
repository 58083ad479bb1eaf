/** Why a file cannot be read. It crosses to the caller's process as `code`, `message` and `payload`. */
export class FileError extends Error {
  readonly code: 'unreadable_file' | 'too_large';
  readonly payload: Record<string, unknown> | undefined;

  constructor(code: FileError['code'], message: string, payload?: Record<string, unknown>) {
    super(message);
    this.code = code;
    this.payload = payload;
  }
}

export const unreadable = (message: string, payload?: Record<string, unknown>) =>
  new FileError('unreadable_file', message, payload);

export const tooLarge = () =>
  new FileError(
    'too_large',
    'The workbook is too large when unpacked. Split it into several files.',
  );

export const locked = () =>
  unreadable('The workbook is password-protected. Save it without a password.');

export function damaged(error: unknown): never {
  if (error instanceof FileError) throw error;
  throw unreadable('The workbook is damaged. Save it again as .xlsx or .csv.');
}
