import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { contract, type Endpoint as Definition } from '@heliograph/contract';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { personOf, type Actor } from '../auth/actor.ts';
import { Owners } from '../auth/owners.ts';
import { ENDPOINT, type AppRequest } from '../http/endpoint.ts';
import { visitorOf } from '../http/visitor.ts';
import { Notifications } from '../notifications.ts';
import { Audit } from './audit.ts';
import { AuditContext, auditContext } from './audit-context.ts';

/** Endpoint names such as `users.update`. */
const NAMES = new Map<unknown, string>(
  Object.entries(contract).flatMap(([noun, endpoints]) =>
    Object.entries(endpoints).map(([verb, def]) => [def, `${noun}.${verb}`] as const),
  ),
);

/**
 * Writes audit records for endpoints that declare an action in the contract, and for every change made by resellers,
 * managers and impersonated sessions. If the service wrote no record of its own, one is derived from the request.
 */
@Injectable()
export class AuditTrail implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly audit: Audit,
    private readonly notifications: Notifications,
    private readonly owners: Owners,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const def = this.reflector.get<Definition>(ENDPOINT, execution.getHandler());
    const request = execution.switchToHttp().getRequest<AppRequest>();
    const { actor, requestId } = request;
    const isAudited =
      def.audit || (actor && hasSideEffects(def) && (actor.actorId || actor.level !== 'me'));
    if (!isAudited) return next.handle();
    const name = NAMES.get(def) ?? def.path;
    const context = new AuditContext(def, name, actor, visitorOf(request), requestId);
    if (actor && def.lasting === 'announced') this.announceIn(context, actor);
    return from(
      auditContext.run(context, async () => {
        const response: unknown = await firstValueFrom(next.handle());
        await this.complete(context, request, response);
        if (context.changedOwner)
          await context.announce?.(context.changedOwner, titleOf(response) ?? name);
        return response;
      }),
    );
  }

  private announceIn(context: AuditContext, actor: Actor): void {
    context.announce = async (OwnerId, title) => {
      if (!context.isForeign(OwnerId)) return;
      context.announce = null;
      const username = await this.owners.usernameOf(personOf(actor));
      await this.notifications.notify(OwnerId, 'AuthBorrowedChange', { username, title });
    };
  }

  private async complete(
    context: AuditContext,
    request: AppRequest,
    response: unknown,
  ): Promise<void> {
    await this.audit.writeTouched(context, context.touched);
    const { actor, def, written } = context;
    if (written || !actor) return;
    const { params, body } = request.call as {
      params?: { id?: string };
      body?: { OwnerId?: string };
    };
    const result = (response ?? {}) as { id?: unknown; OwnerId?: unknown };
    const OwnerId =
      typeof result.OwnerId === 'string' ? result.OwnerId : (body?.OwnerId ?? actor.OwnerId);
    if (!def.audit && !context.isForeign(OwnerId)) return;
    const id = params?.id ?? (typeof result.id === 'string' ? result.id : null);
    await this.audit.record({
      OwnerId,
      target: [context.name.split('.')[0]!, id],
      title: titleOf(response),
    });
  }
}

/** What a row is called. */
function titleOf(row: unknown): string | undefined {
  const { title, name, preset } = (row ?? {}) as Record<string, unknown>;
  return [title, name, preset].find((text) => typeof text === 'string') as string | undefined;
}

const hasSideEffects = ({ method, mutates }: Definition): boolean =>
  method !== 'GET' || mutates === true;
