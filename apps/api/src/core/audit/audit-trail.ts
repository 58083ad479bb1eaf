import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { contract, type Endpoint as Definition } from '@heliograph/contract';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { ENDPOINT, type AppRequest } from '../http/endpoint.ts';
import { visitorOf } from '../http/visitor.ts';
import { Audit } from './audit.ts';
import { AuditContext, auditContext } from './audit-context.ts';

/** `users.update` and so on. */
const NAMES = new Map<unknown, string>(
  Object.entries(contract).flatMap(([noun, endpoints]) =>
    Object.entries(endpoints).map(([verb, def]) => [def, `${noun}.${verb}`] as const),
  ),
);

/**
 * Calls that the audit log is to know of: those that the contract names, and whatever resellers, managers and borrowed
 * sessions change. A service records the fact with its states; where none does, it is recorded here by what the call says.
 */
@Injectable()
export class AuditTrail implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly audit: Audit,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const def = this.reflector.get<Definition>(ENDPOINT, execution.getHandler());
    const request = execution.switchToHttp().getRequest<AppRequest>();
    const { actor, requestId } = request;
    const isOfInterest =
      def.audit || (actor && hasSideEffects(def) && (actor.actorId || actor.level !== 'me'));
    if (!isOfInterest) return next.handle();
    const name = NAMES.get(def) ?? def.path;
    const context = new AuditContext(def, name, actor, visitorOf(request), requestId);
    return from(
      auditContext.run(context, async () => {
        const answer: unknown = await firstValueFrom(next.handle());
        await this.settle(context, request, answer);
        return answer;
      }),
    );
  }

  private async settle(context: AuditContext, request: AppRequest, answer: unknown): Promise<void> {
    await this.audit.writeTouched(context, context.touched);
    const { actor, def, written } = context;
    if (written || !actor) return;
    const { params, body } = request.call as {
      params?: { id?: string };
      body?: { OwnerId?: string };
    };
    const told = (answer ?? {}) as { id?: unknown; OwnerId?: unknown };
    const OwnerId =
      typeof told.OwnerId === 'string' ? told.OwnerId : (body?.OwnerId ?? actor.OwnerId);
    if (!def.audit && !context.isForeign(OwnerId)) return;
    const id = params?.id ?? (typeof told.id === 'string' ? told.id : null);
    await this.audit.record({ OwnerId, target: [context.name.split('.')[0]!, id] });
  }
}

const hasSideEffects = ({ method, mutates }: Definition): boolean =>
  method !== 'GET' || mutates === true;
