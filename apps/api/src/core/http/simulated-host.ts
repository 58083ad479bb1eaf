import type { SimulatedParty } from '@heliograph/simulators';
import type { Response } from 'express';
import qs from 'qs';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import { readBody } from './body.ts';
import type { AppRequest } from './endpoint.ts';

/** Serves a simulated party inside of a demo installation, below a path of its own. The product reaches it by its interface only. */
export abstract class SimulatedHost {
  private party?: Promise<SimulatedParty>;

  protected constructor(protected readonly log: Log) {}

  /** Whether this installation has the party built in; it answers 404 otherwise. */
  protected abstract isBuiltIn(): boolean;

  protected abstract open(): Promise<SimulatedParty>;

  readonly handle = async (request: AppRequest, response: Response): Promise<void> => {
    response.set('cache-control', 'no-store');
    try {
      if (!this.isBuiltIn()) return void response.status(404).end();
      const body = await readBody(request, { form: true });
      const party = await (this.party ??= this.open());
      const answer = await party.respond({
        method: request.method,
        path: request.path,
        query: qs.parse(request.url.split('?')[1] ?? '') as Record<string, string>,
        authorization: request.header('authorization'),
        body: (body?.parse() ?? {}) as Record<string, unknown>,
      });
      response.status(answer.status);
      if (answer.location) response.redirect(answer.status, answer.location);
      else if (answer.html) response.type('html').send(answer.html);
      else response.json(answer.json);
    } catch (error) {
      const status = error instanceof AppError ? error.status : 500;
      if (status === 500) this.log.error({ err: error }, 'a simulated party failed');
      response.status(status).end();
    }
  };
}
