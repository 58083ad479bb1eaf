import { Injectable } from '@nestjs/common';
import { AccountSemaphore, type SemaphoreLimits } from '../../core/account-semaphore.ts';
import type { Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';
import { openPlainBook } from '../../core/sheets/open-book.ts';
import type { Book } from '../../core/sheets/sheet.ts';
import { StorageService } from './storage.service.ts';

/** A reader may hold a connection while it reads the file, and the strings of a workbook in memory. */
const LIMITS: SemaphoreLimits = { running: 2, runningOfAccount: 1, held: 6, heldOfAccount: 2 };
const RETRY_SECONDS = 10;

/** Reads stored spreadsheets whose formulas must be known: an .xlsx or a text file. Few at a time. */
@Injectable()
export class SheetFilesService {
  private readonly readings: AccountSemaphore;

  constructor(
    private readonly storage: StorageService,
    private readonly clock: Clock,
  ) {
    this.readings = new AccountSemaphore(LIMITS, () => this.busy());
  }

  async withBook<T>(
    actor: Actor,
    key: string,
    work: (book: Book, file: { filename: string; hash: string }) => Promise<T>,
  ): Promise<T> {
    const file = await this.storage.get(actor, key);
    const read = async (path: string) => {
      const book = await openPlainBook(path);
      try {
        return await work(book, { filename: file.title, hash: file.hash });
      } finally {
        book.close();
      }
    };
    return this.readings.run(actor.OwnerId, () => this.storage.withLocal(file, read));
  }

  private busy(): AppError {
    return new AppError('rate_limited', 'Other files are being read. Try again later.', {
      headers: { 'retry-after': String(RETRY_SECONDS) },
      payload: {
        expires_at: new Date(this.clock.now().getTime() + RETRY_SECONDS * 1000).toISOString(),
      },
    });
  }
}
