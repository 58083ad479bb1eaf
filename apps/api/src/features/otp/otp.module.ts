import { Module } from '@nestjs/common';
import { CaptchaModule } from '../captcha/captcha.module.ts';
import { SendingsModule } from '../sendings/sendings.module.ts';
import { OtpCaptchas } from './handler/otp-captchas.service.ts';
import { OtpCodes } from './handler/otp-codes.ts';
import { OtpCounters } from './handler/otp-counters.ts';
import { OtpCountersStore } from './handler/otp-counters.store.ts';
import { OtpHandlerController } from './handler/otp-handler.controller.ts';
import { OtpLimits } from './handler/otp-limits.service.ts';
import { OtpOutcomes } from './handler/otp-outcomes.ts';
import { OtpPolls } from './handler/otp-polls.ts';
import { OtpSessionsService } from './handler/otp-sessions.service.ts';
import { OtpSessionsStore } from './handler/otp-sessions.store.ts';
import { OtpSharedWrites } from './handler/otp-shared-writes.ts';
import { OtpStepsStore } from './handler/otp-steps.store.ts';
import { OtpSteps } from './handler/otp-steps.ts';
import { OtpChannelsController } from './settings/otp-channels.controller.ts';
import { OtpChannelsService } from './settings/otp-channels.service.ts';
import { OtpChannelsStore } from './settings/otp-channels.store.ts';
import { OtpStatisticsService } from './settings/otp-statistics.service.ts';
import { OtpStatisticsStore } from './settings/otp-statistics.store.ts';
import { OtpTemplatesController } from './settings/otp-templates.controller.ts';
import { OtpTemplatesService } from './settings/otp-templates.service.ts';
import { OtpTemplatesStore } from './settings/otp-templates.store.ts';
import { OtpWidgetsController } from './settings/otp-widgets.controller.ts';
import { OtpWidgetsService } from './settings/otp-widgets.service.ts';
import { OtpWidgetsStore } from './settings/otp-widgets.store.ts';

/** One-time codes: settings of widgets, and the sessions in which codes are sent and checked. */
@Module({
  imports: [CaptchaModule, SendingsModule],
  controllers: [
    OtpWidgetsController,
    OtpChannelsController,
    OtpTemplatesController,
    OtpHandlerController,
  ],
  providers: [
    OtpCaptchas,
    OtpChannelsService,
    OtpChannelsStore,
    OtpCodes,
    OtpCounters,
    OtpCountersStore,
    OtpLimits,
    OtpOutcomes,
    OtpPolls,
    OtpSessionsService,
    OtpSessionsStore,
    OtpSharedWrites,
    OtpStatisticsService,
    OtpStatisticsStore,
    OtpSteps,
    OtpStepsStore,
    OtpTemplatesService,
    OtpTemplatesStore,
    OtpWidgetsService,
    OtpWidgetsStore,
  ],
  exports: [OtpCaptchas, OtpLimits],
})
export class OtpModule {}
