import { registration, type SurveyTarget } from '@heliograph/contract';
import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { api } from '../../core/api.ts';
import { useKeys } from '../../core/keys/keys.ts';
import { useSettings } from '../../core/settings.ts';
import { useStored } from '../../core/browser-storage.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { IconArrowBack } from '../../ui/icons.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { CatalogueSection } from '../integrations/catalogue-section.tsx';
import classes from './survey.module.css';
import { progressOf, targetsOf, typesOf } from './survey.ts';

const KEY = 'heliograph.survey';

/** Asks for the purpose of the account, in two steps of cards. */
export function SurveyPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const settings = useSettings();
  const [saved, save] = useStored(KEY);
  const targets = targetsOf(settings.features);
  const { step, target } = progressOf(saved, targets);
  const list = useRef<HTMLUListElement>(null);
  const catalogue = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  const isCatalogue = step === 2 && target === 'integration';
  const go = (next: { step: 1 | 2; target: SurveyTarget }) => save(JSON.stringify(next));
  const close = () => {
    save(null);
    void navigate('/');
  };
  const answer = useMutationOnce({
    mutationFn: (survey: string) => api(registration.survey, { body: { survey } }),
    onSuccess: () => close(),
    meta: { invalidates: ['users'], waitsForRefetch: false },
  });

  // The step that replaced the one under the focus takes it.
  useEffect(() => {
    const shown = catalogue.current ?? list.current;
    if (!isFirst.current) shown?.querySelector<HTMLElement>('button, input')?.focus();
    isFirst.current = false;
  }, [step]);

  const choices: Choice[] =
    step === 1
      ? targets.map((name) => ({
          name,
          title: t(`survey:target.${name}.title`),
          text: t(`survey:target.${name}.text`),
          isChosen: saved !== null && name === target,
          choose: () => go({ step: 2, target: name }),
        }))
      : typesOf(target, settings).map((name) => ({
          name,
          title: t(`type.${name}`),
          isChosen: false,
          choose: () => answer.mutate(`${target}:${name}`),
        }));
  useKeys({ escape: close });

  return (
    <>
      <PageHeader title={t('survey:title')}>
        <Button variant="subtle" onClick={close}>
          {t('survey:skip')}
        </Button>
      </PageHeader>
      <Text mb="xs" id="survey-question">
        {step === 1 ? t('survey:question.target') : t(`survey:question.${target}`)}
      </Text>
      <Text size="sm" c="dimmed" mb="md">
        {t('survey:step', { step })}
      </Text>
      {isCatalogue ? (
        <div ref={catalogue}>
          <CatalogueSection
            onChoose={(key) => answer.mutate(`integration:${key}`)}
            disabled={answer.isPending}
          />
        </div>
      ) : (
        <ul className={classes.cards} aria-labelledby="survey-question" ref={list}>
          {choices.map(({ name, title, text, isChosen, choose }, i) => (
            <li key={name}>
              <UnstyledButton
                className={classes.card}
                aria-keyshortcuts={String(i + 1)}
                aria-describedby={text && `survey-${name}`}
                data-chosen={isChosen || undefined}
                disabled={answer.isPending}
                onClick={choose}
              >
                <kbd aria-hidden className={classes.key}>
                  {i + 1}
                </kbd>
                <span>
                  <Text span fw={600} display="block">
                    {title}
                  </Text>
                  {text && (
                    <Text span size="sm" c="dimmed" id={`survey-${name}`}>
                      {text}
                    </Text>
                  )}
                </span>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      {step === 2 && (
        <Group mt="md">
          <Button
            variant="default"
            leftSection={<IconArrowBack size={16} aria-hidden />}
            onClick={() => go({ step: 1, target })}
          >
            {t('survey:back')}
          </Button>
        </Group>
      )}
    </>
  );
}

interface Choice {
  name: string;
  title: string;
  text?: string;
  isChosen: boolean;
  choose: () => void;
}
