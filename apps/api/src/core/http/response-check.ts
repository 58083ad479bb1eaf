import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ErrorBody, type Endpoint as Definition } from '@heliograph/contract';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Config } from '../config.ts';
import type * as z from 'zod';
import { ENDPOINT } from './endpoint.ts';

/** Outside of production, validates responses against the contract. */
@Injectable()
export class ResponseCheck implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly config: Config,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (!this.config.checksResponses) return next.handle();
    const def = this.reflector.get<Definition>(ENDPOINT, context.getHandler());
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((answer: unknown) => {
        // Downloads and long polls write the response themselves.
        const isWritten = answer === undefined && (def.download || def.longPoll);
        return isWritten ? answer : this.checked(def, answer, schemaOf(def, response));
      }),
    );
  }

  checked<T>(def: Definition, answer: T, schema: z.ZodType = def.response): T {
    if (!this.config.checksResponses) return answer;
    const wire: unknown = JSON.parse(JSON.stringify(answer));
    const parsed = schema.safeParse(wire);
    const where = `${def.method} ${def.path}`;
    if (!parsed.success)
      throw new Error(`${where}: the response violates the contract: ${parsed.error.message}`);
    const extra = undeclared(wire, parsed.data, '');
    if (extra) throw new Error(`${where}: the response has the undeclared field ${extra}`);
    return answer;
  }
}

/** The replay of a stored refusal is an answer of the handler, unless the endpoint declares that refusal as one of its own. */
function schemaOf(def: Definition, response: Response): z.ZodType {
  const { statusCode } = response;
  const isRefusal = statusCode >= 400 && response.hasHeader('idempotency-replay');
  return isRefusal && !def.responses?.[statusCode] ? ErrorBody : def.response;
}

function undeclared(value: unknown, parsed: unknown, path: string): string | null {
  if (typeof value !== 'object' || value === null || typeof parsed !== 'object' || parsed === null)
    return null;
  for (const [key, inner] of Object.entries(value)) {
    const where = `${path}.${key}`;
    if (!(key in parsed)) return where;
    const found = undeclared(inner, (parsed as Record<string, unknown>)[key], where);
    if (found) return found;
  }
  return null;
}
