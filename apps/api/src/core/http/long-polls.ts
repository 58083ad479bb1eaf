import { Injectable } from '@nestjs/common';
import type { Endpoint as Definition, ResponseOf } from '@heliograph/contract';
import type { Response } from 'express';
import type { AppRequest } from './endpoint.ts';
import { ErrorFilter } from './error-filter.ts';
import { ResponseCheck } from './response-check.ts';

/**
 * Responses of long polls. The handler of one returns at once: the promises, observables and contexts in which Nest waits for a result
 * would take twenty kilobytes for each client that waits.
 */
@Injectable()
export class LongPolls {
  constructor(
    private readonly errors: ErrorFilter,
    private readonly check: ResponseCheck,
  ) {}

  /** Responds with what `next` resolves to. Its signal aborts when the client disconnects. */
  respond<E extends Definition>(
    def: E,
    request: AppRequest,
    response: Response,
    next: (signal: AbortSignal) => Promise<ResponseOf<E>>,
  ): void {
    const controller = new AbortController();
    // It may have disconnected while the request was checked.
    if (response.closed) controller.abort();
    else response.once('close', () => controller.abort());
    next(controller.signal)
      .then((value) => void response.json(this.check.checked(def, value)))
      .catch((error: unknown) => this.errors.respond(error, request, response));
  }
}
