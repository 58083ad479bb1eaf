import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Endpoint as Definition } from '@heliograph/contract';
import { map, type Observable } from 'rxjs';
import { Config } from '../config.ts';
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
    return next.handle().pipe(
      map((answer: unknown) => {
        // Downloads and long polls write the response themselves.
        const isWritten = answer === undefined && (def.download || def.longPoll);
        return isWritten ? answer : this.checked(def, answer);
      }),
    );
  }

  checked<T>(def: Definition, answer: T): T {
    if (!this.config.checksResponses) return answer;
    const wire: unknown = JSON.parse(JSON.stringify(answer));
    const parsed = def.response.safeParse(wire);
    const where = `${def.method} ${def.path}`;
    if (!parsed.success)
      throw new Error(`${where}: the response violates the contract: ${parsed.error.message}`);
    const extra = undeclared(wire, parsed.data, '');
    if (extra) throw new Error(`${where}: the response has the undeclared field ${extra}`);
    return answer;
  }
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
