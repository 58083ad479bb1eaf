import { Controller } from '@nestjs/common';
import { shareShifts, type ResponseOf } from '@heliograph/contract';
import { systemScope } from '../../core/auth/actor.ts';
import { Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { presentShift } from './share-shift.entity.ts';
import { ShareShiftsStore } from './share-shifts.store.ts';

@Controller()
export class ShareShiftsController {
  constructor(private readonly store: ShareShiftsStore) {}

  @Endpoint(shareShifts.find)
  async find(
    @Input() { query }: In<typeof shareShifts.find>,
  ): Promise<ResponseOf<typeof shareShifts.find>> {
    const page = await this.store.find(systemScope, query);
    return { ...page, data: page.data.map(presentShift) };
  }
}
