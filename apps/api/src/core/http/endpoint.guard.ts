import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  can,
  type Endpoint as Definition,
  type FieldIssue,
  type Permission,
} from '@heliograph/contract';
import type * as z from 'zod';
import { Authenticator } from '../auth/authenticator.ts';
import type { Actor } from '../auth/actor.ts';
import { Owners } from '../auth/owners.ts';
import { AppError, invalid, notFound } from '../errors.ts';
import { logContext } from '../log.ts';
import { ENDPOINT, type AppRequest } from './endpoint.ts';
import { unkeepable } from './plain-text.ts';

/** Session, permission, shape and reach of every call, in this order, before a handler sees it. */
@Injectable()
export class EndpointGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly owners: Owners,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const def = this.reflector.get<Definition | undefined>(ENDPOINT, context.getHandler());
    if (!def)
      throw new Error(`${context.getClass().name}.${context.getHandler().name} has no endpoint`);
    const request = context.switchToHttp().getRequest<AppRequest>();

    if (def.can !== 'public' && def.can !== 'carrier') {
      const actor = await this.authenticator.actor(request, def);
      request.actor = actor;
      Object.assign(logContext.getStore() ?? {}, { userId: actor.userId, OwnerId: actor.OwnerId });
      if (def.can !== 'session' && !can(actor.permissions, def.can as Permission, def.accept)) {
        throw new AppError('forbidden', undefined, { payload: { permission: def.can } });
      }
    }
    request.call = {
      params: parse(def.params, request.params, ''),
      query: parse(def.query, request.query, ''),
      body: def.upload ? undefined : parse(def.body, request.body, ''),
    };
    if (request.actor) await this.checkOwners(def, request.call, request.actor);
    return true;
  }

  /** An `OwnerId` in a body or a filter names an account within reach, where the endpoint takes one at all. */
  private async checkOwners(
    def: Definition,
    call: NonNullable<AppRequest['call']>,
    actor: Actor,
  ): Promise<void> {
    const inBody = (call.body as { OwnerId?: string } | undefined)?.OwnerId;
    const inFilter = (call.query as { filter?: { OwnerId?: string } } | undefined)?.filter?.OwnerId;
    if (inBody && inBody !== actor.OwnerId) {
      if (def.owner !== 'write' || !(await this.owners.within(actor.reach, inBody)))
        throw notFound();
    }
    if (
      inFilter &&
      inFilter !== actor.OwnerId &&
      !(await this.owners.within(actor.reach, inFilter))
    )
      throw notFound();
  }
}

function parse(schema: z.ZodType | undefined, value: unknown, path: string): unknown {
  if (!schema) return undefined;
  const broken = unkeepable(value, path);
  if (broken !== null) throw invalid(broken, 'text', 'has a character that is no text');
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refusal(result.error.issues, path);
}

/** zod's issues as one refusal; an undeclared field is named. */
export function refusal(issues: readonly z.core.$ZodIssue[], prefix: string): AppError {
  const found = issues.flatMap((issue) => flatten(issue, prefix));
  const unknown = found.length > 0 && found.every((i) => i.rule === 'unknown_field');
  const names = found.map((i) => i.field).join(', ');
  return unknown
    ? new AppError('unknown_field', `Unknown: ${names}`, { issues: found })
    : new AppError('validation', undefined, { issues: found });
}

function flatten(issue: z.core.$ZodIssue, prefix: string): FieldIssue[] {
  const path = [prefix, ...issue.path.map(String)].filter(Boolean).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: path ? `${path}.${key}` : key,
      rule: 'unknown_field',
      message: 'is not known here',
    }));
  }
  // Of a union the branch that came closest says best what is wrong.
  if (issue.code === 'invalid_union' && issue.errors?.length) {
    const best = [...issue.errors].sort((a, b) => depth(b) - depth(a))[0];
    if (best?.length) return best.flatMap((inner) => flatten(inner, path));
  }
  const rule = ((issue as { params?: { rule?: string } }).params?.rule ??
    issue.code ??
    'invalid') as string;
  return [{ field: path, rule, message: issue.message }];
}

const depth = (issues: readonly z.core.$ZodIssue[]) =>
  Math.max(0, ...issues.map((i) => i.path.length));
