import type { OtpStyles } from '@heliograph/contract';
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** The element of `apps/widget`, as far as the preview uses it. */
interface WidgetElement extends HTMLElement {
  preview: (styles: OtpStyles, view: object) => void;
}

const SCRIPT = '/otp/widget.js';
const TAG = 'heliograph-otp';
let loading: Promise<unknown> | undefined;

/** Loads the script that pages of customers load, so that the preview is the widget itself. */
function defined(): Promise<unknown> {
  if (!loading) {
    const script = document.createElement('script');
    script.src = SCRIPT;
    // The next preview tries again.
    script.onerror = () => {
      script.remove();
      loading = undefined;
    };
    document.head.append(script);
    loading = customElements.whenDefined(TAG);
  }
  return loading;
}

const STEPS = ['phone', 'code'] as const;
type Step = (typeof STEPS)[number];
const SECONDS = 60;

function viewOf(step: Step): object {
  if (step === 'phone') return { step: 'phone', isBusy: false };
  return {
    step: 'channel',
    channel: {
      type: 'sms',
      codeType: 'code',
      settings: { numberOfTries: 3, code: { length: 4, beautify: false } },
      remainingCodeAttempts: 3,
    },
    recipient: '+7 999 000-00-01',
    isBusy: false,
    isOffline: false,
    expiresAt: Date.now() + SECONDS * 1000,
    resendAt: Date.now() + (SECONDS / 2) * 1000,
  };
}

/** The widget in its look while the look is edited. It can be seen and not used. */
export function WidgetPreview({ styles }: { styles: OtpStyles }) {
  const { t, i18n } = useTranslation();
  const [step, setStep] = useState<Step>('phone');
  const [isReady, setReady] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isGone = false;
    void defined().then(() => isGone || setReady(true));
    return () => {
      isGone = true;
    };
  }, []);
  const drawn = JSON.stringify(styles);
  useEffect(() => {
    if (!isReady) return;
    const element = document.createElement(TAG) as WidgetElement;
    element.setAttribute('preview', '');
    place.current!.lang = i18n.language;
    place.current!.replaceChildren(element);
    element.preview(JSON.parse(drawn) as OtpStyles, viewOf(step));
  }, [isReady, drawn, step, i18n.language]);
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t('widgets:preview.label')}
      </Text>
      <SegmentedControl
        size="xs"
        aria-label={t('widgets:preview.step')}
        value={step}
        onChange={(next) => setStep(next as Step)}
        data={STEPS.map((value) => ({ value, label: t(`widgets:preview.${value}`) }))}
      />
      <div ref={place} inert data-preview />
    </Stack>
  );
}
