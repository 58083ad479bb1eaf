import type { Type } from '@nestjs/common';
import { AuthModule } from './features/auth/auth.module.ts';
import { Sendername } from './features/sendernames/sendername.entity.ts';
import { SendernamesModule } from './features/sendernames/sendernames.module.ts';

/** The rooms of the house, from what stands alone to what uses it. */
export const FEATURES: Type[] = [AuthModule, SendernamesModule];

export const ENTITIES = [Sendername];
