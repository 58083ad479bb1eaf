import { Module } from '@nestjs/common';
import { AnalyticsController } from './analytics.controller.ts';
import { AnalyticsService } from './analytics.service.ts';
import { AnalyticsStore } from './analytics.store.ts';
import { RollupsService } from './rollups.service.ts';
import { RollupsStore } from './rollups.store.ts';

@Module({
  controllers: [AnalyticsController],
  providers: [AnalyticsService, AnalyticsStore, RollupsService, RollupsStore],
})
export class AnalyticsModule {}
